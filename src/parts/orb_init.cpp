// SPDX-License-Identifier: Apache-2.0
//
// CORBA::ORB_init: options in text, and an ORB that has all of this library, or all but the protocols.
#include "base/log.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "tenon/parts.hpp"

namespace tenon {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  log(LogLevel::error, "orb", why);
  gen::raise_with_reason(errors::bad_option, why);
}

/// Takes the options out of `arguments`.
Configuration read(std::vector<std::string>& arguments, const std::string& orb_identifier) {
  Configuration configuration;
  configuration.arguments = arguments;
  std::string why;
  if (!gen::read_options(arguments, configuration, why)) refuse(why);
  static_cast<void>(log_enabled(LogLevel::warning));  // so that a wrong TENON_LOG is told now
  if (!gen::count_usage_of_environment(why)) refuse(why);
  if (!orb_identifier.empty()) configuration.id = orb_identifier;
  return configuration;
}

Configuration read(int& argc, char* argv[], const std::string& orb_identifier) {
  std::vector<std::string> arguments(argv, argv + argc);
  Configuration configuration = read(arguments, orb_identifier);
  // The arguments that are left keep their pointers and their order.
  int kept = 0;
  for (int i = 0; i < argc && static_cast<std::size_t>(kept) < arguments.size(); ++i) {
    if (arguments[static_cast<std::size_t>(kept)] == argv[i]) argv[kept++] = argv[i];
  }
  if (kept < argc) argv[kept] = nullptr;
  argc = kept;
  return configuration;
}

Configuration read(const std::vector<std::string>& options, const std::string& orb_identifier) {
  std::vector<std::string> arguments{"program"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return read(arguments, orb_identifier);
}

orb::Parts all_over(orb::Protocols protocols) {
  orb::Parts parts;
  parts.protocols = std::move(protocols);
  all_but_protocols(parts);
  return parts;
}

orb::Parts everything() {
  orb::Parts parts;
  full(parts);
  return parts;
}

}  // namespace

CORBA::object_reference<CORBA::ORB> init_orb(int& argc, char* argv[], orb::Protocols protocols,
                                             const std::string& orb_identifier) {
  orb::Parts parts = all_over(std::move(protocols));  // first, since refusals have texts
  return init_orb(read(argc, argv, orb_identifier), std::move(parts));
}

CORBA::object_reference<CORBA::ORB> init_orb(const std::vector<std::string>& arguments,
                                             orb::Protocols protocols, const std::string& orb_identifier) {
  orb::Parts parts = all_over(std::move(protocols));
  return init_orb(read(arguments, orb_identifier), std::move(parts));
}

}  // namespace tenon

namespace CORBA {
inline namespace cpp11 {

object_reference<ORB> ORB_init(int& argc, char* argv[], const std::string& orb_identifier) {
  tenon::orb::Parts parts = tenon::everything();
  return tenon::init_orb(tenon::read(argc, argv, orb_identifier), std::move(parts));
}

object_reference<ORB> ORB_init(const std::vector<std::string>& arguments, const std::string& orb_identifier) {
  tenon::orb::Parts parts = tenon::everything();
  return tenon::init_orb(tenon::read(arguments, orb_identifier), std::move(parts));
}

}  // namespace cpp11
}  // namespace CORBA
