// SPDX-License-Identifier: Apache-2.0
//
// What follows an attempt at a call that did not simply succeed: another one where the standard allows it, to the same place, to
// where a forward leads, or once more to the original address. The same rules for calls that wait and for those that do not.
// Belongs to one call; no locks.
#pragma once

#include "orb/reference.hpp"

namespace tenon::orb {

/// What one attempt says about the next.
enum class Next : std::uint8_t {
  done,
  again,    ///< nothing was tried: another call was quicker to take the connection
  retry,    ///< over another connection; nothing was executed
  forward,  ///< somewhere else
  bad_forward,  ///< somewhere else, but where to cannot be read: the call is over, or the original address is asked
};

class Attempts {
 public:
  /// `first`: where the first attempt went, `reference` itself or what it was forwarded to.
  Attempts(Reference& reference, Reference& first, protocol::Rebind rebind);
  /// Whether there shall be another attempt, to target(). `outcome` is what the last one said, and what the call says when false.
  bool another(Next next, Status& outcome);
  /// The next forward leads there, for this call only.
  void redirect(Ref<Reference> elsewhere) { redirected_ = std::move(elsewhere); }
  Reference& target() const noexcept { return *target_; }

 private:
  Reference& reference_;
  const protocol::Rebind rebind_;
  Reference* target_;
  Ref<Reference> forwarded_;
  Ref<Reference> redirected_;
  bool apart_ = false;  // from where others of the reference go
  unsigned forwards_ = 0;
  unsigned retries_;
  bool asked_again_ = false;
};

/// Reads a LOCATION_FORWARD. `outcome`: the caller's error where it cannot be read or is nil; REBIND where it may not be followed.
Next follow(Reference& reference, cdr::Reader& body, protocol::Rebind rebind, Status& outcome);

/// Not executed for sure, over a connection that was stale: once more over another one (§9.5.1.1), if that is allowed.
Next over_another_connection(protocol::Rebind rebind, Status& outcome);

/// What a call that begins now may do, when its caller wants `wanted`: one that is the first to reach the object binds it.
protocol::Rebind rebind_now(const Reference& reference, protocol::Rebind wanted) noexcept;

/// After NEEDS_ADDRESSING_MODE: the reference remembers how it is to be addressed. An error: it was addressed so already.
Status address_as_wanted(Reference& reference, const protocol::Target& target, std::uint16_t wanted);

}  // namespace tenon::orb
