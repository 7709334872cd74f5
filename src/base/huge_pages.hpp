// SPDX-License-Identifier: Apache-2.0
//
// Memory for large tables in which every look-up goes somewhere else: with pages of the usual size each would miss the processor's table
// of pages, too. A wish only: where the system has no huge pages to give, the memory is as good as any other. No state; any thread.
#pragma once

#include <cstddef>

namespace tenon {

/// Memory of this size or more, aligned to as much, may consist of huge pages.
inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Before the memory is written for the first time.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace tenon
