// SPDX-License-Identifier: Apache-2.0
//
// Scopes of a thread inside the adapter: one upcall, and one call of a servant manager or adapter activator. Current and in_upcall()
// look at them. Private to the root adapter.
#pragma once

#include "poa/current.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::poa {

/// One upcall: visible to Current, and counted in its slot until the end of the scope.
struct RootAdapter::Running {
  Running(RootAdapter& adapter, Slot& slot, ByteView id) noexcept
      : root(adapter), frame{slot.poa, &slot, slot.servant, id, current_frame} {
    current_frame = &frame;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    current_frame = frame.outer;
    root.unpin(*frame.slot);
  }

  RootAdapter& root;
  Frame frame;
};

/// A servant manager or adapter activator is being called for a POA. There is no object, so Current has no context; waiting is refused.
struct RootAdapter::Asking {
  explicit Asking(Poa& poa) noexcept : frame{&poa, nullptr, nullptr, {}, current_frame} {
    current_frame = &frame;
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
  ~Asking() { current_frame = frame.outer; }

  Frame frame;
};

/// Holds the turn of a POA. The POA must outlive it.
struct RootAdapter::HeldTurn {
  HeldTurn(RootAdapter& adapter, Poa& poa, Patience& patience)
      : root(adapter), of(poa), error(adapter.take_turn(poa, patience)) {}
  HeldTurn(const HeldTurn&) = delete;
  HeldTurn& operator=(const HeldTurn&) = delete;
  ~HeldTurn() {
    if (!error) root.give_turn(of);
  }

  RootAdapter& root;
  Poa& of;
  const Error
      error;  ///< set: it is not held, since no thread is left to serve others meanwhile, or time is up
};

}  // namespace tenon::poa
