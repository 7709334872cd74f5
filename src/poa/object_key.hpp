// SPDX-License-Identifier: Apache-2.0
//
// The object keys that this adapter puts into references and reads from requests.
//
//   octet   0    1    2         3         4 .. 7      8 .. 15    16 ..
//         +----+----+---------+---------+-----------+----------+-------------+
//         | 'T'| 'n'| version | flags   | POA index | stamp    | object id   |   transient
//         +----+----+---------+---------+-----------+----------+-------------+
//         | 'T'| 'n'| version | flags   | path size | path ...  | object id   |   persistent
//         +----+----+---------+---------+-----------+-----------+-------------+
//
//   version    1
//   flags      bit 0: persistent; the others are 0
//   POA index  place in the ORB's table of POAs
//   stamp      which POA of which process is meant: incarnation of the ORB (40 bits, random) << 24 | serial number of the POA
//   path       names of the POAs below the root, each followed by NUL: "shop\0counter\0"; the root's own path is empty
//   object id  the rest. A system id of a transient POA is 8 octets: slot index, slot generation (see below)
//
// Numbers are little-endian on every machine, so that a persistent key means the same after a move to another one.
// A transient key is worth nothing after the process has ended: no later POA has its stamp. A persistent key has no stamp, so it
// stays good as long as a server listens there.
//
//   system id, transient   0 .. 3 slot index         4 .. 7 generation      handed out by activation: found without a search
//                          0 .. 3 serial | 0x80000000     4 .. 7 serial      handed out for references without a servant
//   system id, persistent  0 .. 7 stamp of the POA    8 .. 15 serial          unlike any of an earlier process
//
// Keys come from peers: reading checks every length and is O(1) plus the path.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace tenon::poa {

using Octets = std::vector<std::uint8_t>;
/// PortableServer::ObjectId, as octets.
using ObjectId = Octets;

namespace key {

inline constexpr std::size_t head_size = 8;
inline constexpr std::size_t transient_size = 16;  ///< without the object id
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint32_t transient_head = 'T' | 'n' << 8 | version << 16;
inline constexpr std::uint32_t persistent_head = transient_head | 1u << 24;
inline constexpr std::uint32_t loose_bit = 0x80000000;
inline constexpr unsigned serial_bits = 24;

inline constexpr bool swap = native_order == ByteOrder::big;

inline std::uint32_t head(ByteView key) noexcept { return load<std::uint32_t>(key.data(), swap); }
inline std::uint32_t poa_index(ByteView key) noexcept { return load<std::uint32_t>(key.data() + 4, swap); }
inline std::uint64_t stamp(ByteView key) noexcept { return load<std::uint64_t>(key.data() + 8, swap); }

}  // namespace key

/// The parts of a key, as views into it.
struct ObjectKey {
  bool persistent = false;
  std::uint32_t poa_index = 0;
  std::uint64_t stamp = 0;
  std::string_view path;
  ByteView id;
};

/// False: not one of our keys.
inline bool read_key(ByteView bytes, ObjectKey& into) noexcept {
  if (bytes.size() < key::head_size) return false;
  const std::uint32_t head = key::head(bytes);
  if (head == key::transient_head) {
    if (bytes.size() < key::transient_size) return false;
    into = {false, key::poa_index(bytes), key::stamp(bytes), {}, bytes.subspan(key::transient_size)};
    return true;
  }
  if (head != key::persistent_head) return false;
  const std::size_t path = key::poa_index(bytes);
  if (path > bytes.size() - key::head_size) return false;
  into = {true,
          0,
          0,
          {reinterpret_cast<const char*>(bytes.data()) + key::head_size, path},
          bytes.subspan(key::head_size + path)};
  return true;
}

/// Empty, as the next one's result: there is no memory for it.
Octets make_transient_key(std::uint32_t poa_index, std::uint64_t stamp, ByteView id);
Octets make_persistent_key(std::string_view path, ByteView id);

/// Takes a system id of a transient POA apart. False: its size is wrong.
inline bool read_slot_id(ByteView id, std::uint32_t& index, std::uint32_t& generation) noexcept {
  if (id.size() != 8) return false;
  index = load<std::uint32_t>(id.data(), key::swap);
  generation = load<std::uint32_t>(id.data() + 4, key::swap);
  return true;
}
inline void write_slot_id(std::uint8_t* into, std::uint32_t index, std::uint32_t generation) noexcept {
  store(into, index, key::swap);
  store(into + 4, generation, key::swap);
}
ObjectId make_slot_id(std::uint32_t index, std::uint32_t generation);
/// A system id that has no slot.
ObjectId make_loose_id(std::uint64_t serial);
ObjectId make_persistent_id(std::uint64_t stamp, std::uint64_t serial);

/// A hash for tables whose entries are found by a path or an id.
std::uint64_t hash_octets(ByteView bytes) noexcept;
inline ByteView bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
inline std::uint64_t hash_text(std::string_view text) noexcept { return hash_octets(bytes_of(text)); }

}  // namespace tenon::poa
