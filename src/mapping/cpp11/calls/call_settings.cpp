// SPDX-License-Identifier: Apache-2.0
//
// What a call's object says of its time. A file of its own, so that call() is compiled without it: few calls come here.
#include "mapping/cpp11/calls/watched_call.hpp"
#include "protocol/messaging.hpp"
#include "tenon/corba/call_policies.hpp"

namespace tenon::gen {

void apply_settings(const CORBA::Object& object, protocol::CallSpec& spec) {
  if (auto* const apply = policies_applied.load(std::memory_order_acquire)) {
    apply(object, spec);
  } else if (object._timeout_ms() != 0) {
    spec.deadline = spec.reply_by = Deadline::after_ms(object._timeout_ms());
  }
}

}  // namespace tenon::gen
