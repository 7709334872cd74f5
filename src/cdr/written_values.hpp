// SPDX-License-Identifier: Apache-2.0
//
// What a writer remembers of the values of its message (values.hpp). Only the writer's sources include this: its containers are costly to
// compile, and every program that includes generated code sees writer.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "cdr/values.hpp"

namespace tenon::cdr {

/// The positions of the values and repository ids of the message that is being written, and the open chunk.
struct WrittenValues {
  WrittenValues() = default;
  WrittenValues(const WrittenValues&) = delete;
  WrittenValues& operator=(const WrittenValues&) = delete;
  ~WrittenValues();

  std::unordered_map<const void*, std::size_t> values;
  std::map<std::string, std::size_t, std::less<>> ids;
  std::vector<const ValueObject*> kept;  // so that no address is used twice
  unsigned depth = 0;
  unsigned level = 0;  // of chunked values
  bool in_chunk = false;
  std::size_t chunk_place = 0;  // of its size, for Writer::patch()
  std::size_t chunk_start = 0;  // message bytes before its first octet
};

}  // namespace tenon::cdr
