// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client: structs, unions, arrays, and sequences of everything.
//
// Threads: main only.

#include <climits>
#include <limits>

#include "tests/interop/tenon/checks.hpp"

namespace checks {

using namespace Interop;

namespace {

const BinStruct bin_low(SHRT_MIN, 'a', INT_MIN, 0, std::numeric_limits<double>::lowest());
const BinStruct bin_high(SHRT_MAX, 'z', INT_MAX, 255, std::numeric_limits<double>::denorm_min());

Mixed mixed(unsigned seed) {
  Mixed m;
  m.name(std::string(seed, 'n'));
  m.shade(static_cast<Colour>(seed % 3));
  m.bin(seed % 2 != 0 ? bin_high : bin_low);
  for (unsigned i = 0; i < seed; ++i) m.values().push_back(i * 0.25);
  for (unsigned i = 0; i < 4; ++i) m.four()[i] = static_cast<std::int32_t>(seed * 10 + i);
  for (unsigned i = 0; i < 3; ++i) m.three()[i] = std::string(i, 'x');
  for (unsigned i = 0; i < seed % 5; ++i) m.path().emplace_back(static_cast<int>(i), -static_cast<int>(seed));
  return m;
}

Outer outer(unsigned seed) {
  Outer o;
  o.before(static_cast<std::uint8_t>(seed));
  o.inside(mixed(seed));
  o.between(0x55);
  o.depth().o(1);
  o.depth().ll(LLONG_MIN + seed);
  o.after(0xAA);
  return o;
}

Tree tree(unsigned depth, unsigned width) {
  Tree t;
  t.label("level " + std::to_string(depth));
  for (unsigned i = 0; depth > 0 && i < width; ++i) t.children().push_back(tree(depth - 1, width));
  return t;
}

void structs(const EchoRef& echo) {
  ECHO_ALL(BinStruct, echo_bin, {bin_low, bin_high, BinStruct(1, 'x', 2, 3, 4.5)});
  using F = std::numeric_limits<float>;
  using D = std::numeric_limits<double>;
  check("limits_high", [&] {
    const Primitives wanted(true, 255, 'z', SHRT_MAX, USHRT_MAX, INT_MAX, UINT_MAX, LLONG_MAX, ULLONG_MAX,
                            F::max(), D::max());
    return std::string(echo->limits(true) == wanted ? "" : "wrong values");
  });
  check("limits_low", [&] {
    const Primitives wanted(false, 0, 'a', SHRT_MIN, 0, INT_MIN, 0, LLONG_MIN, 0, F::lowest(), D::lowest());
    return std::string(echo->limits(false) == wanted ? "" : "wrong values");
  });
  const Primitives p(true, 200, 'q', -1, 65535, -2, 4000000000u, -3, 18000000000000000000ull, 1.25f, -2.5);
  check("describe", [&] {
    const std::string got = echo->describe(p);
    const std::string wanted =
        "b=1 o=200 c=q s=-1 us=65535 l=-2 ul=4000000000 ll=-3 ull=18000000000000000000 f=5 d=-10";
    return got == wanted ? "" : "got " + got;
  });
  ECHO_ALL(Primitives, echo_primitives, {p, Primitives()});
  ECHO_ALL(Mixed, echo_mixed, {mixed(0), mixed(1), mixed(7)});
  ECHO_ALL(Outer, echo_outer, {outer(0), outer(1), outer(2), outer(3), outer(9)});
  ECHO_ALL(Tree, echo_tree, {tree(0, 0), tree(3, 4), tree(40, 1)});
}

void unions(const EchoRef& echo) {
  ByLong l1, l2, l3, l4;
  l1.small_one(255);
  l2.text("two");
  l2._d(2);
  l3.bin(bin_high);
  l4.numbers({1.5, -2.5});
  l4._d(1000);
  ECHO_ALL(ByLong, echo_by_long, {l1, l2, l3, l4});
  ECHO_ALL(ByLongSeq, echo_by_long_seq, sequences<ByLong>({l1, l2, l3, l4}));
  ByColour c1, c2, c3;
  c1.number(-5);
  c2.text("green");
  c3._default();
  ECHO_ALL(ByColour, echo_by_colour, {c1, c2, c3});
  ByBoolean b1, b2;
  b1.number(0.1);
  b2.integer(LLONG_MIN);
  ECHO_ALL(ByBoolean, echo_by_boolean, {b1, b2});
  ByChar h1, h2, h3;
  h1.alpha(-7);
  h2.omega(Point(3, -4));
  h3.rest(99);
  h3._d('m');
  ECHO_ALL(ByChar, echo_by_char, {h1, h2, h3});
  ByULongLong u1, u2;
  u1.zero(9);
  u2.top(Row{1, -2, 3, INT_MIN});
  ECHO_ALL(ByULongLong, echo_by_ulonglong, {u1, u2});
  ByShort s1, s2;
  s1.inner(c2);
  s2.shade(Colour::blue);
  ECHO_ALL(ByShort, echo_by_short, {s1, s2});
}

void arrays(const EchoRef& echo) {
  ECHO_ALL(Row, echo_row, {Row{1, -2, INT_MIN, INT_MAX}, Row{5, 6, 7, 8}});
  const Matrix first{{{1, 2, 3}, {4, 5, 6.5}}};
  const Matrix second{{{0, 0, -1}, {0.1, 0, 0}}};
  ECHO_ALL(Matrix, echo_matrix, {first, second});
  ECHO_ALL(Names, echo_names, {Names{"", "one", "a longer word"}, Names{"b", "a longer word", "one"}});
  ECHO_ALL(BinPair, echo_bin_pair, {BinPair{bin_low, bin_high}, BinPair{bin_high, bin_high}});
}

void of_primitives(const EchoRef& echo) {
  ECHO_ALL(ShortSeq, echo_short_seq, sequences<std::int16_t>({SHRT_MIN, -1, 258}));
  ECHO_ALL(UShortSeq, echo_ushort_seq, sequences<std::uint16_t>({65535, 0, 258}));
  ECHO_ALL(LongSeq, echo_long_seq, sequences<std::int32_t>({INT_MIN, -1, 0x01020304}));
  ECHO_ALL(ULongSeq, echo_ulong_seq, sequences<std::uint32_t>({UINT_MAX, 0, 0x01020304}));
  ECHO_ALL(LongLongSeq, echo_longlong_seq, sequences<std::int64_t>({LLONG_MIN, -1, 258}));
  ECHO_ALL(ULongLongSeq, echo_ulonglong_seq, sequences<std::uint64_t>({ULLONG_MAX, 258}));
  ECHO_ALL(FloatSeq, echo_float_seq, sequences<float>({0.5f, -1e30f, 3.f}));
  ECHO_ALL(DoubleSeq, echo_double_seq, sequences<double>({0.1, -1e300, 3.}));
  ECHO_ALL(CharSeq, echo_char_seq, sequences<char>({'a', 'Z', '0', '~'}));
  ECHO_ALL(OctetSeq, echo_octet_seq, sequences<std::uint8_t>({0, 255, 128, 7}));
  ECHO_ALL(BooleanSeq, echo_boolean_seq, sequences<bool>({true, false, false}));
}

void of_constructed(const EchoRef& echo) {
  ECHO_ALL(ColourSeq, echo_colour_seq, sequences<Colour>({Colour::blue, Colour::red}));
  ECHO_ALL(StringSeq, echo_string_seq, sequences<std::string>({"", "one", "three"}));
  ECHO_ALL(ShortTextSeq, echo_short_text_seq, sequences<Interop::ShortText>({"", "sixteen chars ok"}));
  ECHO_ALL(MoneySeq, echo_money_seq, sequences<Money>({Money("-0.01"), Money("9999999.99")}));
  ECHO_ALL(BinStructSeq, echo_bin_seq, sequences<BinStruct>({bin_low, bin_high}));
  ECHO_ALL(MixedSeq, echo_mixed_seq, sequences<Mixed>({mixed(0), mixed(2), mixed(5)}));
  ECHO_ALL(RowSeq, echo_row_seq, sequences<Row>({Row{-6, -5, -4, -3}, Row{1, 2, 3, 4}}));
  ECHO_ALL(LongSeqSeq, echo_long_seq_seq, {LongSeqSeq(), LongSeqSeq{{}, {1, -1}, {7}}});
  ECHO_ALL(Blobs, echo_blobs, {Blobs(), Blobs{{}, {0}, {0, 1}, {0, 1, 2}}});
  ECHO_ALL(UpToFourLongs, echo_four_longs, {UpToFourLongs(), UpToFourLongs{1, 2, 3, 4}});
  ECHO_ALL(UpToTwoStrings, echo_two_strings, {UpToTwoStrings(), UpToTwoStrings{"a", ""}});
  ECHO_ALL(UpToThreeStructs, echo_three_structs,
           {UpToThreeStructs(), UpToThreeStructs{bin_low, bin_high, bin_low}});
}

}  // namespace

void constructed_checks(const EchoRef& echo) {
  structs(echo);
  unions(echo);
  arrays(echo);
}

void sequence_checks(const EchoRef& echo) {
  of_primitives(echo);
  of_constructed(echo);
}

}  // namespace checks
