// SPDX-License-Identifier: Apache-2.0
//
// Values of every type of features.idl are written and read back in both byte orders, at every alignment phase and for GIOP 1.1 and
// 1.2; cut messages and values out of range are refused; sequences that move as blocks have the bytes of their elements.
// Long because all of it is about the types of that one file and shares the helpers that compare them.
#include <gtest/gtest.h>
#include <unistd.h>

#include "features_skel.hpp"

namespace gen = tenon::gen;
using tenon::ByteOrder;
using tenon::cdr::Reader;
using tenon::cdr::WireFormat;
using tenon::cdr::Writer;
namespace f = Features;

namespace {

std::vector<WireFormat> formats() {
  std::vector<WireFormat> all;
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    for (const std::uint8_t minor : {std::uint8_t{1}, std::uint8_t{2}}) {
      WireFormat format;
      format.order = order;
      format.giop_minor = minor;
      all.push_back(format);
    }
  }
  return all;
}

template <typename C>
std::vector<std::uint8_t> encode(const typename C::value_type& value, WireFormat format,
                                 std::size_t phase = 0) {
  Writer out(format, phase);
  C::put(out, value);
  EXPECT_TRUE(out.good());
  return out.copy();
}

template <typename C>
void round_trip(const typename C::value_type& value) {
  for (const WireFormat& format : formats()) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      const auto bytes = encode<C>(value, format, phase);
      typename C::value_type back{};
      Reader in(bytes, format, phase);
      C::get(in, back);
      ASSERT_TRUE(in.good()) << "phase " << phase;
      EXPECT_EQ(in.remaining(), 0u);
      EXPECT_TRUE(back == value) << "phase " << phase;
      EXPECT_GE(bytes.size(), C::smallest);
    }
    // every proper beginning is refused
    const auto bytes = encode<C>(value, format);
    const std::size_t step = bytes.size() / 200 + 1;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      typename C::value_type back{};
      Reader in(tenon::ByteView(bytes.data(), size), format);
      C::get(in, back);
      EXPECT_FALSE(in.good()) << size << " of " << bytes.size() << " bytes";
    }
  }
}

f::Block block(int i) {
  return f::Block(static_cast<std::int16_t>(i), static_cast<char>('a' + i % 26), i * 1000,
                  static_cast<std::uint8_t>(i), i / 4.0);
}

f::Blocks blocks(int count) {
  f::Blocks all;
  for (int i = 0; i < count; ++i) all.push_back(block(i));
  return all;
}

f::Nested nested(int i) { return f::Nested(i * 0.5, {block(i), block(i + 1)}, f::Colour::blue); }

f::Flags flags(bool b) { return f::Flags(f::Colour::green, b, {b, !b, b}, {{{'a', 'b'}, {'c', 'd'}}}); }

f::Everything everything() {
  f::Everything e;
  e.a(1);
  e.b('b');
  e.c(L'c');
  e.d(true);
  e.e(-5);
  e.f(6);
  e.g(-7);
  e.h(8);
  e.i(-9);
  e.j(10);
  e.k(1.5F);
  e.l(-2.5);
  e.m(3.25L);
  e.n("text");
  e.o(L"wide \u00e9");
  e.p("12345678");
  e.q(L"abc");
  e.r(f::Amount("-1234.567"));
  e.s(f::Colour::blue);
  e.t(f::Level::high);
  e.u({{{1, 2, 3}, {4, 5, 6}}});
  e.v({"one", ""});
  e.w()[3][1] = true;
  e.x(-8);
  e.y(200);
  return e;
}

f::Collections collections(int count) {
  f::Collections c;
  c.the_blocks(blocks(count));
  for (int i = 0; i < std::min(count, 5); ++i) c.the_nesteds().push_back(nested(i));
  for (int i = 0; i < count; ++i) {
    c.flags().push_back(flags(i % 2 == 0));
    c.the_tails().push_back(f::Tail(i, static_cast<std::uint8_t>(i)));
    c.the_booleans().push_back(i % 3 == 0);
    c.the_chars().push_back(static_cast<char>('a' + i % 26));
    c.the_wchars().push_back(static_cast<wchar_t>(0x100 + i));
    c.the_octets().push_back(static_cast<std::uint8_t>(i));
    c.long_doubles().push_back(i * 0.25L);
    c.the_colours().push_back(f::Colour::green);
    c.the_rows().push_back({i, i + 1, i + 2});
    c.the_ages()["n" + std::to_string(i)] = i;
  }
  if (count > 0) {
    c.the_names({"a", "abcd", ""});
    c.the_matrix({{1, 2}, {3}});
    c.the_few({{1, {"x"}}, {2, {}}});
  }
  return c;
}

f::Tree tree(int depth) {
  f::Tree t;
  t.value(depth);
  if (depth > 0) t.children({tree(depth - 1), tree(0)});
  return t;
}

TEST(RoundTrip, Primitives) { round_trip<gen::Codec<f::Everything>>(everything()); }

TEST(RoundTrip, Collections) {
  for (const int count : {0, 1, 2, 3, 4, 17}) round_trip<gen::Codec<f::Collections>>(collections(count));
}

TEST(RoundTrip, Structs) {
  round_trip<gen::Codec<f::Block>>(block(3));
  round_trip<gen::Codec<f::Nested>>(nested(3));
  round_trip<gen::Codec<f::Flags>>(flags(true));
  round_trip<gen::Codec<f::NoBlock>>(f::NoBlock(1, 2, 3));
  f::Deep deep(1, f::Deep::Inner(2, "in"), {f::Deep::Inner(3, "a"), f::Deep::Inner(4, "b")});
  round_trip<gen::Codec<f::Deep>>(deep);
  f::Derived derived(1, f::Deep::Inner(2, "in"), {}, 7);
  EXPECT_EQ(derived.extra(), 7);
  EXPECT_EQ(derived.inside().text(), "in");
  round_trip<gen::Codec<f::Derived>>(derived);
}

TEST(RoundTrip, Recursive) {
  round_trip<gen::Codec<f::Tree>>(tree(5));
  f::Expression number;
  number.number(1.5);
  f::Expression sum;
  sum.sum({number, number});
  f::Expression product;
  product.product({sum, number});
  round_trip<gen::Codec<f::Expression>>(product);
}

TEST(RoundTrip, Unions) {
  f::Unions u;
  round_trip<gen::Codec<f::Unions>>(u);
  u.by_short().l(5);
  u.by_ushort().s("other");
  u.by_ulong().the_row({1, 2, 3});
  u.by_long_long().the_tree(tree(2));
  u.by_ulong_long().the_words({"a", "b"});
  u.by_boolean().text(L"w");
  u.by_boolean_half()._default();
  u.by_char().alpha(9, '\'');
  u.by_wchar().x(3);
  u.by_octet().all(true);
  u.by_colour()._default();
  u.by_colour_all().the_amount(f::Amount("1.5"));
  u.in_place().second({1, 2});
  u.with_names().swap(4);
  f::ByLong text;
  text.text("two", 2);
  f::ByLong others;
  others.the_blocks(blocks(4), 99);
  u.by_longs({text, others});
  EXPECT_EQ(text._d(), 2);
  round_trip<gen::Codec<f::Unions>>(u);
}

TEST(RoundTrip, BitTypes) {
  f::BitTypes b;
  b.the_permissions(f::Permissions::can_read | f::Permissions::can_delete);
  b.the_packed().a(5);
  b.the_packed().b(true);
  b.the_packed().c(-2000);
  EXPECT_EQ(b.the_packed().a(), 5);
  EXPECT_EQ(b.the_packed().c(), -2000);
  EXPECT_THROW(b.the_packed().a(8), CORBA::BAD_PARAM);
  EXPECT_THROW(b.the_packed().c(2048), CORBA::BAD_PARAM);
  EXPECT_EQ(b.the_packed().a(), 5);
  round_trip<gen::Codec<f::BitTypes>>(b);
}

TEST(RoundTrip, Exceptions) {
  const f::Detailed sent("why", block(1), {"a", "b"});
  for (const WireFormat& format : formats()) {
    const auto bytes = encode<gen::Codec<f::Detailed>>(sent, format);
    Reader in(bytes, format);
    try {
      gen::read_and_throw<f::Detailed>(in);
      FAIL();
    } catch (const CORBA::UserException& caught) {
      const auto& got = dynamic_cast<const f::Detailed&>(caught);
      EXPECT_EQ(got.why(), "why");
      EXPECT_TRUE(got.where() == block(1));
      EXPECT_EQ(got.hints().size(), 2u);
      EXPECT_EQ(caught._rep_id(), "IDL:Features/Detailed:1.0");
    }
  }
}

// --- what must be refused ---

TEST(Union, WrongMemberIsBadParam) {
  f::ByLong u;
  u.text("x");
  EXPECT_THROW(u.the_block(), CORBA::BAD_PARAM);
  EXPECT_THROW(u._d(7), CORBA::BAD_PARAM);
  EXPECT_NO_THROW(u._d(2));
  EXPECT_THROW(u.text("x", 7), CORBA::BAD_PARAM);
  EXPECT_THROW(u.the_blocks({}, 1), CORBA::BAD_PARAM);
  EXPECT_EQ(u.text(), "x");
  f::ByLong copy = u;
  copy.text() += "y";
  EXPECT_EQ(u.text(), "x");
  copy.swap(u);
  EXPECT_EQ(u.text(), "xy");
}

TEST(Bounds, AreEnforced) {
  Writer out;
  gen::String<4>::put(out, "12345");
  EXPECT_EQ(out.error().id, tenon::SystemException::bad_param);
  Writer more;
  gen::Sequence<gen::Codec<std::int32_t>, 2>::put(more, {1, 2, 3});
  EXPECT_EQ(more.error().id, tenon::SystemException::bad_param);
  const auto bytes = encode<gen::Sequence<gen::Codec<std::int32_t>>>({1, 2, 3}, {});
  Reader in(bytes, {});
  std::vector<std::int32_t> values;
  gen::Sequence<gen::Codec<std::int32_t>, 2>::get(in, values);
  EXPECT_EQ(in.error().id, tenon::SystemException::marshal);
}

TEST(Range, EnumsAndBooleans) {
  const f::FlagsSeq values(5, flags(true));
  for (const WireFormat& format : formats()) {
    const std::size_t element = 12;
    const std::size_t enum_of_third = 4 + 2 * element;
    const std::size_t boolean_of_fourth = 4 + 3 * element + 4;
    for (const std::size_t place : {enum_of_third, boolean_of_fourth, boolean_of_fourth + 3}) {
      auto bytes = encode<gen::Sequence<gen::Codec<f::Flags>>>(values, format);
      bytes[place] = 77;
      Reader in(bytes, format);
      f::FlagsSeq back;
      gen::Sequence<gen::Codec<f::Flags>>::get(in, back);
      EXPECT_EQ(in.error().id, tenon::SystemException::marshal) << place;
    }
  }
  Writer out;
  gen::Codec<f::Colour>::put(out, static_cast<f::Colour>(3));
  EXPECT_EQ(out.error().id, tenon::SystemException::bad_param);
}

TEST(Recursion, IsLimited) {
  f::Tree deep;
  for (unsigned i = 0; i < Reader::deepest + 10; ++i) {
    f::Tree outer;
    outer.children().push_back(std::move(deep));
    deep = std::move(outer);
  }
  const auto bytes = encode<gen::Codec<f::Tree>>(deep, {});
  Reader in(bytes, {});
  f::Tree back;
  gen::Codec<f::Tree>::get(in, back);
  EXPECT_EQ(in.error().id, tenon::SystemException::marshal);
}

// --- bounded types ---

static_assert(std::is_same_v<f::Names, IDL::bounded_vector<IDL::bounded_string<4>, 3>>);
static_assert(std::is_same_v<f::Wide, IDL::bounded_wstring<6>>);
static_assert(IDL::traits<f::Names>::is_bounded::value && IDL::traits<f::Names>::bound::value == 3);
static_assert(IDL::traits<f::Names>::element_traits::bound::value == 4);
static_assert(IDL::traits<f::Wide>::is_bounded::value && IDL::traits<f::Wide>::bound::value == 6);
static_assert(!IDL::traits<f::Colours>::is_bounded::value && !IDL::traits<std::string>::is_bounded::value);
static_assert(sizeof(f::Names) == sizeof(std::vector<std::string>));

TEST(Bounded, ConvertsFromAndToTheUnboundedTypeAndMoves) {
  std::vector<std::int32_t> plain{1, 2};
  const std::int32_t* const memory = plain.data();
  IDL::bounded_vector<std::int32_t, 4> bounded = std::move(plain);
  EXPECT_EQ(bounded.data(), memory);
  plain = std::move(bounded);
  EXPECT_EQ(plain.data(), memory);
  bounded = plain;
  EXPECT_EQ(bounded, plain);
  bounded = {5, 6, 7};
  EXPECT_EQ(bounded.back(), 7);

  std::string text(100, 'x');
  const char* const letters = text.data();
  IDL::bounded_string<200> short_text = std::move(text);
  EXPECT_EQ(short_text.data(), letters);
  text = std::move(short_text);
  EXPECT_EQ(text.data(), letters);
  short_text = "a" + text.substr(0, 1);
  EXPECT_EQ(short_text, "ax");
  f::Names names{"one", "two"};
  names.emplace_back("six");
  EXPECT_EQ(names.back() + names[0], "sixone");
}

// What the exception says that the writer's or reader's error becomes.
std::string said(const tenon::Error& error) {
  try {
    gen::raise(error);
  } catch (const CORBA::SystemException& exception) {
    return exception.what();
  }
}

template <typename C>
std::string said_of_sending(const typename C::value_type& value) {
  Writer out{WireFormat{}};
  C::put(out, value);
  EXPECT_EQ(out.error(), tenon::errors::over_bound);
  return said(out.error());
}

template <typename As, typename C>
std::string said_of_reading(const typename As::value_type& sent) {
  const auto bytes = encode<As>(sent, WireFormat{});
  Reader in(bytes, WireFormat{});
  typename C::value_type value{};
  C::get(in, value);
  EXPECT_EQ(in.error(), tenon::errors::length_above_bound);
  return said(in.error());
}

TEST(Bounded, ExceptionsTellTheBoundAndWhatWasFound) {
  const std::string sent = "BAD_PARAM: a string, sequence or map is longer than its bound: ";
  f::Collections all = collections(1);
  all.the_names() = {"a", "b", "c", "d"};
  EXPECT_EQ(said_of_sending<gen::Codec<f::Collections>>(all), sent + "4 where 3 are allowed");
  all.the_names() = {"a", "hello"};
  EXPECT_EQ(said_of_sending<gen::Codec<f::Collections>>(all), sent + "5 where 4 are allowed");
  all.the_names() = {};
  all.the_few() = {{1, {}}, {2, {}}, {3, {}}};
  EXPECT_EQ(said_of_sending<gen::Codec<f::Collections>>(all), sent + "3 where 2 are allowed");
  EXPECT_EQ(said_of_sending<gen::WString<6>>(L"seven.."), sent + "7 where 6 are allowed");

  const std::string read = "MARSHAL: a string or sequence is longer than its type allows: ";
  EXPECT_EQ(
      (said_of_reading<gen::Sequence<gen::String<>>, gen::Sequence<gen::String<4>, 3>>({"a", "b", "c", "d"})),
      read + "4 where 3 are allowed");
  EXPECT_EQ((said_of_reading<gen::String<>, gen::String<4>>("hello")), read + "5 where 4 are allowed");
  EXPECT_EQ((said_of_reading<gen::WString<>, gen::WString<6>>(L"seven..")), read + "7 where 6 are allowed");
  // nothing is said of an earlier one
  EXPECT_EQ(said(tenon::errors::over_bound).find("allowed"), std::string::npos);
}

// --- blocks ---

#ifndef MAPPING_INTERPRETED  // there a codec is a marshal program
static_assert(gen::BlockCodec<gen::Codec<f::Block>> && gen::BlockCodec<gen::Codec<f::Nested>>);
static_assert(gen::BlockCodec<gen::Codec<f::Flags>> && gen::BlockCodec<gen::Codec<f::Tail>>);
#endif
static_assert(!gen::BlockCodec<gen::Codec<f::NoBlock>> && !gen::BlockCodec<gen::Codec<f::Deep>>);

template <typename C>
void same_as_elements(const std::vector<typename C::value_type>& values) {
  for (const WireFormat& format : formats()) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      Writer each(format, phase);
      each.put_length(values.size());
      for (const auto& value : values) C::put(each, value);
      EXPECT_EQ(encode<gen::Sequence<C>>(values, format, phase), each.copy());
    }
  }
}

TEST(Block, EqualsItsElements) {
  for (const int count : {1, 2, 3, 4, 50}) {
    const f::Collections c = collections(count);
    same_as_elements<gen::Codec<f::Block>>(c.the_blocks());
    same_as_elements<gen::Codec<f::Nested>>(c.the_nesteds());
    same_as_elements<gen::Codec<f::Flags>>(c.flags());
    same_as_elements<gen::Codec<f::Tail>>(c.the_tails());
  }
}

// --- arrays of primitives ---

using Row = gen::Array<gen::Codec<double>, 3>;
using Grid = gen::Array<gen::Array<gen::Codec<std::int16_t>, 3>, 2>;
using Letters = gen::Array<gen::Array<gen::Codec<char>, 5>, 1>;
static_assert(gen::Bulk<Row>::count == 3 && gen::Bulk<Grid>::count == 6 && gen::Bulk<Letters>::count == 5);
static_assert(gen::BulkCodec<gen::Codec<char>> && gen::Bulk<gen::Codec<char>>::count == 1);
static_assert(!gen::BulkCodec<gen::Array<gen::Codec<bool>, 2>> &&
              !gen::BulkCodec<gen::Array<gen::String<>, 2>>);
static_assert(!gen::BulkCodec<gen::Array<gen::Codec<wchar_t>, 2>>);
static_assert(!gen::BulkCodec<gen::Sequence<gen::Codec<double>>>);
static_assert(!gen::BulkCodec<gen::Array<gen::Codec<f::Colour>, 2>>);

// What one primitive after the other looks like.
template <typename T>
void put_each(Writer& out, const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    out.put(value);
  } else {
    for (const auto& element : value) put_each(out, element);
  }
}

template <typename C>
void same_as_primitives(const std::vector<typename C::value_type>& values) {
  for (const WireFormat& format : formats()) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      Writer each(format, phase);
      each.put_length(values.size());
      put_each(each, values);
      ASSERT_EQ(encode<gen::Sequence<C>>(values, format, phase), each.copy());
    }
  }
  round_trip<gen::Sequence<C>>(values);
}

TEST(Bulk, ArraysEqualTheirPrimitives) {
  for (const int count : {0, 1, 2, 50}) {
    std::vector<Row::value_type> rows;
    std::vector<Grid::value_type> grids;
    std::vector<Letters::value_type> letters;
    for (int i = 0; i < count; ++i) {
      const auto s = static_cast<std::int16_t>(i * 7);
      rows.push_back({i * 0.5, -1.0 * i, i + 0.25});
      grids.push_back({{{s, 1, 2}, {3, 4, static_cast<std::int16_t>(-s)}}});
      letters.push_back({{{'a', 'b', 'c', 'd', static_cast<char>('a' + i % 26)}}});
    }
    same_as_primitives<Row>(rows);
    same_as_primitives<Grid>(grids);
    same_as_primitives<Letters>(letters);
  }
}

TEST(Bulk, ClaimedLengthIsNotBelieved) {
  for (const WireFormat& format : formats()) {
    Writer out(format);
    out.put(std::uint32_t{0x20000000});
    for (int i = 0; i < 12; ++i) out.put(1.5);
    const auto bytes = out.copy();
    Reader in(bytes, format);
    std::vector<Row::value_type> back;
    gen::Sequence<Row>::get(in, back);
    EXPECT_EQ(in.error().id, tenon::SystemException::marshal);
    EXPECT_LE(back.capacity(), 4u);
  }
}

TEST(Block, CharsOfAnotherCodeSet) {
  f::Blocks values = blocks(10);
  values[7].c('\351');
  WireFormat latin;
  latin.chars = tenon::cdr::CodeSet::iso8859_1;
  latin.native.chars = tenon::cdr::CodeSet::iso8859_1;
  round_trip<gen::Sequence<gen::Codec<f::Block>>>(blocks(10));
  const auto bytes = encode<gen::Sequence<gen::Codec<f::Block>>>(values, latin);
  f::Blocks back;
  Reader in(bytes, latin);
  gen::Sequence<gen::Codec<f::Block>>::get(in, back);
  EXPECT_TRUE(in.good() && back == values);
  // a lone octet above 0x7F is no UTF-8
  Reader utf8(bytes, {});
  gen::Sequence<gen::Codec<f::Block>>::get(utf8, back);
  EXPECT_EQ(utf8.error().id, tenon::SystemException::data_conversion);
}

// Under Valgrind: what is written must be initialised to the last octet, padding that came from a peer included.
TEST(Padding, LeavesNothingUninitialised) {
  int sink[2];
  ASSERT_EQ(pipe(sink), 0);
  char drain[4096];
  const auto send = [&](const std::vector<std::uint8_t>& bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof drain) {
      const std::size_t size = std::min(sizeof drain, bytes.size() - at);
      ASSERT_EQ(write(sink[1], bytes.data() + at, size), static_cast<ssize_t>(size));
      ASSERT_EQ(::read(sink[0], drain, size), static_cast<ssize_t>(size));
    }
  };
  for (const WireFormat& format : formats()) {
    const auto bytes = encode<gen::Codec<f::Collections>>(collections(50), format, 3);
    send(bytes);
    send(encode<gen::Codec<f::Everything>>(everything(), format, 5));
  }
  close(sink[0]);
  close(sink[1]);

  // A peer's padding does not come out again.
  f::Blocks values = blocks(5);
  auto bytes = encode<gen::Sequence<gen::Codec<f::Block>>>(values, {});
  auto dirty = bytes;
  dirty[24 + 3] = 0xAA;
  dirty[24 + 9] = 0xBB;
  Reader in(dirty, {});
  f::Blocks back;
  gen::Sequence<gen::Codec<f::Block>>::get(in, back);
  ASSERT_TRUE(in.good());
  EXPECT_EQ(encode<gen::Sequence<gen::Codec<f::Block>>>(back, {}), bytes);
}

}  // namespace
