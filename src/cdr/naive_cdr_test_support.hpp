// SPDX-License-Identifier: Apache-2.0
//
// CDR written byte by byte with shifts and remainders: slow, obvious, and sharing no line with the real
// writer. For tests only.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bytes.hpp"
#include "cdr/wire_format.hpp"

namespace tenon::cdr {

inline constexpr ByteOrder orders[] = {ByteOrder::big, ByteOrder::little};
inline WireFormat format_of(ByteOrder order) { return {.order = order}; }

class NaiveWriter {
 public:
  NaiveWriter(ByteOrder order, std::size_t phase) : order_(order), phase_(phase) {}

  void align(std::size_t alignment) {
    while ((phase_ + bytes.size()) % alignment != 0) bytes.push_back(0);
  }
  void octet(unsigned value) { bytes.push_back(static_cast<std::uint8_t>(value)); }
  void integer(std::uint64_t value, std::size_t size) {
    align(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t place = order_ == ByteOrder::big ? size - 1 - i : i;
      octet(static_cast<unsigned>(value >> (8 * place) & 0xFF));
    }
  }
  template <typename T>
  void put(T value) {
    if constexpr (std::is_same_v<T, float>) {
      integer(std::bit_cast<std::uint32_t>(value), 4);
    } else if constexpr (std::is_same_v<T, double>) {
      integer(std::bit_cast<std::uint64_t>(value), 8);
    } else {
      integer(static_cast<std::uint64_t>(value), sizeof(T));
    }
  }
  void string(std::string_view text) {
    integer(text.size() + 1, 4);
    for (const char c : text) octet(static_cast<unsigned char>(c));
    octet(0);
  }

  std::vector<std::uint8_t> bytes;

 private:
  ByteOrder order_;
  std::size_t phase_;
};

inline std::vector<std::uint8_t> owned(ByteView view) { return {view.begin(), view.end()}; }

}  // namespace tenon::cdr
