// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic_protocols.hpp"

#include "base/clock.hpp"
#include "orb/orb.hpp"
#include "orb/protocol_changes.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/corba/orb.hpp"

namespace tenon {
namespace {

void done_or_raise(const Status& done, std::string&& why) {
  if (done) return;
  if (why.empty()) gen::raise(done.error());
  gen::raise_with_reason(done.error(), std::move(why));
}

Deadline deadline_in(std::chrono::milliseconds time) noexcept {
  // Longer than this is for ever.
  constexpr std::chrono::milliseconds longest = std::chrono::hours(24);
  if (time <= std::chrono::milliseconds::zero()) return Deadline::immediately();
  return time > longest ? Deadline::never() : Deadline::after_ns(std::chrono::nanoseconds(time).count());
}

}  // namespace

void add_protocol(CORBA::ORB& orb, const std::string& name, const ProtocolSettings& settings) {
  orb::ProtocolChanges changes(orb._core());
  orb::Protocol protocol;
  std::string why;
  done_or_raise(changes.make(name, settings.library, protocol, why), std::move(why));
  why.clear();
  done_or_raise(changes.add(std::move(protocol), settings.options, settings.endpoints, why), std::move(why));
}

void add_protocol(CORBA::ORB& orb, orb::Protocol protocol, const ProtocolSettings& settings) {
  std::string why;
  done_or_raise(
      orb::ProtocolChanges(orb._core()).add(std::move(protocol), settings.options, settings.endpoints, why),
      std::move(why));
}

void remove_protocol(CORBA::ORB& orb, const std::string& name, std::chrono::milliseconds calls_may_take) {
  std::string why;
  done_or_raise(orb::ProtocolChanges(orb._core()).remove(name, deadline_in(calls_may_take), why),
                std::move(why));
}

void set_protocol_option(CORBA::ORB& orb, const std::string& name, const std::string& option,
                         const std::string& value) {
  std::string why;
  done_or_raise(orb::ProtocolChanges(orb._core()).set_option(name, option, value, why), std::move(why));
}

std::string add_endpoint(CORBA::ORB& orb, const std::string& endpoint) {
  std::string opened;
  std::string why;
  done_or_raise(orb::ProtocolChanges(orb._core()).open(endpoint, opened, why), std::move(why));
  return opened;
}

void remove_endpoint(CORBA::ORB& orb, const std::string& endpoint) {
  std::string why;
  done_or_raise(orb::ProtocolChanges(orb._core()).close(endpoint, why), std::move(why));
}

std::vector<std::string> protocol_names(CORBA::ORB& orb) { return orb._core().protocol_names(); }

}  // namespace tenon
