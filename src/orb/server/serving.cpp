// SPDX-License-Identifier: Apache-2.0
#include "orb/server/serving.hpp"

#include "base/minor_codes.hpp"
#include "orb/server/server.hpp"

namespace tenon::orb {

Status WaitingInUpcall::hand_over() {
  ServingThread& me = serving_thread;
  // No other thread could do what this thread would wait for.
  if (me.reactor != nullptr) return errors::only_thread_would_wait;
  // A collocated upcall on a thread of the application reads no connection that it would hold up.
  if (me.server == nullptr) return {};
  const UpcallScope* outermost = thread_state.innermost;
  while (outermost->outer() != nullptr) outermost = outermost->outer();
  const Status handed = me.server->hand_over(me, outermost->call());
  if (handed) server_ = me.server;
  return handed;
}

void WaitingInUpcall::resume() noexcept { server_->resume(); }

}  // namespace tenon::orb
