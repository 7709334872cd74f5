// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/watched_call.hpp"

#include "mapping/cpp11/calls/stub_call.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "orb/interception.hpp"
#include "orb/orb.hpp"

namespace tenon::gen {

namespace {

/// A call that is counted (usage.hpp), also where it raises.
void call_counted(CORBA::Object& self, const Operation& operation, Put put, Get get) {
  struct Use {
    CORBA::Object& self;
    const Operation& operation;
    std::size_t sent = 0;
    std::size_t received = 0;
    ~Use() { count_use(Side::client, self._reference()->type_id(), operation.name, 1, sent + received); }
  } use{self, operation};
  Operation counted = operation;
  counted.counted = true;
  counted.numbered = false;  // the copy is no NumberedOperation, and goes by its name
  call(
      self, counted,
      [&](cdr::Writer& out) {
        const std::size_t before = out.size();
        put(out);
        use.sent = out.size() - before;
      },
      [&](cdr::Reader& in) {
        const std::size_t before = in.remaining();
        get(in);
        use.received = before - in.remaining();
      });
}

/// Makes the call if it is to be counted, or described to the observer of its ORB. False: neither, or that has been done.
bool call_watched(CORBA::Object& self, const Operation& operation, Put put, Get get) {
  if (usage_counted() && !operation.counted) {
    call_counted(self, operation, put, get);
    return true;
  }
  if (operation.described || self._reference()->orb().call_observer() == nullptr) return false;
  Operation described = operation;
  described.described = true;
  described.numbered = false;
  const StubCall description(self, put);
  const orb::DescribedCall scope(operation.name, description);
  call(self, described, put, get);
  return true;
}

}  // namespace

void watch_calls(std::uint8_t reason) noexcept {
  watched_call.store(&call_watched, std::memory_order_release);
  upcalls_watched.fetch_or(reason);
}

}  // namespace tenon::gen
