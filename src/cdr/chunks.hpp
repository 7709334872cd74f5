// SPDX-License-Identifier: Apache-2.0
//
// How a reader goes on behind a chunk of a value: set by the first chunked value that is read, so that a program which reads none links
// none of it. Any thread.
#pragma once

#include <atomic>

namespace tenon::cdr {

class Reader;

/// Null until a chunked value is begun. False: no chunk follows.
extern std::atomic<bool (*)(Reader&) noexcept> next_chunk_of;

}  // namespace tenon::cdr
