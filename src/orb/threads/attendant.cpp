// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/attendant.hpp"

namespace tenon::orb {

bool Attendant::tell(protocol::Connection& connection, Deadline when, Tell what) noexcept {
  struct Reminder final : Timed {
    Reminder(protocol::Connection& whom, Tell which) : connection(&whom), what(which) {}
    void expired() noexcept override { (connection.get()->*what)(); }
    const Ref<protocol::Connection> connection;
    const Tell what;
  };
  Ref<Timed> reminder = make_ref<Reminder>(connection, what);
  if (!reminder) return false;
  remind(std::move(reminder), when);
  return true;
}

}  // namespace tenon::orb
