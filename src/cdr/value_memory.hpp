// SPDX-License-Identifier: Apache-2.0
//
// Makes room in the program's values: strings and vectors, whose memory comes from `operator new` and is the program's. The engine is
// compiled without exceptions, so these functions say whether there is memory: how long a text or a sequence is, its sender chooses.
// False or null: there is none, and what was given is as it was. Another value may be made at the same time on another thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/raw_vector.hpp"

namespace tenon::cdr {

/// Makes `into` the text, which is not a part of it. False: it may be empty then.
bool assign(std::string& into, std::string_view text) noexcept;
/// The same for a text that is longer than the memory of `into`.
bool assign_longer(std::string& into, std::string_view text) noexcept;
bool append(std::string& into, std::string_view text) noexcept;
/// `into` has `size` characters then, all 0, and what it held is lost.
bool make_room(std::string& into, std::size_t size) noexcept;
bool make_room(std::wstring& into, std::size_t size) noexcept;
/// The same with elements that are false.
bool make_room(std::vector<bool>& into, std::size_t size) noexcept;

/// make_raw_room() where the vector's memory is not enough.
std::byte* take_raw_room(void* vector, std::size_t bytes) noexcept;
/// Of a vector other than std::vector<bool> (base/raw_vector.hpp): `bytes` bytes, which the caller writes; what it held is lost. At
/// least one.
inline std::byte* make_raw_room(void* vector, std::size_t bytes) noexcept {
  RawVector raw = tenon::load_vector(vector);
  if (raw.room() < bytes) return take_raw_room(vector, bytes);
  raw.end = raw.begin + bytes;
  tenon::store_vector(vector, raw);
  return raw.begin;
}
/// Appends an element of so many bytes.
bool append_raw(void* vector, const void* element, std::size_t bytes) noexcept;

/// As reserve(); what memory the vector has would be lost.
bool reserve_raw(void* empty, std::size_t count, std::size_t size) noexcept;

template <typename T>
concept PlainElement = std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool> &&
                       alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;

/// `count` elements, at least one, which the caller writes; what it held is lost.
template <PlainElement T>
T* make_room(std::vector<T>& into, std::size_t count) noexcept {
  return reinterpret_cast<T*>(make_raw_room(&into, count * sizeof(T)));
}
template <PlainElement T>
bool append(std::vector<T>& into, const T& element) noexcept {
  return append_raw(&into, static_cast<const void*>(&element), sizeof(T));
}

/// Room for `count` elements of any type, which emplace() adds; what the vector held is lost.
template <typename T>
bool reserve(std::vector<T>& empty, std::size_t count) noexcept {
  if (empty.capacity() != 0) [[unlikely]]
    std::vector<T>().swap(empty);
  return reserve_raw(&empty, count, sizeof(T));
}
/// Adds an element for which there is room.
template <typename T, typename... From>
T& emplace(std::vector<T>& reserved, From&&... from) noexcept {
  std::byte* const end = tenon::load_vector(&reserved).end;
  T* const element = new (end) T(std::forward<From>(from)...);
  tenon::store_end(&reserved, end + sizeof(T));
  return *element;
}

/// Makes `into` the octets, for which it gets other memory than it has.
bool assign(std::vector<std::uint8_t>& into, ByteView octets) noexcept;

}  // namespace tenon::cdr
