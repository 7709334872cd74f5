// SPDX-License-Identifier: Apache-2.0
//
// Calls that say by themselves which of their arguments are copied into the message and which are sent from where they are
// (CopyBelowPolicy). The connection's writer has the size of its ORB (-ORBCopyBelow), and gets the call's for as long as the arguments are
// being written; so calls without the policy ask for nothing. Any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "mapping/cpp11/calls/watched_call.hpp"

namespace tenon::gen {

/// To be called before the first such policy is set: from here on, calls that have any policies look for it.
void link_copying_calls() noexcept;

/// The octets of the CopyBelowPolicy of a call on the object made now by this thread; no value: it has none.
std::optional<std::uint32_t> copy_below_of(const CORBA::Object& object);

}  // namespace tenon::gen
