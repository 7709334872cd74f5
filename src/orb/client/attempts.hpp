// SPDX-License-Identifier: Apache-2.0
//
// What follows an attempt at a call that did not succeed: another attempt where the standard allows it, to the same place, to
// where a forward leads, or once more to the original address. The rules are the same for calls that wait and for asynchronous calls.
// Belongs to one call; no locks.
#pragma once

#include "orb/reference.hpp"

namespace tenon::orb {

/// What one attempt says about the next.
enum class Next : std::uint8_t {
  done,
  retry,      ///< over another connection; nothing was executed
  elsewhere,  ///< over another address of the reference; nothing was executed
  forward,    ///< somewhere else
  bad_forward,  ///< somewhere else, but where to cannot be read: the call is over, or the original address is asked
};

class Attempts {
 public:
  /// The first attempt goes to the reference, or where it was forwarded to.
  explicit Attempts(Reference& reference) : reference_(reference), forwarded_(reference.forwarded()) {}
  /// Whether there shall be another attempt, to target(). `outcome`: that of the last attempt; if false is returned, that of the call.
  /// `redirected`: where the next forward leads, for this call only; null: it leads to where the target is forwarded.
  bool another(Next next, protocol::Rebind rebind, Status& outcome, Ref<Reference> redirected = nullptr);
  /// After an attempt over a connection that was made for it, and that broke before it had taken the request: another one over the target's
  /// next address, if it has one and that is allowed. `tried`: what the attempt used, which comes last for a while, as an address to which no
  /// connection can be made.
  Next over_another_address(const protocol::Target* tried, protocol::Rebind rebind, Status& outcome);
  Reference& reference() const noexcept { return reference_; }
  Reference& target() const noexcept { return forwarded_ ? *forwarded_ : reference_; }

 private:
  Reference& reference_;
  Ref<Reference> forwarded_;  // null: calls go to the reference itself
  bool apart_ = false;        // this call goes elsewhere than other calls of the reference
  bool asked_again_ = false;
  std::uint16_t refusals_ = 0;  // how often a connection broke that was new
  unsigned forwards_ = 0;
  unsigned retries_ = 0;
};

/// Reads a LOCATION_FORWARD. `outcome`: the caller's error where it cannot be read or is nil; REBIND where it may not be followed.
Next follow(Reference& reference, cdr::Reader& body, protocol::Rebind rebind, Status& outcome);

/// After an attempt over a stale connection, which was certainly not executed: another one over another connection (§9.5.1.1), if allowed.
Next over_another_connection(protocol::Rebind rebind, Status& outcome);

/// What a call that begins now may do, if its policy is `wanted`. The first call that reaches the object may always bind it.
protocol::Rebind rebind_now(const Reference& reference, protocol::Rebind wanted) noexcept;

/// After NEEDS_ADDRESSING_MODE: the reference remembers how it is to be addressed. An error if it was addressed in this way already.
Status address_as_wanted(Reference& reference, const protocol::Target& target, std::uint16_t wanted);

}  // namespace tenon::orb
