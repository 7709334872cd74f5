// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/attendant.hpp"

#include <new>

namespace tenon::orb {

bool Attendant::tell(protocol::Connection& connection, Deadline when, Tell what) noexcept {
  struct Reminder final : Timed {
    Reminder(protocol::Connection& whom, Tell which) : connection(&whom), what(which) {}
    void expired() noexcept override { (connection.get()->*what)(); }
    const Ref<protocol::Connection> connection;
    const Tell what;
  };
  try {
    remind(make_ref<Reminder>(connection, what), when);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace tenon::orb
