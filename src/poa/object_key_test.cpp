// SPDX-License-Identifier: Apache-2.0
//
// Object keys against bytes written by hand: what is in references of persistent objects must never change.
#include "poa/object_key.hpp"

#include <gtest/gtest.h>

#include "poa/id_table.hpp"

namespace tenon::poa {
namespace {

TEST(ObjectKey, TransientLayout) {
  const Octets id = make_slot_id(0x01020304, 0x05060708);
  const Octets key = make_transient_key(0x0A0B0C0D, 0x1112131415161718, id);
  const Octets expected = {'T',  'n',  1,    0,                              // magic, version, transient
                           0x0D, 0x0C, 0x0B, 0x0A,                           // POA index
                           0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11,   // stamp
                           0x04, 0x03, 0x02, 0x01, 0x08, 0x07, 0x06, 0x05};  // slot index, generation
  EXPECT_EQ(key, expected);
  ObjectKey parts;
  ASSERT_TRUE(read_key(key, parts));
  EXPECT_FALSE(parts.persistent);
  EXPECT_EQ(parts.poa_index, 0x0A0B0C0Du);
  EXPECT_EQ(parts.stamp, 0x1112131415161718u);
  EXPECT_EQ(Octets(parts.id.begin(), parts.id.end()), id);
}

TEST(ObjectKey, PersistentLayout) {
  const Octets id = {'t', 'i', 'l', 'l'};
  const std::string path("shop\0desk\0", 10);
  const Octets key = make_persistent_key(path, id);
  const Octets expected = {'T', 'n', 1,   1,   10,  0,   0, 0,   's', 'h', 'o',
                           'p', 0,   'd', 'e', 's', 'k', 0, 't', 'i', 'l', 'l'};
  EXPECT_EQ(key, expected);
  ObjectKey parts;
  ASSERT_TRUE(read_key(key, parts));
  EXPECT_TRUE(parts.persistent);
  EXPECT_EQ(parts.path, path);
  EXPECT_EQ(Octets(parts.id.begin(), parts.id.end()), id);
}

TEST(ObjectKey, RefusesWhatIsNotOurs) {
  ObjectKey parts;
  const Octets good = make_transient_key(1, 2, make_slot_id(3, 4));
  for (std::size_t size = 0; size < key::transient_size; ++size) {
    EXPECT_FALSE(read_key(ByteView(good).first(size), parts)) << size;
  }
  for (std::size_t bit = 0; bit < 32; ++bit) {
    if (bit == 24) continue;  // makes it a persistent key
    Octets bad = good;
    bad[bit / 8] = static_cast<std::uint8_t>(bad[bit / 8] ^ (1u << (bit % 8)));
    EXPECT_FALSE(read_key(bad, parts)) << bit;
  }
  Octets path_beyond_end = make_persistent_key("a", {});
  path_beyond_end[4] = 2;
  EXPECT_FALSE(read_key(path_beyond_end, parts));
  path_beyond_end[7] = 0xFF;
  EXPECT_FALSE(read_key(path_beyond_end, parts));
}

TEST(IdTable, AgainstAMap) {
  IdTable table;
  IdTable::Pool pool;
  // Few different hashes, so that cells collide.
  const auto hash = [](std::uint32_t i) { return std::uint64_t{i % 97} << 32; };
  std::vector<bool> there(2000);
  std::uint32_t state = 1;
  for (int step = 0; step < 20000; ++step) {
    state = state * 1664525 + 1013904223;
    const std::uint32_t i = (state >> 8) % 2000;
    if (there[i]) {
      table.erase(hash(i), i);
    } else {
      ASSERT_TRUE(table.reserve_one(pool));
      table.insert(hash(i), i);
    }
    there[i] = !there[i];
  }
  for (std::uint32_t i = 0; i < 2000; ++i) {
    EXPECT_EQ(table.find(hash(i), [&](std::uint32_t found) { return found == i; }), there[i]) << i;
  }
  table.give_back(pool);
  EXPECT_FALSE(table.find(hash(1), [](std::uint32_t) { return true; }));
}

}  // namespace
}  // namespace tenon::poa
