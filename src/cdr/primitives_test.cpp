// SPDX-License-Identifier: Apache-2.0
//
// Every primitive at every phase, after every offset, in both orders: writer and reader against the naive
// writer.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/minor_codes.hpp"
#include "cdr/naive_cdr_test_support.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

template <typename T>
class Primitive : public testing::Test {};

using Primitives =
    testing::Types<bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                   unsigned long, long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(Primitive, Primitives);

template <typename T>
std::vector<T> samples() {
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_same_v<T, char>) {
    return {'\0', 'A', '\x7f'};
  } else {
    return {T{0},
            T{1},
            T{77},
            std::numeric_limits<T>::min(),
            std::numeric_limits<T>::max(),
            std::numeric_limits<T>::lowest()};
  }
}

TYPED_TEST(Primitive, AtEveryPlaceInBothOrders) {
  for (const ByteOrder order : orders) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      for (std::size_t before = 0; before < 9; ++before) {
        for (const TypeParam value : samples<TypeParam>()) {
          Writer writer(format_of(order), phase);
          NaiveWriter naive(order, phase);
          for (std::size_t i = 0; i < before; ++i) {
            writer.put(static_cast<std::uint8_t>(0xEE));
            naive.octet(0xEE);
          }
          writer.put(value);
          naive.put(value);
          writer.put(std::uint8_t{0x99});
          naive.octet(0x99);
          ASSERT_TRUE(writer.good());
          ASSERT_EQ(writer.size(), naive.bytes.size());
          ASSERT_EQ(owned(writer.bytes()), naive.bytes) << "phase " << phase << " before " << before;

          // At an odd address, so that nothing relies on where the bytes lie.
          std::vector<std::uint8_t> shifted(1, 0);
          shifted.insert(shifted.end(), naive.bytes.begin(), naive.bytes.end());
          Reader reader(ByteView(shifted).subspan(1), format_of(order), phase);
          reader.get_octets(before);
          ASSERT_EQ(reader.get<TypeParam>(), value);
          ASSERT_EQ(reader.get<std::uint8_t>(), 0x99);
          ASSERT_EQ(reader.remaining(), 0u);
          ASSERT_TRUE(reader.good());
        }
      }
    }
  }
}

TYPED_TEST(Primitive, EndsAreNeverPassed) {
  for (const ByteOrder order : orders) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      NaiveWriter naive(order, phase);
      naive.put(TypeParam{1});
      for (std::size_t length = 0; length < naive.bytes.size(); ++length) {
        // The exact size on the heap lets the sanitizers see one byte too many.
        const std::vector<std::uint8_t> cut(naive.bytes.begin(),
                                            naive.bytes.begin() + static_cast<std::ptrdiff_t>(length));
        Reader reader(cut, format_of(order), phase);
        EXPECT_EQ(reader.get<TypeParam>(), TypeParam{});
        EXPECT_EQ(reader.error(), errors::out_of_data);
        EXPECT_EQ(reader.remaining(), 0u);
      }
    }
  }
}

TEST(Writer, RandomProgramsGrowAcrossManyBuffers) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const ByteOrder order = orders[random() % 2];
    const std::size_t phase = random() % 8;
    Writer writer(format_of(order), phase);
    NaiveWriter naive(order, phase);
    for (int i = 0; i < 20'000; ++i) {
      const auto value = static_cast<std::uint32_t>(random());
      switch (random() % 5) {
        case 0:
          writer.put(static_cast<std::uint8_t>(value));
          naive.put(static_cast<std::uint8_t>(value));
          break;
        case 1:
          writer.put(static_cast<std::int16_t>(value));
          naive.put(static_cast<std::int16_t>(value));
          break;
        case 2:
          writer.put(value);
          naive.put(value);
          break;
        case 3:
          writer.put(static_cast<double>(value));
          naive.put(static_cast<double>(value));
          break;
        default:
          writer.put_string("abcdefghijkl");
          naive.string("abcdefghijkl");
          break;
      }
    }
    ASSERT_EQ(writer.size(), naive.bytes.size());
    ASSERT_EQ(owned(writer.bytes()), naive.bytes);
  }
}

TEST(Writer, ALimitIsExact) {
  for (const std::size_t limit : {0u, 1u, 7u, 8u, 9u, 100u, 8'000u, 8'160u, 8'191u, 20'000u}) {
    for (std::size_t size : {1u, 2u, 4u, 8u}) {
      Writer writer;
      writer.set_limit(limit);
      std::size_t written = 0;
      while (writer.good()) {
        switch (size) {
          case 1: writer.put(std::uint8_t{1}); break;
          case 2: writer.put(std::uint16_t{1}); break;
          case 4: writer.put(std::uint32_t{1}); break;
          default: writer.put(std::uint64_t{1}); break;
        }
        if (writer.good()) written = writer.size();
      }
      EXPECT_EQ(writer.error(), errors::message_above_limit);
      EXPECT_EQ(written, limit / size * size) << limit << ' ' << size;
    }
    Writer writer;
    writer.set_limit(limit);
    const std::vector<std::uint8_t> exact(limit);
    writer.put_octets(exact);
    EXPECT_TRUE(writer.good());
    writer.put(std::uint8_t{1});
    EXPECT_EQ(writer.error(), errors::message_above_limit);
  }
}

TEST(Writer, MemoryThatCannotBeHad) {
  Writer writer;
  writer.set_limit(SIZE_MAX);
  writer.put(1);
  EXPECT_EQ(writer.claim(SIZE_MAX / 2 - 8), nullptr);  // with the slack too much for any machine
  EXPECT_EQ(writer.error(), errors::out_of_memory);
  writer.reset({}, 0, SIZE_MAX / 4);  // a hint only
  EXPECT_EQ(writer.claim(SIZE_MAX - 100), nullptr);
  EXPECT_EQ(writer.error(), errors::message_above_limit);
  writer.reset({});
  writer.put(std::uint8_t{1});
  EXPECT_EQ(writer.size(), 1u);
  EXPECT_TRUE(writer.good());
}

TEST(Writer, AfterAnErrorEverythingIsSwallowed) {
  for (const bool with_buffer : {false, true}) {
    Writer writer;
    if (with_buffer) writer.put(1);
    writer.fail(errors::out_of_memory);
    writer.fail(errors::message_above_limit);
    EXPECT_EQ(writer.error(), errors::out_of_memory);
    const std::size_t place = writer.reserve_ulong();
    for (int i = 0; i < 10'000; ++i) writer.put(3.5);
    writer.put_string(std::string(100'000, 'x'));
    writer.put_octets(std::vector<std::uint8_t>(100'000));
    EXPECT_EQ(writer.claim(100'000), nullptr);
    EXPECT_EQ(writer.claim(1), nullptr);
    writer.align(8);
    writer.patch(place, 7);
    *writer.owned_at(8) = 1;
    Writer moved = std::move(writer);
    moved.put(1);
    EXPECT_EQ(moved.error(), errors::out_of_memory);
    moved.reset({}, 3);
    moved.put(std::uint8_t{5});
    EXPECT_EQ(owned(moved.bytes()), std::vector<std::uint8_t>{5});
    writer.put(std::uint8_t{6});  // NOLINT(bugprone-use-after-move): what was moved from can be used again
    EXPECT_EQ(owned(writer.bytes()), std::vector<std::uint8_t>{6});
  }
}

TEST(Writer, ResetKeepsTheBufferAndHonoursThePhase) {
  Writer writer;
  writer.put_octets(std::vector<std::uint8_t>(50'000, 1));
  writer.reset(format_of(ByteOrder::big), 3, 100'000);
  EXPECT_EQ(writer.size(), 0u);
  writer.put(std::uint32_t{0x01020304});
  EXPECT_EQ(owned(writer.bytes()), (std::vector<std::uint8_t>{0, 1, 2, 3, 4}));
  writer.reset(format_of(ByteOrder::little));
  EXPECT_TRUE(writer.bytes().empty());
  writer.put(std::uint32_t{0x01020304});
  EXPECT_EQ(owned(writer.bytes()), (std::vector<std::uint8_t>{4, 3, 2, 1}));
}

TEST(Writer, PatchesAreAlignedAndInOrder) {
  Writer writer(format_of(ByteOrder::big));
  writer.put(std::uint8_t{9});
  const std::size_t place = writer.reserve_ulong();
  writer.put_octets(std::vector<std::uint8_t>(20'000, 7));
  writer.patch(place, 0xAABBCCDD);
  const std::vector<std::uint8_t> bytes = owned(writer.bytes());
  EXPECT_EQ(std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + 9),
            (std::vector<std::uint8_t>{9, 0, 0, 0, 0xAA, 0xBB, 0xCC, 0xDD, 7}));
}

TEST(Writer, MovesItsMessage) {
  Writer writer(format_of(ByteOrder::big), 2);
  writer.put(std::uint16_t{0x1234});
  Writer moved(std::move(writer));
  moved.put(std::uint32_t{5});
  EXPECT_EQ(owned(moved.bytes()), (std::vector<std::uint8_t>{0x12, 0x34, 0, 0, 0, 5}));
}

TEST(Reader, TheFirstErrorStays) {
  const std::uint8_t bytes[] = {2, 1, 0, 0, 0, 0};
  Reader reader(bytes, {});
  EXPECT_FALSE(reader.get_boolean());
  EXPECT_EQ(reader.error(), errors::bad_boolean);
  EXPECT_EQ(reader.get<std::uint32_t>(), 0u);
  EXPECT_EQ(reader.get_char(), 0);
  EXPECT_TRUE(reader.get_octets(1).empty());
  std::string text = "old";
  reader.get_string(text);
  EXPECT_TRUE(text.empty());
  std::vector<double> values(3, 1.0);
  reader.get_vector(values, 3);
  EXPECT_TRUE(values.empty());
  EXPECT_EQ(reader.error(), errors::bad_boolean);
}

TEST(Reader, AnEmptyReaderIsSafe) {
  Reader reader;
  EXPECT_EQ(reader.remaining(), 0u);
  EXPECT_TRUE(reader.get_octets(0).empty());
  EXPECT_TRUE(reader.good());
  EXPECT_EQ(reader.get<std::uint8_t>(), 0);
  EXPECT_EQ(reader.error(), errors::out_of_data);
  EXPECT_EQ(Reader::encapsulation({}).error(), errors::out_of_data);
}

TEST(Reader, Lengths) {
  const auto read = [](std::uint32_t stated, std::size_t follow, std::size_t smallest, std::size_t bound) {
    NaiveWriter naive(native_order, 0);
    naive.put(stated);
    naive.bytes.resize(4 + follow);
    Reader reader(naive.bytes, {});
    const std::size_t length = reader.get_length(smallest, bound);
    return std::pair(length, reader.error());
  };
  EXPECT_EQ(read(10, 40, 4, 0), std::pair(std::size_t{10}, Error{}));
  EXPECT_EQ(read(10, 39, 4, 0), std::pair(std::size_t{0}, errors::length_beyond_data));
  EXPECT_EQ(read(10, 40, 4, 10), std::pair(std::size_t{10}, Error{}));
  EXPECT_EQ(read(11, 44, 4, 10), std::pair(std::size_t{0}, errors::length_above_bound));
  EXPECT_EQ(read(0xFFFFFFFF, 100, 1, 0), std::pair(std::size_t{0}, errors::length_beyond_data));
  EXPECT_EQ(read(1034, 10, 0, 0), std::pair(std::size_t{1034}, Error{}));
  EXPECT_EQ(read(1035, 10, 0, 0), std::pair(std::size_t{0}, errors::length_beyond_data));
}

TEST(Reader, NestingHasAnEnd) {
  Reader reader;
  for (unsigned i = 0; i < Reader::deepest; ++i) ASSERT_TRUE(reader.enter());
  EXPECT_FALSE(reader.enter());
  EXPECT_EQ(reader.error(), errors::nested_too_deep);
}

TEST(Encapsulation, AlignsFromItsOwnStartInItsOwnOrder) {
  for (const ByteOrder inner : orders) {
    for (const ByteOrder outer : orders) {
      for (std::size_t phase = 0; phase < 8; ++phase) {
        Encapsulation capsule(format_of(inner));
        capsule.content().put(std::uint64_t{0x0102030405060708});
        capsule.content().put_raw_string("x");
        Writer writer(format_of(outer), phase);
        writer.allow_lending(true);
        capsule.put_into(writer);

        NaiveWriter content(inner, 0);
        content.octet(inner == ByteOrder::little ? 1 : 0);
        content.put(std::uint64_t{0x0102030405060708});
        content.string("x");
        NaiveWriter naive(outer, phase);
        naive.put(static_cast<std::uint32_t>(content.bytes.size()));
        for (const std::uint8_t byte : content.bytes) naive.octet(byte);
        ASSERT_EQ(owned(writer.bytes()), naive.bytes);

        Reader reader(naive.bytes, format_of(outer), phase);
        Reader nested = Reader::encapsulation(reader.get_octet_sequence());
        EXPECT_EQ(nested.get<std::uint64_t>(), 0x0102030405060708u);
        EXPECT_EQ(nested.get_raw_string(), "x");
        EXPECT_TRUE(nested.good());
        EXPECT_EQ(nested.remaining(), 0u);
      }
    }
  }
  const std::uint8_t bad[] = {2, 0, 0, 0};
  EXPECT_EQ(Reader::encapsulation(bad).error(), errors::bad_encapsulation);
}

}  // namespace
}  // namespace tenon::cdr
