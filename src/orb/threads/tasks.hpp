// SPDX-License-Identifier: Apache-2.0
//
// Work that waits for a thread: one type for all that keep some, since a program has its functions once then.
#pragma once

#include <deque>
#include <functional>

#include "base/memory.hpp"

namespace tenon::orb {

/// The oldest first.
using Tasks =
    std::deque<std::function<void()>, memory::Allocator<std::function<void()>, memory::Kind::requests>>;

}  // namespace tenon::orb
