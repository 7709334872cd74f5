// SPDX-License-Identifier: Apache-2.0
//
// Elements that are used where a message has them: of each type, in both byte orders, at every address, in fragments; and what is not used
// there, which must be left to be read.
#include "cdr/view.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "base/minor_codes.hpp"
#include "cdr/compatibility.hpp"
#include "cdr/naive_cdr_test_support.hpp"

namespace tenon::cdr {
namespace {

template <typename T>
T nth(std::size_t i) {
  if constexpr (std::is_same_v<T, bool>) {
    return i % 3 == 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(i) / T{3};
  } else {
    return static_cast<T>((i * 0x0102030405060709 + 5) & (std::is_same_v<T, char> ? 0x7F : ~std::uint64_t{}));
  }
}

/// Octets at an address of which `shift` says how far it is beyond a multiple of 16.
class At {
 public:
  At(const std::vector<std::uint8_t>& octets, std::size_t shift) : memory_(octets.size() + 32) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
    std::uint8_t* const at = memory_.data() + padding_to(begin, 16) + shift;
    std::memcpy(at, octets.data(), octets.size());
    view = {at, octets.size()};
  }
  bool has(const void* address) const {
    return address >= view.data() && address < static_cast<const void*>(view.data() + view.size());
  }
  ByteView view;

 private:
  std::vector<std::uint8_t> memory_;
};

template <typename T>
class Views : public testing::Test {};
using Elements = testing::Types<bool, char, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(Views, Elements);

TYPED_TEST(Views, OfWhatIsMemoryAndOfNothingElse) {
  using T = TypeParam;
  constexpr std::size_t count = 21;
  for (const ByteOrder order : orders) {
    for (std::size_t shift = 0; shift < 16; ++shift) {
      for (std::size_t before = 0; before < 9; ++before) {
        SCOPED_TRACE(testing::Message() << "shift " << shift << ", octets before " << before);
        NaiveWriter naive(order, 0);
        for (std::size_t i = 0; i < before; ++i) naive.octet(0xEE);
        naive.align(sizeof(T));
        const std::size_t first = naive.bytes.size();
        for (std::size_t i = 0; i < count; ++i) naive.put(nth<T>(i));
        naive.put(std::uint8_t{0x5A});
        const At message(naive.bytes, shift);
        Reader in(message.view, format_of(order));
        in.get_octets(before);
        const T* const elements = view<T>(in, count);
        const bool usable = sizeof(T) == 1 || (order == native_order && shift % sizeof(T) == 0);
        ASSERT_EQ(elements != nullptr, usable);
        if (!usable) {
          EXPECT_EQ(in.position(), before);
          T one[count];
          if constexpr (!std::is_same_v<T, bool>) in.get_array(one, count);
          EXPECT_EQ(one[count - 1], nth<T>(count - 1));
        } else {
          EXPECT_EQ(static_cast<const void*>(elements), message.view.data() + first);
          for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(elements[i], nth<T>(i)) << i;
        }
        EXPECT_EQ(in.get<std::uint8_t>(), 0x5A);
        EXPECT_EQ(in.error(), Error{});
      }
    }
  }
}

TYPED_TEST(Views, NeverBeyondTheMessage) {
  using T = TypeParam;
  const At message(std::vector<std::uint8_t>(5 * sizeof(T) + 3), 8);
  for (const std::size_t count : {std::size_t{0}, std::size_t{5 * sizeof(T) + 4}, std::size_t{0xFFFFFFFF},
                                  SIZE_MAX, SIZE_MAX / sizeof(T), SIZE_MAX / sizeof(T) + 1}) {
    Reader in(message.view, {});
    EXPECT_EQ(view<T>(in, count), nullptr) << count;
    EXPECT_EQ(in.position(), 0u);
    EXPECT_TRUE(in.good());
  }
  // the octets would be enough, if no padding stood before them
  if constexpr (sizeof(T) > 1) {
    Reader in(message.view.first(5 * sizeof(T)), {});
    in.get<std::uint8_t>();
    EXPECT_EQ(view<T>(in, 4), reinterpret_cast<const T*>(message.view.data() + sizeof(T)));
    Reader short_one(message.view.first(5 * sizeof(T) - 1), {});
    short_one.get<std::uint8_t>();
    EXPECT_EQ(view<T>(short_one, 4), nullptr);
    EXPECT_EQ(short_one.position(), 1u);
  }
  Reader failed(message.view, {});
  failed.fail(errors::out_of_data);
  EXPECT_EQ(view<T>(failed, 1), nullptr);
}

TEST(ViewsOfFragments, OctetsAlwaysAndNumbersNever) {
  // Two fragments of GIOP 1.1; alignment restarts in the second one, at a phase of 4.
  std::vector<std::uint8_t> octets(24);
  for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = static_cast<std::uint8_t>(i);
  const At message(octets, 0);
  const std::array<Restart, 1> restarts{{{8, 4}}};
  Reader in(message.view, {.giop_minor = 1}, 0, restarts);
  EXPECT_EQ(view<std::uint32_t>(in, 2), nullptr);
  EXPECT_EQ(in.position(), 0u);
  EXPECT_EQ(view<std::uint8_t>(in, 20), message.view.data());
  EXPECT_EQ(in.position(), 20u);
  // behind the last restart it is a message like any other
  EXPECT_EQ(view<std::uint32_t>(in, 1), reinterpret_cast<const std::uint32_t*>(message.view.data() + 20));
}

TEST(ViewsOfCharacters, AreThoseThatNeedNoConversion) {
  const At message({'a', 'b', 0xE9, 'c'}, 1);
  const NativeCodeSets latin{CodeSet::iso8859_1, CodeSet::utf16};
  Reader same(message.view, {.chars = CodeSet::iso8859_1, .native = latin});
  EXPECT_EQ(static_cast<const void*>(view<char>(same, 4)), message.view.data());
  Reader other(message.view, {.chars = CodeSet::utf8});
  EXPECT_EQ(view<char>(other, 4), nullptr);
  EXPECT_EQ(static_cast<const void*>(view<char>(other, 2)), message.view.data());
}

TEST(ViewsOfBooleans, AreZeroOrOne) {
  const At message({0, 1, 2, 1}, 1);
  Reader in(message.view, {});
  EXPECT_EQ(view<bool>(in, 4), nullptr);
  EXPECT_EQ(in.position(), 0u);
  std::vector<std::uint8_t> copy;
  EXPECT_EQ(copy_booleans(in, 4, copy), nullptr);
  EXPECT_EQ(in.error(), errors::bad_boolean);

  Reader lax(message.view, {});
  compatibility().any_octet_is_boolean = true;
  const bool* const read = copy_booleans(lax, 4, copy);
  compatibility().any_octet_is_boolean = false;
  ASSERT_NE(read, nullptr);
  EXPECT_FALSE(message.has(read));
  EXPECT_TRUE(!read[0] && read[1] && read[2] && read[3]);

  Reader short_one(message.view, {});
  EXPECT_EQ(copy_booleans(short_one, 5, copy), nullptr);
  EXPECT_EQ(short_one.error(), errors::out_of_data);
}

}  // namespace
}  // namespace tenon::cdr
