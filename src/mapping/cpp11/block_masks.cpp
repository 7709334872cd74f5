// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/block_masks.hpp"

#include <cstring>

namespace tenon::gen {

bool find_masks(const BlockJudge& judge, void* scratch, std::span<std::uint8_t> keep,
                std::span<std::uint8_t> forbid) noexcept {
  const std::size_t size = keep.size();
  std::memset(scratch, 0xFF, size);
  if (judge.clean != nullptr && !judge.clean(scratch)) return false;
  std::memcpy(keep.data(), scratch, size);  // what was padding is zero now

  for (std::size_t at = 0; at < size; ++at) {
    std::memset(scratch, 0, size);
    static_cast<std::uint8_t*>(scratch)[at] = 0x80;
    forbid[at] = judge.ascii != nullptr && !judge.ascii(scratch) ? 0x80 : 0;
  }
  std::memset(scratch, 0, size);
  return true;
}

}  // namespace tenon::gen
