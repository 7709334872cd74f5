// SPDX-License-Identifier: Apache-2.0
//
// What the current thread serves, if it serves: so that a call made inside an upcall can hand the connection to another thread
// before it waits. Thread-local; no locks.
#pragma once

#include <utility>

#include "base/error.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Orb;
class Lane;
class Reactor;
class ReactorSource;
class Server;
class Stay;
class UpcallScope;

/// What the current thread is in the middle of. Plain pointers: reading them is a load.
struct ThreadState {
  Orb* orb = nullptr;
  UpcallScope* innermost = nullptr;
};
inline constinit thread_local ThreadState thread_state;

/// The ORB for whose call this thread reads or writes values: references that come in belong to it. Null outside calls.
class OrbScope {
 public:
  explicit OrbScope(Orb& orb) noexcept : outer_(std::exchange(thread_state.orb, &orb)) {}
  ~OrbScope() { thread_state.orb = outer_; }
  OrbScope(const OrbScope&) = delete;
  OrbScope& operator=(const OrbScope&) = delete;
  static Orb* current() noexcept { return thread_state.orb; }

 private:
  Orb* outer_;
};

/// One upcall of this thread; they nest (collocated calls).
class UpcallScope {
 public:
  UpcallScope(Orb& orb, protocol::IncomingCall& call) noexcept
      : orb_(orb), orb_scope_(orb), call_(call), outer_(std::exchange(thread_state.innermost, this)) {}
  ~UpcallScope() { thread_state.innermost = outer_; }
  UpcallScope(const UpcallScope&) = delete;
  UpcallScope& operator=(const UpcallScope&) = delete;

  static const UpcallScope* innermost() noexcept { return thread_state.innermost; }
  const UpcallScope* outer() const noexcept { return outer_; }
  Orb& orb() const noexcept { return orb_; }
  protocol::IncomingCall& call() const noexcept { return call_; }

 private:
  Orb& orb_;
  OrbScope orb_scope_;
  protocol::IncomingCall& call_;
  UpcallScope* outer_;
};

/// What a thread of a Server is doing. Set by the server around each serve().
struct ServingThread {
  Server* server = nullptr;
  Lane* lane = nullptr;
  bool handed_over = false;            ///< another thread reads the connection already
  Reactor* reactor = nullptr;          ///< of the single thread that serves, inside serve()
  ReactorSource* source = nullptr;     ///< of it: what it serves
  const UpcallScope* floor = nullptr;  ///< of it: the upcall inside which it serves this connection
  Stay* stay = nullptr;                ///< of a pool's thread that stays with the connection
  static ServingThread& current() noexcept;
};
inline constinit thread_local ServingThread serving_thread;
inline ServingThread& ServingThread::current() noexcept { return serving_thread; }

/// By the single thread that serves, before it waits inside an upcall: it may read that request's connection itself meanwhile.
void hand_over_to_self();

/// Around a wait for a reply. Outside upcalls it costs one look at a thread-local.
class WaitingInUpcall {
 public:
  /// TRANSIENT when no other thread can take over.
  Status begin() { return UpcallScope::innermost() == nullptr ? Status() : hand_over(); }
  ~WaitingInUpcall() {
    if (server_ != nullptr) resume();
  }
  WaitingInUpcall() = default;
  WaitingInUpcall(const WaitingInUpcall&) = delete;
  WaitingInUpcall& operator=(const WaitingInUpcall&) = delete;

 private:
  Status hand_over();
  void resume() noexcept;

  Server* server_ = nullptr;
};

}  // namespace tenon::orb
