// SPDX-License-Identifier: Apache-2.0
#include "orb/serving.hpp"

#include "orb/server.hpp"

namespace tenon::orb {

namespace {
thread_local UpcallScope* innermost_upcall = nullptr;
thread_local ServingThread serving_thread;
thread_local Orb* current_orb = nullptr;
}  // namespace

OrbScope::OrbScope(Orb& orb) noexcept : outer_(current_orb) { current_orb = &orb; }

OrbScope::~OrbScope() { current_orb = outer_; }

Orb* OrbScope::current() noexcept { return current_orb; }

UpcallScope::UpcallScope(Orb& orb, protocol::IncomingCall& call) noexcept
    : orb_(orb), orb_scope_(orb), call_(call), outer_(innermost_upcall) {
  innermost_upcall = this;
}

UpcallScope::~UpcallScope() { innermost_upcall = outer_; }

const UpcallScope* UpcallScope::innermost() noexcept { return innermost_upcall; }

ServingThread& ServingThread::current() noexcept { return serving_thread; }

Status WaitingInUpcall::hand_over() {
  ServingThread& me = serving_thread;
  if (me.server == nullptr) return {};  // a collocated upcall on an application's thread keeps nobody from reading
  const UpcallScope* outermost = innermost_upcall;
  while (outermost->outer() != nullptr) outermost = outermost->outer();
  const Status handed = me.server->hand_over(me, outermost->call());
  if (handed) server_ = me.server;
  return handed;
}

void WaitingInUpcall::resume() noexcept { server_->resume(); }

}  // namespace tenon::orb
