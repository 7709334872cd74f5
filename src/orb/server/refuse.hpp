// SPDX-License-Identifier: Apache-2.0
//
// A system exception as a reply (GIOP 1.2 §9.4.3.2), with as much of an explanation beside it as Options::exception_detail wants.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

/// Finishes the call with this exception, and drops what was written of another reply. Does nothing if it has been replied to. `what`:
/// text that says more than the minor code; it is sent with ExceptionDetail::full only.
void refuse(protocol::IncomingCall& call, const Error& error, std::string_view what = {});

/// From now on the explanation is sent, once protocol::use_exception_details() has been called, too. For good, in the whole process; any
/// thread.
void explain_refusals() noexcept;

}  // namespace tenon::orb
