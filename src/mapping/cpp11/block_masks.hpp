// SPDX-License-Identifier: Apache-2.0
//
// What each byte of a struct may hold whose memory is its CDR, so that sequences of them go into a message and come out of it in one
// pass (cdr/masked_copy.hpp). Nobody writes these masks down: the codec of the struct is asked, once, what it does to each byte.
// Structs with booleans or enums have none, because what they forbid depends on more than single bytes' bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cdr/masked_copy.hpp"
#include "cdr/writer.hpp"

namespace tenon::gen {

/// How a codec judges one struct in raw memory: null where it accepts everything.
struct BlockJudge {
  bool (*clean)(void* value) noexcept =
      nullptr;  ///< zeroes padding; false: has booleans or enums out of range
  bool (*ascii)(const void* value) noexcept = nullptr;
};

/// Fills both masks, of the struct's size each. False: the struct has no masks. `scratch` is memory of one struct.
bool find_masks(const BlockJudge& judge, void* scratch, std::span<std::uint8_t> keep,
                std::span<std::uint8_t> forbid) noexcept;

/// Writes structs that lie side by side, `bytes` bytes aligned to `alignment`; the writer fails where one has an octet that its mask
/// forbids. One pass: what is copied is looked at on the way, what is lent (cdr::Writer::put_block()) is only looked at.
void put_masked(cdr::Writer& out, const void* values, std::size_t bytes, std::size_t alignment,
                const cdr::ElementMask& mask) noexcept;

/// C as BlockRun wants it.
template <typename C>
class BlockMasks {
 public:
  using T = typename C::value_type;

  /// Null: none.
  static const cdr::ElementMask* get() noexcept {
    static const BlockMasks masks;
    return masks.found_ ? &masks.mask_ : nullptr;
  }

 private:
  BlockMasks() noexcept {
    BlockJudge judge;
    if constexpr (C::needs_check)
      judge.clean = [](void* value) noexcept { return C::clean(static_cast<T*>(value), 1); };
    if constexpr (C::has_chars)
      judge.ascii = [](const void* value) noexcept { return C::ascii(static_cast<const T*>(value), 1); };
    T scratch;
    found_ = sizeof(T) <= cdr::ElementMask::largest && find_masks(judge, &scratch, keep_, forbid_);
  }

  std::uint8_t keep_[sizeof(T)];
  std::uint8_t forbid_[sizeof(T)];
  cdr::ElementMask mask_{sizeof(T), keep_, forbid_};
  bool found_ = false;
};

}  // namespace tenon::gen
