// SPDX-License-Identifier: Apache-2.0
//
// What calls do in a process no start-up of which has named them: this file refers to nothing that makes one.
#include <string>
#include <utility>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/call.hpp"

namespace tenon::gen {
namespace {

[[noreturn]] void refuse_to_call(const CORBA::Object& self, std::string_view name) {
  if (!self._reference()) raise(errors::local_operation);
  std::string reason("call of '");
  reason.append(name).append(
      "': no start-up of this process has named tenon::parts::calls: iiop_client brings it; calls inside "
      "upcalls of "
      "tenon::micro want single_thread_calls, too");
  raise_with_reason(errors::no_calls_part, std::move(reason));
}

}  // namespace

constinit CallWays call_ways{
    [](CORBA::Object& self, const Operation& operation, Put, Get) { refuse_to_call(self, operation.name); },
    [](CORBA::Object& self, const NumberedOperation& operation, Put, Get) {
      refuse_to_call(self, operation.name);
    }};

}  // namespace tenon::gen
