// SPDX-License-Identifier: Apache-2.0
//
// Memory for large tables whose look-ups are spread over the whole table: with pages of the usual size most of them would also miss the
// processor's TLB. It is only a hint: where the system has no huge pages, the memory is ordinary memory. No state; any thread.
#pragma once

#include <cstddef>

namespace tenon {

/// Memory of this size or more, aligned to as much, may consist of huge pages.
inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// To be called before the memory is written for the first time.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace tenon
