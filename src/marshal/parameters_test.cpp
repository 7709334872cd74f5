// SPDX-License-Identifier: Apache-2.0
//
// Parameters moved by their plan have the same octets as parameters moved one by one, at every phase and in both byte orders. Wrong
// octets of a peer are refused in the same way, and nothing is written to parameters that do not travel.
#include "marshal/parameters.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "base/minor_codes.hpp"

namespace tenon::marshal {
namespace {

using cdr::Reader;
using cdr::WireFormat;
using cdr::Writer;

constexpr ByteOrder other_order = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;

using namespace fields;

struct Sample {
  std::int32_t number = 0;
  char letter = 0;
  bool flag = false;
  std::uint8_t pad[2]{};
  std::uint32_t colour = 0;
};
constexpr Word types[] = {head_of<Sample>(type_zero),
                          at(Op::block),
                          bytes(12),
                          parts(5, 4, block_characters | block_enumerations | block_repeats),
                          mask("...."),
                          mask("cb__"),
                          mask("...."),
                          mask("...."),
                          at(Op::copy4),
                          at(Op::character, 4),
                          at(Op::boolean, 5),
                          at(Op::enumeration, 8),
                          enumerators(3),
                          at(Op::end)};
constexpr Unit unit{types, nullptr};

// long f(in long, inout long, out long)
constexpr Word longs[] = {out(Op::copy4), in(Op::copy4), inout(Op::copy4), out(Op::copy4)};
constexpr Parameters of_longs{unit, longs, 4,
                              alike_plan(Plan::numbers4, {.request = 0b0110, .reply = 0b1101})};
// string f(in string, out string)
constexpr Word texts[] = {out(Op::string), in(Op::string), out(Op::string)};
constexpr Parameters of_texts{unit, texts, 3, alike_plan(Plan::strings, {.request = 0b010, .reply = 0b101})};
// octet f(in char, in double, inout enum of 3, in boolean, in Sample, out Sample)
constexpr Word mixed[] = {out(Op::copy1),  in(Op::character), in(Op::copy8),    inout(Op::enumeration, 3),
                          in(Op::boolean), in(Op::block, 0),  out(Op::block, 0)};
constexpr Parameters of_mixed{unit, mixed, 7, fixed_plan({.request = 36, .reply = 20})};

/// Values behind the addresses that the engine is given.
template <typename... T>
struct Values {
  std::tuple<T...> values;
  std::vector<void*> places = std::apply([](T&... each) { return std::vector<void*>{&each...}; }, values);
  explicit Values(const T&... given) : values(given...) {}
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
};

using Mixed = Values<std::uint8_t, char, double, std::uint32_t, bool, Sample, Sample>;

template <Direction Way>
void encode(const Parameters& all, Writer& out, const void* const* values) {
  by_plan(kind_of(all.plan), [&](auto kind) { kind.template encode<Way>(all, out, values); });
}
template <Direction Way>
void decode(const Parameters& all, Reader& in, void* const* values) {
  by_plan(kind_of(all.plan), [&](auto kind) { kind.template decode<Way>(all, in, values); });
}

Parameters without_plan(Parameters all) { return {all.unit, all.words, all.count}; }

template <Direction Way>
std::vector<std::uint8_t> encoded(const Parameters& all, const std::vector<void*>& values, WireFormat format,
                                  std::size_t phase) {
  Writer writer(format, phase);
  encode<Way>(all, writer, values.data());
  EXPECT_TRUE(writer.good());
  return writer.copy();
}

/// Both ways of writing, and of reading what was written to `fresh`: the same octets, written again, come out.
template <Direction Way>
void bidirectional(const Parameters& all, const std::vector<void*>& values, const std::vector<void*>& fresh) {
  for (const ByteOrder order : {native_order, other_order}) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      WireFormat format;
      format.order = order;
      const auto planned = encoded<Way>(all, values, format, phase);
      ASSERT_EQ(planned, encoded<Way>(without_plan(all), values, format, phase)) << phase;
      // a message that ends too early
      for (std::size_t size = 0; size < planned.size(); ++size) {
        Reader cut(ByteView(planned).first(size), format, phase);
        decode<Way>(all, cut, fresh.data());
        EXPECT_FALSE(cut.good()) << size;
      }
      Reader reader(planned, format, phase);
      decode<Way>(all, reader, fresh.data());
      ASSERT_TRUE(reader.good()) << phase;
      EXPECT_EQ(reader.remaining(), 0u);
      EXPECT_EQ(encoded<Way>(all, fresh, format, phase), planned) << phase;
    }
  }
}

TEST(Parameters, Numbers) {
  Values<std::int32_t, std::int32_t, std::int32_t, std::int32_t> values(11, -22, 33, 44);
  Values<std::int32_t, std::int32_t, std::int32_t, std::int32_t> fresh(0, 0, 0, 7);
  bidirectional<in_request>(of_longs, values.places, fresh.places);
  EXPECT_EQ(fresh.values, std::make_tuple(0, -22, 33, 7));  // parameters that do not travel are not changed
  bidirectional<in_reply>(of_longs, values.places, fresh.places);
  EXPECT_EQ(fresh.values, std::make_tuple(11, -22, 33, 44));
}

TEST(Parameters, Strings) {
  Values<std::string, std::string, std::string> values("result", "in", std::string(300, 'o'));
  Values<std::string, std::string, std::string> fresh("", "", "before");
  bidirectional<in_request>(of_texts, values.places, fresh.places);
  bidirectional<in_reply>(of_texts, values.places, fresh.places);
  EXPECT_EQ(std::get<2>(fresh.values), std::string(300, 'o'));
}

TEST(Parameters, OfFixedSize) {
  const Sample sample{-5, 'x', true, {}, 2};
  Mixed values(200, 'c', 2.5, 1, true, sample, sample);
  Mixed fresh(0, 0, 0, 0, false, {}, {});
  bidirectional<in_request>(of_mixed, values.places, fresh.places);
  bidirectional<in_reply>(of_mixed, values.places, fresh.places);
  EXPECT_EQ(std::get<2>(fresh.values), 2.5);
  EXPECT_EQ(std::get<6>(fresh.values).letter, 'x');
  // the octets that tenon-idl counts
  EXPECT_EQ(encoded<in_request>(of_mixed, values.places, {}, 0).size(),
            fixed_octets(of_mixed.plan, in_request));
  EXPECT_EQ(encoded<in_reply>(of_mixed, values.places, {}, 0).size(), fixed_octets(of_mixed.plan, in_reply));
}

TEST(Parameters, PaddingIsZero) {
  Mixed values(200, 'c', 2.5, 1, true, {-1, 'x', true, {}, 2}, {});
  const auto octets = encoded<in_request>(of_mixed, values.places, {}, 0);
  for (const std::size_t at : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 21u, 22u, 23u, 30u, 31u})
    EXPECT_EQ(octets[at], 0) << at;
}

TEST(Parameters, WhatAPeerMayNotSend) {
  const Sample sample{-5, 'x', true, {}, 2};
  Mixed values(200, 'c', 2.5, 1, true, sample, sample);
  const auto good = encoded<in_request>(of_mixed, values.places, {}, 0);
  struct Case {
    std::size_t at;
    std::uint8_t octet;
    Error error;
  };
  // char, enum, boolean; the same in the block that begins at 24
  for (const Case& bad :
       {Case{0, 0x80, errors::char_not_in_code_set}, Case{16, 3, errors::value_out_of_range},
        Case{20, 2, errors::bad_boolean}, Case{28, 0xFF, errors::char_not_in_code_set},
        Case{29, 9, errors::bad_boolean}, Case{32, 77, errors::value_out_of_range}}) {
    auto octets = good;
    octets[bad.at] = bad.octet;
    for (const Parameters& all : {of_mixed, without_plan(of_mixed)}) {
      Mixed fresh(0, 0, 0, 0, false, {}, {});
      Reader reader(octets, {});
      decode<in_request>(all, reader, fresh.places.data());
      EXPECT_EQ(reader.error(), bad.error) << bad.at;
    }
  }
}

TEST(Parameters, WhatACallerMayNotSend) {
  for (const Parameters& all : {of_mixed, without_plan(of_mixed)}) {
    Mixed no_enumerator(0, 'c', 0, 3, true, {}, {});
    Writer first;
    encode<in_request>(all, first, no_enumerator.places.data());
    EXPECT_EQ(first.error(), errors::enum_out_of_range);
    Mixed no_char(0, '\x80', 0, 0, true, {}, {});
    Writer second;
    encode<in_request>(all, second, no_char.places.data());
    EXPECT_EQ(second.error(), errors::char_not_in_code_set);
  }
}

}  // namespace
}  // namespace tenon::marshal
