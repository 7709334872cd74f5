// SPDX-License-Identifier: Apache-2.0
//
// Waits for one descriptor until a deadline. Safe from any thread.
#pragma once

#include <poll.h>

#include <span>

#include "base/clock.hpp"

namespace tenon::net {

/// `events` as poll() has them (POLLIN, POLLOUT). True: they came, or the descriptor ended or failed, so that a call on it will not
/// block. A deadline that has passed still looks once. `wake`, when given, is watched for input too; true is returned for it as well.
bool wait_for(int fd, short events, Deadline deadline, int wake = -1) noexcept;
/// Waits for any of several, and sets their `revents`; a negative descriptor is passed over. False: time is up.
bool wait_for_any(std::span<pollfd> watched, Deadline deadline) noexcept;

}  // namespace tenon::net
