// SPDX-License-Identifier: Apache-2.0
#include "orb/server/serving.hpp"

#include "base/minor_codes.hpp"
#include "orb/server/lane.hpp"
#include "orb/server/thread_server.hpp"
#include "orb/threads/reactor.hpp"

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

void hand_over_to_self() {
  ServingThread& me = serving_thread;
  const UpcallScope* outermost = thread_state.innermost;
  if (me.reactor == nullptr || me.handed_over || outermost == me.floor) return;
  while (outermost->outer() != me.floor) outermost = outermost->outer();
  if (me.lane != nullptr) me.lane->keep_order(outermost->call());
  outermost->call().detach();
  me.handed_over = true;
  me.reactor->again(*me.source);  // the poller does not report input that has been received already
}

void WaitingInUpcall::resume() noexcept { server_->resume(); }

}  // namespace tenon::orb
