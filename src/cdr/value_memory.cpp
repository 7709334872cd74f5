// SPDX-License-Identifier: Apache-2.0
//
// The one source of this folder that catches: std::bad_alloc, and std::length_error for more than there can be.
//
// `flatten`: a template of the standard library that is called here could be another object's, since a linker keeps one of each, and
// where tables for unwinding are left out, an exception cannot pass through that one. So each function contains all that it needs, but
// for what the standard library has compiled itself. What strings are assigned and appended by is of that kind.
#include "cdr/value_memory.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "cdr/wide.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {

namespace {

/// Null: there is no memory.
std::byte* allocate_or_null(std::size_t bytes) noexcept {
  try {
    return static_cast<std::byte*>(::operator new(bytes));  // one step less than the form that does not throw
  } catch (...) {
    return nullptr;
  }
}

/// In small code memory is not used again, which is a second way.
template <typename Value>
void fill(Value& into, std::size_t size) {
  if (!small_code && size <= into.capacity()) {
    into.assign(size, typename Value::value_type{});
  } else {
    into = Value(size, typename Value::value_type{});
  }
}

}  // namespace

bool assign(std::string& into, std::string_view text) noexcept {
  if (small_code || text.size() > into.capacity()) return assign_longer(into, text);
  try {
    into.assign(text.data(), text.size());
    return true;
  } catch (...) {
    return false;
  }
}

bool assign_longer(std::string& into, std::string_view text) noexcept {
  into.~basic_string();
  try {
    new (&into) std::string(text.data(), text.size());
    return true;
  } catch (...) {
    new (&into) std::string;
    return false;
  }
}

bool append(std::string& into, std::string_view text) noexcept {
  try {
    into.append(text.data(), text.size());
    return true;
  } catch (...) {
    return false;
  }
}

[[gnu::flatten]] bool make_room(std::string& into, std::size_t size) noexcept {
  try {
    fill(into, size);
    return true;
  } catch (...) {
    return false;
  }
}

[[gnu::flatten]] bool make_room(std::wstring& into, std::size_t size) noexcept {
  try {
    fill(into, size);
    return true;
  } catch (...) {
    return false;
  }
}

[[gnu::flatten]] bool make_room(std::vector<bool>& into, std::size_t size) noexcept {
  try {
    fill(into, size);
    return true;
  } catch (...) {
    return false;
  }
}

std::byte* take_raw_room(void* vector, std::size_t bytes) noexcept {
  std::byte* const fresh = allocate_or_null(bytes);
  if (fresh == nullptr) return nullptr;
  release(tenon::load_vector(vector));
  tenon::store_vector(vector, {fresh, fresh + bytes, fresh + bytes});
  return fresh;
}

bool append_raw(void* vector, const void* element, std::size_t bytes) noexcept {
  RawVector raw = tenon::load_vector(vector);
  const std::size_t used = raw.bytes();
  if (raw.room() - used < bytes) {
    const std::size_t room = std::max(2 * used, 4 * bytes);
    std::byte* const fresh = allocate_or_null(room);
    if (fresh == nullptr) return false;
    if (used != 0) std::memcpy(fresh, raw.begin, used);
    release(raw);
    raw.begin = fresh;
    raw.capacity = fresh + room;
  }
  if (bytes != 0) std::memcpy(raw.begin + used, element, bytes);
  raw.end = raw.begin + used + bytes;
  tenon::store_vector(vector, raw);
  return true;
}

bool reserve_raw(void* empty, std::size_t count, std::size_t size) noexcept {
  if (count == 0) return true;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) return false;
  std::byte* const room = allocate_or_null(bytes);
  if (room == nullptr) bytes = 0;
  tenon::store_vector(empty, {room, room, room + bytes});
  return room != nullptr;
}

bool assign(std::vector<std::uint8_t>& into, ByteView octets) noexcept {
  if (octets.empty()) {
    into.clear();
    return true;
  }
  std::byte* const fresh = allocate_or_null(octets.size());
  if (fresh == nullptr) return false;
  std::memcpy(fresh, octets.data(), octets.size());
  release(tenon::load_vector(&into));
  tenon::store_vector(&into, {fresh, fresh + octets.size(), fresh + octets.size()});
  return true;
}

[[gnu::flatten]] std::vector<std::uint8_t> Writer::copy() const {
  std::size_t octets = 0;  // not size(), which counts parts that have been taken
  for_each_piece([&octets](const Piece& piece) {
    octets += piece.size;
    return true;
  });
  std::vector<std::uint8_t> out(octets);
  std::uint8_t* to = out.data();
  for_each_piece([&to](const Piece& piece) {
    std::memcpy(to, piece.data, piece.size);
    to += piece.size;
    return true;
  });
  return out;
}

}  // namespace tenon::cdr
