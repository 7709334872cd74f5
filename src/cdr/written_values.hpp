// SPDX-License-Identifier: Apache-2.0
//
// What a writer remembers of the values of its message (values.hpp). Only the writer's sources include this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cdr/values.hpp"

namespace tenon::cdr {

/// Positions by keys, which are octets and are copied.
class Positions {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t find(std::string_view key) const noexcept;
  /// A key that is there keeps its position. False: there is no memory.
  bool add(std::string_view key, std::size_t position) noexcept;
  bool empty() const noexcept { return entries_.empty(); }

 private:
  struct Entry {
    std::size_t at;  // of the key in keys_
    std::size_t size;
    std::size_t position;
  };
  std::size_t place_of(std::string_view key) const noexcept;
  bool make_places() noexcept;

  std::vector<Entry> entries_;
  std::vector<char> keys_;
  // An entry's number and 1 more, or 0; a key is looked for from its hash on, as far as the next 0. A power of two, of which half is 0.
  std::vector<std::uint32_t> places_;
};

/// The positions of the values and repository ids of the message that is being written, and the open chunk.
struct WrittenValues {
  WrittenValues() = default;
  WrittenValues(const WrittenValues&) = delete;
  WrittenValues& operator=(const WrittenValues&) = delete;
  ~WrittenValues();

  Positions values;
  Positions ids;
  std::vector<const ValueObject*> kept;  // so that no address is used twice
  unsigned depth = 0;
  unsigned level = 0;  // of chunked values
  bool in_chunk = false;
  std::size_t chunk_place = 0;  // of its size, for Writer::patch()
  std::size_t chunk_start = 0;  // message bytes before its first octet
};

}  // namespace tenon::cdr
