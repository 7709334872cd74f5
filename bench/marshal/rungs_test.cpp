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

INSTANTIATE_TEST_SUITE_P(Ttcp, RungsTest, testing::ValuesIn(types.begin(), types.begin() + ttcp_types),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tenon::bench
