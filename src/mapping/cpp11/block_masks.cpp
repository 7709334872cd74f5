// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/block_masks.hpp"

#include <cstring>

#include "base/minor_codes.hpp"

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

void put_masked(cdr::Writer& out, const void* values, std::size_t bytes, std::size_t alignment,
                const cdr::ElementMask& mask) noexcept {
  const auto* const octets = static_cast<const std::uint8_t*>(values);
  bool fits = false;
  if (out.lends(bytes)) {
    fits = cdr::check_masked(octets, bytes, mask);
    out.put_block(values, bytes, alignment);
  } else {
    out.align(alignment);
    std::uint8_t* const to = out.claim(bytes);
    fits = to == nullptr || cdr::copy_masked(to, octets, bytes, mask);
  }
  if (!fits) out.fail(errors::char_not_in_code_set);
}

}  // namespace tenon::gen
