// SPDX-License-Identifier: Apache-2.0
//
// CORBA::ORB_init: options in text, and an ORB that has all of this library, or all but the protocols.
#include <algorithm>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "tenon/parts.hpp"

namespace tenon {
namespace {

/// A later ORB_init gives the ORB of that id as it is (CORBA 3.4 part 1 §8.5.1: its other parameters "may be considered").
void warn_of_lost_options(const CORBA::ORB& orb, const std::vector<std::string>& wanted) {
  const std::vector<std::string>& had = orb._core().options().given;
  std::string lost;
  for (const std::string& each : wanted) {
    if (std::ranges::find(had, each) == had.end()) lost.append(lost.empty() ? "" : ", ").append(each);
  }
  if (lost.empty()) return;
  advise("orb", worded("ORB_init: there is an ORB '%' already, so these options of the later call have no "
                       "effect: %; give them to the first call, or another -ORBid to this one",
                       {orb.id(), lost}));
}

/// The ORB of that id, which may have been there before.
CORBA::object_reference<CORBA::ORB> init(Configuration&& configuration, orb::Parts&& parts) {
  const std::vector<std::string> wanted = configuration.given;
  auto orb = gen::make_orb(std::move(configuration), std::move(parts));
  warn_of_lost_options(*orb, wanted);
  return orb;
}

orb::Parts all_over(orb::Protocols protocols) {
  gen::prepare_memory();
  orb::Parts parts;
  parts.protocols = std::move(protocols);
  all_but_protocols(parts);
  return parts;
}

orb::Parts everything() {
  gen::prepare_memory();
  orb::Parts parts;
  full(parts);
  return parts;
}

}  // namespace

CORBA::object_reference<CORBA::ORB> init_orb(int& argc, char* argv[], orb::Protocols protocols,
                                             const std::string& orb_identifier) {
  orb::Parts parts = all_over(std::move(protocols));  // first, since refusals have texts
  return init(read_options(argc, argv, orb_identifier), std::move(parts));
}

CORBA::object_reference<CORBA::ORB> init_orb(const std::vector<std::string>& arguments,
                                             orb::Protocols protocols, const std::string& orb_identifier) {
  orb::Parts parts = all_over(std::move(protocols));
  std::vector<std::string> left = arguments;
  return init(read_options(left, orb_identifier), std::move(parts));
}

}  // namespace tenon

namespace CORBA {
inline namespace cpp11 {

object_reference<ORB> ORB_init(int& argc, char* argv[], const std::string& orb_identifier) {
  tenon::orb::Parts parts = tenon::everything();
  return tenon::init(tenon::read_options(argc, argv, orb_identifier), std::move(parts));
}

object_reference<ORB> ORB_init(const std::vector<std::string>& arguments, const std::string& orb_identifier) {
  tenon::orb::Parts parts = tenon::everything();
  std::vector<std::string> left = arguments;
  return tenon::init(tenon::read_options(left, orb_identifier), std::move(parts));
}

}  // namespace cpp11
}  // namespace CORBA
