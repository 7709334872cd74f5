// SPDX-License-Identifier: Apache-2.0
//
// What the rungs 0 to 4 have in common: values are memory without a C++ type, sequences are C structs as in the first mappings.
// An Engine is made from the octets of a TypeCode and has
//
//   bool encode(const RawSequence&, std::span<std::uint8_t> into, bool swap, std::size_t& written)
//   bool decode(ByteView, bool swap, RawSequence&)      void release(RawSequence&)
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>

#include "coder.hpp"

namespace tenon::bench {

/// A sequence in memory: of any element type.
struct RawSequence {
  std::uint32_t maximum = 0;
  std::uint32_t length = 0;
  std::uint8_t* buffer = nullptr;  ///< of malloc
};

/// Zeroed, so that a value which is freed half read has no pointers into nowhere.
inline bool allocate(RawSequence& sequence, std::uint32_t count, std::size_t size) {
  sequence.maximum = sequence.length = count;
  sequence.buffer = static_cast<std::uint8_t*>(std::calloc(count, size));
  if (sequence.buffer == nullptr) sequence.length = 0;
  return sequence.buffer != nullptr || count == 0;
}

template <typename Engine>
class RawCoder final : public Coder {
 public:
  explicit RawCoder(Type type)
      : size_(size_of(type)),
        octets_(sequence_typecode(type)),
        engine_(octets_),
        memory_(sample_memory(type)) {
    sample_.buffer = memory_.data();
    sample_.length = sample_.maximum = static_cast<std::uint32_t>(memory_.size() / size_);
    out_.resize(2 * memory_.size() + 64);
  }

  ByteView encode(ByteOrder order) override {
    std::size_t written = 0;
    if (!engine_.encode(sample_, out_, order != native_order, written)) return {};
    return {out_.data(), written};
  }
  bool decode(ByteView bytes, ByteOrder order) override {
    RawSequence value;
    const bool good = engine_.decode(bytes, order != native_order, value);
    engine_.release(value);
    return good;
  }
  std::vector<std::uint8_t> memory_of(ByteView bytes, ByteOrder order) override {
    RawSequence value;
    std::vector<std::uint8_t> memory;
    if (engine_.decode(bytes, order != native_order, value)) {
      memory.assign(value.buffer, value.buffer + value.length * size_);
    }
    engine_.release(value);
    return memory;
  }

 private:
  std::size_t size_;
  std::vector<std::uint8_t> octets_;
  Engine engine_;
  std::vector<std::uint8_t> memory_;
  RawSequence sample_;
  std::vector<std::uint8_t> out_;
};

}  // namespace tenon::bench
