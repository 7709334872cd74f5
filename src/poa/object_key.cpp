// SPDX-License-Identifier: Apache-2.0
//
// Writes object keys and system ids; the layout is drawn in object_key.hpp.
#include "poa/object_key.hpp"

#include <algorithm>
#include <utility>

#include "poa/octets.hpp"

namespace tenon::poa {
namespace {

template <typename T>
void put(std::uint8_t* to, T value) noexcept {
  store(to, value, key::swap);
}

}  // namespace

Octets make_transient_key(std::uint32_t poa_index, std::uint64_t stamp, ByteView id) {
  Octets made;
  if (!make_room(made, key::transient_size + id.size())) return made;
  put(made.data(), key::transient_head);
  put(made.data() + 4, poa_index);
  put(made.data() + 8, stamp);
  std::copy(id.begin(), id.end(), made.begin() + key::transient_size);
  return made;
}

Octets make_persistent_key(std::string_view path, ByteView id) {
  Octets made;
  if (!make_room(made, key::head_size + path.size() + id.size())) return made;
  put(made.data(), key::persistent_head);
  put(made.data() + 4, static_cast<std::uint32_t>(path.size()));
  const auto after = std::copy(path.begin(), path.end(), made.begin() + key::head_size);
  std::copy(id.begin(), id.end(), after);
  return made;
}

Outcome<Octets> copied(ByteView octets) noexcept {
  Octets made;
  if (!make_room(made, octets.size())) return memory::shortage();
  std::copy(octets.begin(), octets.end(), made.begin());
  return made;
}

Outcome<Octets> key_or_shortage(Octets key) noexcept {
  if (key.empty()) return memory::shortage();
  return key;
}

ObjectId make_slot_id(std::uint32_t index, std::uint32_t generation) {
  ObjectId made(8);
  write_slot_id(made.data(), index, generation);
  return made;
}

ObjectId make_loose_id(std::uint64_t serial) {
  return make_slot_id(static_cast<std::uint32_t>(serial >> 32) | key::loose_bit,
                      static_cast<std::uint32_t>(serial));
}

ObjectId make_persistent_id(std::uint64_t stamp, std::uint64_t serial) {
  ObjectId made(16);
  put(made.data(), stamp);
  put(made.data() + 8, serial);
  return made;
}

std::uint64_t hash_octets(ByteView bytes) noexcept {
  const std::uint8_t* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t hash = 0x9E3779B97F4A7C15u ^ (left * 0xFF51AFD7ED558CCDu);
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0xC4CEB9FE1A85EC53u;
    hash ^= hash >> 32;
  };
  for (; left >= 8; left -= 8, at += 8) mix(load<std::uint64_t>(at, key::swap));
  std::uint64_t tail = 0;
  for (std::size_t i = 0; i < left; ++i) tail |= static_cast<std::uint64_t>(at[i]) << (8 * i);
  mix(tail);
  mix(0x2545F4914F6CDD1Du);
  return hash;
}

}  // namespace tenon::poa
