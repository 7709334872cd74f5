// SPDX-License-Identifier: Apache-2.0
//
// Makes, copies, moves and destroys values of parameters in memory that many of them share, by the constants of their types.
#pragma once

#include <cstddef>
#include <cstring>

#include "mapping/cpp11/calls/parameter_type.hpp"

namespace tenon::gen {

/// The bytes that a value takes there, rounded up so that any value may follow it.
constexpr std::size_t frame_size(std::size_t size) noexcept {
  constexpr std::size_t most_aligned = alignof(std::max_align_t);
  return (size + most_aligned - 1) & ~(most_aligned - 1);
}
constexpr std::size_t frame_size(const ParameterType& type) noexcept { return frame_size(type.size); }

inline void begin_value(const ParameterType& type, void* at) {
  if (type.construct != nullptr) return type.construct(at);
  std::memset(at, 0, type.size);
}
inline void copy_value(const ParameterType& type, void* at, const void* from) {
  if (type.copy != nullptr) return type.copy(at, from);
  std::memcpy(at, from, type.size);
}
inline void move_value(const ParameterType& type, void* into, void* from) {
  if (type.move != nullptr) return type.move(into, from);
  std::memcpy(into, from, type.size);
}
inline void end_value(const ParameterType& type, void* at) noexcept {
  if (type.destroy != nullptr) type.destroy(at);
}

}  // namespace tenon::gen
