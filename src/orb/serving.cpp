// SPDX-License-Identifier: Apache-2.0
#include "orb/serving.hpp"

#include "orb/server.hpp"

namespace tenon::orb {

Status WaitingInUpcall::hand_over() {
  ServingThread& me = serving_thread;
  if (me.server == nullptr)
    return {};  // a collocated upcall on an application's thread keeps nobody from reading
  const UpcallScope* outermost = thread_state.innermost;
  while (outermost->outer() != nullptr) outermost = outermost->outer();
  const Status handed = me.server->hand_over(me, outermost->call());
  if (handed) server_ = me.server;
  return handed;
}

void WaitingInUpcall::resume() noexcept { server_->resume(); }

}  // namespace tenon::orb
