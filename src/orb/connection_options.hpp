// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "protocol/messaging.hpp"

namespace tenon::orb {

/// The settings of one connection: those of its ORB, and whether it is bidirectional. `place`: its place in the count of those that may be
/// open; may be null.
protocol::MessagingOptions connection_options(const protocol::MessagingOptions& of_orb,
                                              const std::shared_ptr<protocol::Bidirectional>& bidirectional,
                                              bool offers, const std::shared_ptr<void>& place);

}  // namespace tenon::orb
