// SPDX-License-Identifier: Apache-2.0
//
// What the current thread serves, if anything, so that a call made inside an upcall can hand the connection to another thread
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
class Stay;
class Server;
class UpcallScope;

/// What the current thread is doing. Plain pointers, so that reading them is one load.
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

/// The connection that a thread of a server, or of a reactor, is serving. Set around each Connection::serve().
struct ServingThread {
  Server* server = nullptr;  ///< whose thread it is; null: of no server, or the reactor's
  Lane* lane = nullptr;      ///< null: a connection that belongs to no server
  bool handed_over = false;  ///< another thread reads the connection already
  Stay* stay = nullptr;      ///< of a pool's thread that stays with the connection
  // Set on the reactor's thread only:
  Reactor* reactor = nullptr;
  ReactorSource* source = nullptr;     ///< the connection, as the reactor knows it
  const UpcallScope* floor = nullptr;  ///< the upcall inside which this connection is served
  static ServingThread& current() noexcept;
};
inline constinit thread_local ServingThread serving_thread;
inline ServingThread& ServingThread::current() noexcept { return serving_thread; }

/// Around a wait for a reply. Outside upcalls it costs one look at a thread-local.
class WaitingInUpcall {
 public:
  /// TRANSIENT when no other thread can take over: only_thread_would_wait where there is none by design.
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
