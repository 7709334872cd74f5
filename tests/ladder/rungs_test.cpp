// SPDX-License-Identifier: Apache-2.0
//
// All rungs write the same bytes and read what any of them wrote, in both byte orders; what is cut short is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "bench/marshal/coder.hpp"

namespace tenon::bench {
namespace {

constexpr ByteOrder orders[] = {ByteOrder::big, ByteOrder::little};

class RungsTest : public testing::TestWithParam<TypeName> {};

/// Written down again, element by element: a judge that shares no code with any rung.
std::vector<std::uint8_t> expected(Type type, ByteOrder order) {
  const std::vector<std::uint8_t> memory = sample_memory(type);
  const std::size_t size = size_of(type);
  const auto count = static_cast<std::uint32_t>(memory.size() / size);
  std::vector<std::uint8_t> out;
  const auto put = [&](const std::uint8_t* native, std::size_t width) {
    while (out.size() % width != 0) out.push_back(0);
    std::vector<std::uint8_t> bytes(native, native + width);
    if (order != native_order) std::reverse(bytes.begin(), bytes.end());
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  put(reinterpret_cast<const std::uint8_t*>(&count), 4);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* at = memory.data() + i * size;
    if (type == Type::binstruct) {
      put(at, 2);
      put(at + 2, 1);
      put(at + 4, 4);
      put(at + 8, 1);
      put(at + 16, 8);
    } else {
      put(at, size);
    }
  }
  return out;
}

std::vector<std::uint8_t> copy_of(ByteView bytes) { return {bytes.begin(), bytes.end()}; }

bool is_coder(const Rung& rung) { return rung.name != "memcpy"; }

TEST_P(RungsTest, AllWriteTheSameBytes) {
  for (const ByteOrder order : orders) {
    const std::vector<std::uint8_t> bytes = expected(GetParam().type, order);
    for (const Rung& rung : rungs()) {
      if (is_coder(rung)) {
        EXPECT_EQ(copy_of(rung.make(GetParam().type)->encode(order)), bytes) << rung.name;
      }
    }
  }
}

TEST_P(RungsTest, AllReadThem) {
  const std::vector<std::uint8_t> memory = sample_memory(GetParam().type);
  for (const ByteOrder order : orders) {
    const std::vector<std::uint8_t> bytes = expected(GetParam().type, order);
    for (const Rung& rung : rungs()) {
      if (!is_coder(rung)) continue;
      const std::unique_ptr<Coder> coder = rung.make(GetParam().type);
      EXPECT_EQ(coder->memory_of(bytes, order), memory) << rung.name;
      EXPECT_TRUE(coder->decode(bytes, order)) << rung.name;
      EXPECT_TRUE(coder->decode_again(bytes, order)) << rung.name;
    }
  }
}

TEST_P(RungsTest, AllRefuseWhatIsCutShort) {
  const std::vector<std::uint8_t> bytes = expected(GetParam().type, native_order);
  for (const Rung& rung : rungs()) {
    if (!is_coder(rung)) continue;
    const std::unique_ptr<Coder> coder = rung.make(GetParam().type);
    for (const std::size_t kept : {bytes.size() - 1, bytes.size() / 2, std::size_t{5}, std::size_t{3}}) {
      EXPECT_FALSE(coder->decode(ByteView(bytes).first(kept), native_order)) << rung.name << ' ' << kept;
    }
  }
}

// --- what only ours promise: a peer's octets are looked at ---

/// Where a struct begins: the first one right behind the length, in another phase than the others.
std::size_t place_of(std::size_t index) { return index == 0 ? 4 : 24 * index; }

class OursTest : public testing::TestWithParam<std::string_view> {
 protected:
  static std::unique_ptr<Coder> coder(Type type) {
    for (const Rung& rung : rungs()) {
      if (rung.name == GetParam()) return rung.make(type);
    }
    return nullptr;
  }
};

TEST_P(OursTest, PaddingOfThePeerIsZeroInMemory) {
  std::vector<std::uint8_t> bytes = expected(Type::binstruct, native_order);
  bytes[7] = bytes[13] = bytes[14] = bytes[15] = 0xEE;
  for (std::size_t at = place_of(1); at < bytes.size(); at += 24) {
    bytes[at + 3] = 0xEE;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at) + 9, 7, std::uint8_t{0xEE});
  }
  EXPECT_EQ(coder(Type::binstruct)->memory_of(bytes, native_order), sample_memory(Type::binstruct));
}

TEST_P(OursTest, CharsThatAreNoneAreRefusedWhereverTheyAre) {
  const std::vector<std::uint8_t> structs = expected(Type::binstruct, native_order);
  const std::vector<std::uint8_t> chars = expected(Type::char_, native_order);
  for (const std::size_t index :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{77}, std::size_t{2729}}) {
    std::vector<std::uint8_t> bad = structs;
    bad[place_of(index) + 2] = 0xC3;
    EXPECT_FALSE(coder(Type::binstruct)->decode(bad, native_order)) << index;
    bad = chars;
    bad[4 + index] = 0xC3;
    EXPECT_FALSE(coder(Type::char_)->decode(bad, native_order)) << index;
  }
}

TEST_P(OursTest, BooleansAreZeroOrOne) {
  const std::unique_ptr<Coder> booleans = coder(Type::boolean);
  const std::vector<std::uint8_t> good = expected(Type::boolean, native_order);
  EXPECT_EQ(copy_of(booleans->encode(native_order)), good);
  EXPECT_EQ(booleans->memory_of(good, native_order), sample_memory(Type::boolean));
  for (const std::size_t at : {std::size_t{4}, std::size_t{1000}, good.size() - 1}) {
    std::vector<std::uint8_t> bad = good;
    bad[at] |= 2;
    EXPECT_FALSE(booleans->decode(bad, native_order)) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Ours, OursTest, testing::Values("ours", "compiled"),
                         [](const auto& test) { return std::string(test.param); });

INSTANTIATE_TEST_SUITE_P(Ttcp, RungsTest, testing::ValuesIn(types.begin(), types.begin() + ttcp_types),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tenon::bench
