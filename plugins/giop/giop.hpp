// SPDX-License-Identifier: Apache-2.0
//
// GIOP as a messaging plug-in: connections over any transport. The rules of GIOP itself are in src/giop, without I/O.
#pragma once

#include <memory>

#include "protocol/messaging.hpp"

namespace tenon::giop {

std::shared_ptr<protocol::Messaging> make_messaging();

/// Connections that are made while LogLevel::trace is enabled show their messages in the log from now on. For good, in the whole process;
/// any thread.
void use_message_log() noexcept;

}  // namespace tenon::giop
