// SPDX-License-Identifier: Apache-2.0
//
// What a POA with policies of protection (QOPPolicy, EstablishTrustPolicy) asks of each request, before its servant is touched. A bit of its
// gate takes these requests off the main path, so those of other POAs cost what they cost without it. The mapping knows what the policies
// say. Any thread.
#pragma once

#include <atomic>

#include "poa/whole_poa.hpp"
#include "protocol/messaging.hpp"

namespace tenon::poa {

/// No error: the request may run. Called with no lock held.
using AdmitsCall = Error (*)(const WholePoa& poa, const protocol::IncomingCall& call) noexcept;

/// Set before the first POA with PoaExtras::secured is made.
inline constinit std::atomic<AdmitsCall> admits_call{nullptr};

}  // namespace tenon::poa
