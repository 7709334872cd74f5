// SPDX-License-Identifier: Apache-2.0
//
// Scopes of a thread inside the whole adapter: one call of a servant manager or adapter activator, and the turn of a POA. Private to the
// adapter.
#pragma once

#include "poa/running.hpp"
#include "poa/whole_adapter.hpp"

namespace tenon::poa {

/// A servant manager or adapter activator is being called for a POA. There is no object, so Current has no context; waiting is refused.
struct WholeAdapter::Asking {
  explicit Asking(WholePoa& poa) noexcept : frame{&poa, nullptr, nullptr, {}, current_frame} {
    current_frame = &frame;
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
  ~Asking() { current_frame = frame.outer; }

  Frame frame;
};

struct WholePoa::Managed {
  /// WholeAdapter::incarnate(); null: the POA has a locator.
  Slot* (WholeAdapter::*incarnate)(protocol::IncomingCall& call, WholePoa& poa, ByteView id,
                                   Supplied& refusal);
  void (WholeAdapter::*upcall_by_locator)(protocol::IncomingCall& call, RootAdapter::Running& running);
  void (WholeAdapter::*etherealize)(Slot& slot) noexcept;
  void (WholeAdapter::*etherealize_in_turn)(Slot& slot) noexcept;
  Error (WholeAdapter::*await_end_of)(WholePoa& poa, ByteView id);
};

/// Holds the turn of a POA. The POA must outlive it.
struct WholeAdapter::HeldTurn {
  HeldTurn(WholeAdapter& adapter, WholePoa& poa, Patience& patience)
      : root(adapter), of(poa), error(adapter.take_turn(poa, patience)) {}
  HeldTurn(const HeldTurn&) = delete;
  HeldTurn& operator=(const HeldTurn&) = delete;
  ~HeldTurn() {
    if (!error) root.give_turn(of);
  }

  WholeAdapter& root;
  WholePoa& of;
  const Error
      error;  ///< set: it is not held, since no thread is left to serve others meanwhile, or time is up
};

}  // namespace tenon::poa
