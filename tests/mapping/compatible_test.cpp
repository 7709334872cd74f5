// SPDX-License-Identifier: Apache-2.0
//
// Booleans of peers that send any octet for true (docs/compatibility.md), in structs that are read whole and in runs of them; over
// compiled and over interpreted codecs.
#include <gtest/gtest.h>

#include "cdr/compatibility.hpp"
#include "features_skel.hpp"

namespace {

namespace f = Features;
namespace gen = tenon::gen;
using tenon::ByteOrder;
using tenon::cdr::Reader;
using tenon::cdr::WireFormat;
using tenon::cdr::Writer;

template <typename C>
std::vector<std::uint8_t> bytes_of(const typename C::value_type& value, const WireFormat& format) {
  Writer out(format);
  C::put(out, value);
  EXPECT_TRUE(out.good());
  return out.copy();
}

template <typename C>
bool read_back(typename C::value_type& into, const std::vector<std::uint8_t>& bytes,
               const WireFormat& format) {
  Reader in(bytes, format);
  C::get(in, into);
  return in.good();
}

TEST(Compatible, BooleansOfAnyOctetWhereToldSo) {
  using One = gen::Codec<f::Flags>;
  using Several = gen::Sequence<One>;
  // How a Flags lies in a message: the enum, b, more[3], letters[2][2].
  constexpr std::size_t element = 12;
  constexpr std::size_t place_of_b = 4;
  f::Flags flags;
  flags.b(true);
  const f::FlagsSeq values(5, flags);
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    WireFormat format;
    format.order = order;
    auto alone = bytes_of<One>(flags, format);
    auto run = bytes_of<Several>(values, format);
    ASSERT_EQ(alone[place_of_b], 1);
    alone[place_of_b] = 255;
    for (std::size_t i = 0; i < values.size(); ++i) run[4 + i * element + place_of_b] = 77;
    f::Flags one;
    f::FlagsSeq several;
    EXPECT_FALSE(read_back<One>(one, alone, format));
    EXPECT_FALSE(read_back<Several>(several, run, format));
    tenon::cdr::compatibility().any_octet_is_boolean = true;
    EXPECT_TRUE(read_back<One>(one, alone, format));
    EXPECT_TRUE(read_back<Several>(several, run, format));
    tenon::cdr::compatibility().any_octet_is_boolean = false;
    EXPECT_EQ(one, flags);
    EXPECT_EQ(several, values);
  }
}

}  // namespace
