// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/call_target.hpp"

#include <bit>

#include "mapping/cpp11/calls/watched_call.hpp"
#include "mapping/cpp11/corba/protocol_policies.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "orb/reference.hpp"
#include "tenon/corba/call_policies.hpp"
#include "tenon/timeout.hpp"

namespace tenon::c {
namespace {

// A format in 64 bits, of which all are 0 only where there is none. The phase is not kept: it depends on the operation.
constexpr std::uint64_t known = std::uint64_t{1} << 63;
constexpr unsigned at_wchars = 28, at_minor = 56;
constexpr std::uint64_t code_set = (std::uint64_t{1} << at_wchars) - 1;

}  // namespace

orb::Reference& aim(const tenon_reference& target, std::uint32_t timeout_ms, protocol::CallSpec& spec) {
  const CORBA::Object& object = *target.object;
  orb::Reference* reference = &target.engine();
  if (gen::calls_are_unusual() || object._has_policies() || gen::thread_has_policies) [[unlikely]] {
    gen::apply_settings(object, spec);
    reference = &gen::reference_for_call(*reference);
  }
  if (timeout_ms != 0) spec.deadline = spec.reply_by = Deadline::after_ms(timeout_ms);
  return *reference;
}

void remember(const tenon_reference& target, const tenon_format& format) noexcept {
  if (format.chars > code_set || format.wchars > code_set) return;  // an id that the registry does not have
  target.format.store(known | format.chars | std::uint64_t{format.wchars} << at_wchars |
                          std::uint64_t{format.giop_minor} << at_minor,
                      std::memory_order_relaxed);
}

}  // namespace tenon::c

void tenon_reference_format(const tenon_reference* reference, tenon_format* format) {
  using namespace tenon::c;
  if (format == nullptr) return;
  const std::uint64_t last = reference != nullptr ? reference->format.load(std::memory_order_relaxed) : 0;
  *format = format_of({}, 0);
  if (last == 0) return;
  format->chars = static_cast<std::uint32_t>(last & code_set);
  format->wchars = static_cast<std::uint32_t>(last >> at_wchars & code_set);
  format->giop_minor = static_cast<std::uint8_t>(last >> at_minor & 3);
}
