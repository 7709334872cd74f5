// SPDX-License-Identifier: Apache-2.0
#include "base/huge_pages.hpp"

#include <sys/mman.h>

namespace tenon {

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  static_cast<void>(::madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE));
#endif
}

}  // namespace tenon
