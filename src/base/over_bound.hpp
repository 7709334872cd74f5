// SPDX-License-Identifier: Apache-2.0
//
// Which bound was exceeded, for the text of the exception. An Error has no room for it, so it lies aside until the Error becomes an
// exception on the same thread, which takes it; an Error that comes from another process or thread has none.
//
// Threads: each has its own.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.hpp"

namespace tenon {

/// `found` elements, or octets or wide characters of text, where `bound` are allowed. Of a string, octets as they travel.
void note_over_bound(std::size_t found, std::size_t bound) noexcept;
/// Forgets what was noted: the next Error is not about it.
void forget_over_bound() noexcept;
/// "a string, sequence or map is longer than its bound: 11 where 10 are allowed", and forgets it; empty if the error is another one or
/// nothing was noted, or where there is no memory for the text.
std::string take_over_bound(const Error& error) noexcept;

}  // namespace tenon
