// SPDX-License-Identifier: Apache-2.0
//
// Any and TypeCode as a program sees them: values of every kind go into an Any, through a message and out again; the walker agrees
// with the generated codecs octet by octet.
#include <gtest/gtest.h>

#include "any_more_any.hpp"
#include "any_types_any.hpp"
#include "base/hex.hpp"
#include "base/minor_codes.hpp"
#include "types/compare.hpp"
#include "types/walker.hpp"

namespace gen = tenon::gen;
namespace types = tenon::types;
namespace errors = tenon::errors;
using tenon::ByteOrder;
using tenon::hex_dump;
using tenon::cdr::Reader;
using tenon::cdr::WireFormat;
using tenon::cdr::Writer;
using namespace AnyTypes;
using CORBA::Any;

namespace {

std::vector<WireFormat> formats() {
  std::vector<WireFormat> all;
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    for (const std::uint8_t minor : {std::uint8_t{1}, std::uint8_t{2}})
      all.push_back({.giop_minor = minor, .order = order});
  }
  return all;
}

template <typename C, typename T>
std::vector<std::uint8_t> encode(const T& value, WireFormat format, std::size_t phase) {
  Writer out(format, phase);
  C::put(out, value);
  EXPECT_TRUE(out.good());
  return out.copy();
}

Any through_a_message(const Any& any, WireFormat format, std::size_t phase) {
  const auto bytes = encode<gen::Codec<Any>>(any, format, phase);
  Reader in(bytes, format, phase);
  Any back;
  gen::Codec<Any>::get(in, back);
  EXPECT_TRUE(in.good());
  EXPECT_EQ(in.remaining(), 0u);
  return back;
}

/// In and out again, directly and through messages of every kind; what came in one way goes out another.
template <typename T>
void round_trip(const T& value) {
  Any any;
  any <<= value;
  const std::string shown = types::text(any._value());
  for (const WireFormat& format : formats()) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      const Any once = through_a_message(any, format, phase);
      const Any twice = through_a_message(once, {.order = ByteOrder::big}, 7 - phase);
      for (const Any* one : std::initializer_list<const Any*>{&any, &once, &twice}) {
        T back{};
        ASSERT_TRUE(*one >>= back) << shown;
        EXPECT_TRUE(back == value) << shown;
        std::vector<std::array<T, 2>> wrong;
        EXPECT_FALSE(*one >>= wrong) << shown;
        EXPECT_EQ(types::text(one->_value()), shown);
      }
    }
  }
}

/// The walker makes of the codec's octets for one format and phase the codec's octets for another.
template <typename T>
void walked(const T& value) {
  using Type = gen::AnyType<T>;
  using C = typename Type::codec;
  for (const WireFormat& from : formats()) {
    for (const WireFormat& to : formats()) {
      for (std::size_t phase = 0; phase < 8; ++phase) {
        const auto bytes = encode<C>(value, from, phase);
        Reader in(bytes, from, phase);
        Writer out(to, 5 * phase % 8);
        types::copy(in, out, Type::type);
        ASSERT_TRUE(out.good()) << types::text(Type::type);
        EXPECT_EQ(in.remaining(), 0u);
        ASSERT_EQ(hex_dump(out.copy()), hex_dump(encode<C>(value, to, 5 * phase % 8)))
            << types::text(Type::type);
      }
    }
  }
}

template <typename T>
void both(const T& value) {
  round_trip(value);
  walked(value);
}

Everything everything() {
  Everything e;
  e.b(true);
  e.c('q');
  e.wc(L'\u00e9');
  e.o(200);
  e.s(-5);
  e.us(65535);
  e.l(-100000);
  e.ul(4000000000);
  e.ll(-5000000000);
  e.ull(18446744073709551615U);
  e.f(1.5F);
  e.d(-2.25);
  e.ld(3.125L);
  e.text("t\u00e9xt");
  e.wide(L"w\u00efde \U0001F600");
  e.short_text("12345678");
  e.short_wide(L"1234");
  e.money(Amount("-1234.567"));
  e.three({{1, 2, 3}, {4, 5, 6}});
  e.square({{{1, 2, 3}, {4, 5, 6}}});
  e.years({{"a", 1}, {"b", 2}});
  e.height(Level::high);
  e.allowed(Rights::can_write);
  e.bits().a(5);
  e.small(-7);
  e.inner(Block(1, 'x', 2, 3, 4.5));
  e.blocks({Block(1, 'a', 2, 3, 4.5), Block(-1, 'b', -2, 3, -4.5), Block(7, 'c', 8, 9, 0)});
  e.flags({true, false, true});
  return e;
}

TEST(AnyMapping, BasicTypes) {
  both(true);
  both('c');
  both(L'\u00e9');
  both(std::uint8_t{200});
  both(std::int16_t{-2});
  both(std::uint16_t{65535});
  both(std::int32_t{-5});
  both(std::uint32_t{4000000000});
  both(std::int64_t{-5000000000});
  both(std::uint64_t{1} << 63);
  both(1.5F);
  both(-2.25);
  both(3.125L);
  both(std::string("text"));
  both(std::wstring(L"w\u00efde"));
  both(IDL::Fixed<5, 2>("-123.45"));
  both(std::vector<std::string>{"", "two"});
  both(std::vector<bool>{true, false});
  both(std::map<std::string, std::int32_t>{{"a", 1}});
}

TEST(AnyMapping, ConstructedTypes) {
  both(Suit::spades);
  both(Level::high);
  both(Rights::can_read);
  both(Block(1, 'c', 2, 3, 4.5));
  both(Card(Suit::hearts, 9, "note"));
  both(Hand{Card(Suit::clubs, 1, ""), Card(Suit::spades, 2, "two")});
  both(Table{{{1, 2, 3}, {4, 5, 6}}});
  both(everything());
  Extended extended;
  extended.l(4);
  extended.more("more");
  both(extended);
  both(Node(1, {Node(2, {}), Node(3, {Node(4, {})})}));
  both(AnyMore::Pair(Card(Suit::hearts, 9, "x"), Thing::State(Thing::Mode::fast, Thing::State::Part(5))));
  both(members_1(3));
  both(::_cxx_class::types{::_cxx_class::switch_(1), ::_cxx_class::switch_(2)});
  both(::_cxx_class::gen::tenon);
}

template <typename U, typename Set>
U selected(Set set) {
  U value;
  set(value);
  return value;
}

TEST(AnyMapping, Unions) {
  both(selected<ByLong>([](auto& u) { u.o(7); }));
  both(selected<ByLong>([](auto& u) { u.text("two", 2); }));
  both(selected<ByLong>([](auto& u) { u.cards({Card(Suit::hearts, 9, "x")}); }));
  both(selected<ByLongLong>([](auto& u) { u.l(7); }));
  both(selected<ByLongLong>([](auto& u) { u.f(0.5F); }));
  both(selected<ByULongLong>([](auto& u) { u.d(7); }));
  both(selected<ByShort>([](auto& u) { u.c(Card(Suit::hearts, 9, "x")); }));
  both(selected<ByUShort>([](auto& u) { u.l(7); }));
  both(selected<ByULong>([](auto& u) { u.t({1, 2, 3}); }));
  both(selected<ByBoolean>([](auto& u) { u.d(7); }));
  both(selected<ByBoolean>([](auto& u) { u.w(L"false"); }));
  both(selected<ByChar>([](auto& u) { u.alpha(7); }));
  both(selected<ByWChar>([](auto& u) { u.x(7); }));
  both(selected<ByWChar>([](auto& u) { u.other("other"); }));
  both(selected<ByOctet>([](auto& u) { u.all(true); }));
  both(selected<ByOctet>([](auto& u) { u._default(); }));
  both(selected<BySuit>([](auto& u) { u.text("x"); }));
  both(selected<BySuit>([](auto& u) { u._default(); }));
  Expression two;
  two.number(2);
  both(selected<Expression>([&](auto& u) { u.sum({two, two}); }));
  both(selected<Thing::Choice>([](auto& u) { u.all({Thing::State()}); }));
}

TEST(AnyMapping, AnysInside) {
  Any inner;
  inner <<= Card(Suit::hearts, 9, "inner");
  Holder holder;
  holder.name("h");
  holder.value() = inner;
  holder.type(_tc_Node);
  holder.more({inner, Any()});
  walked(holder);
  Any any;
  any <<= holder;
  for (const WireFormat& format : formats()) {
    const Any back = through_a_message(any, format, 3);
    Holder got;
    ASSERT_TRUE(back >>= got);
    Card card;
    EXPECT_TRUE((got.value() >>= card) && card == Card(Suit::hearts, 9, "inner"));
    EXPECT_TRUE(got.type()->equal(_tc_Node));
    ASSERT_EQ(got.more().size(), 2u);
    EXPECT_FALSE(got.more()[1].has_value());
  }
  any <<= inner;
  EXPECT_EQ(any.type()->kind(), CORBA::TCKind::tk_any);
  Any got;
  Card card;
  EXPECT_TRUE((any >>= got) && (got >>= card));
  EXPECT_FALSE(any >>= card);
}

TEST(AnyMapping, Exceptions) {
  Any cause;
  cause <<= 5;
  Any any;
  any <<= Failed("why", -7, cause);
  for (const WireFormat& format : formats()) {
    Failed got;
    ASSERT_TRUE(through_a_message(any, format, 1) >>= got);
    EXPECT_EQ(got.why(), "why");
    EXPECT_EQ(got.code(), -7);
    std::int32_t five = 0;
    EXPECT_TRUE((got.cause() >>= five) && five == 5);
  }
  Empty empty;
  EXPECT_FALSE(any >>= empty);
  any <<= Empty();
  EXPECT_TRUE(any >>= empty);
  any <<= Thing::Refused(Thing::State());
  EXPECT_EQ(any.type()->id(), "IDL:tenon.test/AnyTypes/Thing/Refused:1.0");
}

TEST(AnyMapping, NilReferences) {
  Any any;
  any <<= CORBA::object_reference<Thing>();
  EXPECT_TRUE(any.type()->equal(_tc_Thing));
  CORBA::object_reference<Thing> thing;
  CORBA::object_reference<CORBA::Object> object;
  CORBA::object_reference<Shape> shape;
  EXPECT_TRUE(any >>= thing);
  EXPECT_TRUE(any >>= object);
  EXPECT_FALSE(any >>= shape);
  any <<= CORBA::object_reference<Shape>();
  EXPECT_EQ(any.type()->kind(), CORBA::TCKind::tk_abstract_interface);
  EXPECT_TRUE(any >>= shape);
}

TEST(AnyMapping, NothingIsConverted) {
  Any any;
  any <<= std::int32_t{5};
  std::int64_t wide = 1;
  std::uint32_t other = 1;
  EXPECT_FALSE(any >>= wide);
  EXPECT_FALSE(any >>= other);
  EXPECT_EQ(wide, 1);
  any <<= "text";
  std::wstring wide_text = L"as before";
  EXPECT_FALSE(any >>= wide_text);
  EXPECT_EQ(wide_text, L"as before");
  any <<= std::uint8_t{1};
  bool flag = false;
  char letter = 'x';
  EXPECT_FALSE(any >>= flag);
  EXPECT_FALSE(any >>= letter);
  any.reset();
  EXPECT_FALSE(any.has_value());
  EXPECT_FALSE(any >>= flag);
}

TEST(AnyMapping, TypedSaysAliasAndBounds) {
  const Hand cards(3, Card(Suit::hearts, 9, "x"));
  Any any;
  any <<= cards;
  EXPECT_EQ(any.type()->kind(), CORBA::TCKind::tk_sequence);
  any <<= CORBA::typed(_tc_SameHand, cards);
  EXPECT_TRUE(any.type()->equal(_tc_SameHand));
  Hand got;
  EXPECT_TRUE((any >>= got) && got == cards);
  EXPECT_TRUE(any >>= CORBA::typed(_tc_Hand, got));
  EXPECT_FALSE(any >>= CORBA::typed(_tc_TwoCards, got));
  EXPECT_THROW(any <<= CORBA::typed(_tc_TwoCards, cards), CORBA::BAD_PARAM);
  EXPECT_THROW(any <<= CORBA::typed(_tc_Card, cards), CORBA::BAD_TYPECODE);
  EXPECT_TRUE(any.type()->equal(_tc_SameHand));  // as before
  any <<= CORBA::typed(_tc_Code, std::string("12345678"));
  EXPECT_EQ(any.type()->content_type()->length(), 8u);
  EXPECT_THROW(any <<= CORBA::typed(_tc_Code, std::string("123456789")), CORBA::BAD_PARAM);
  any.type(CORBA::TypeCodeRef(any.type()->content_type()));
  EXPECT_EQ(any.type()->kind(), CORBA::TCKind::tk_string);
  EXPECT_THROW(any.type(_tc_Card), CORBA::BAD_TYPECODE);
}

TEST(AnyMapping, BoundedTypesHaveTheirBoundsInTheTypeCode) {
  const Card card(Suit::hearts, 9, "x");
  Any any;
  any <<= TwoCards{card, card};
  EXPECT_EQ(any.type()->kind(), CORBA::TCKind::tk_sequence);
  EXPECT_EQ(any.type()->length(), 2u);
  Hand cards;
  EXPECT_TRUE((any >>= cards) && cards.size() == 2);
  cards.push_back(card);
  any <<= cards;
  TwoCards two{card};
  EXPECT_FALSE(any >>= two);  // one too many
  EXPECT_EQ(two.size(), 1u);
  cards.pop_back();
  any <<= cards;
  EXPECT_EQ(any.type()->length(), 0u);
  EXPECT_TRUE((any >>= two) && two.size() == 2);
  EXPECT_THROW(any <<= TwoCards(3, card), CORBA::BAD_PARAM);

  any <<= Code("12345678");
  EXPECT_EQ(any.type()->kind(), CORBA::TCKind::tk_string);
  EXPECT_EQ(any.type()->length(), 8u);
  std::string text;
  EXPECT_TRUE((any >>= text) && text == "12345678");
  any <<= "123456789";
  Code code = "short";
  EXPECT_FALSE(any >>= code);
  EXPECT_EQ(code, "short");
  any <<= WideCode(L"wide");
  EXPECT_EQ(any.type()->length(), 4u);
}

TEST(AnyMapping, OctetsMeanWhatTheMessageSays) {
  Any any;
  any <<= "\xe9";  // in memory, whatever the process takes it for
  const WireFormat latin1_to_utf8{.chars = tenon::cdr::CodeSet::utf8,
                                  .native = {tenon::cdr::CodeSet::iso8859_1, tenon::cdr::CodeSet::utf16}};
  const auto bytes = encode<gen::Codec<Any>>(any, latin1_to_utf8, 0);
  const std::vector<std::uint8_t> tail(bytes.end() - 3, bytes.end());
  EXPECT_EQ(tail, (std::vector<std::uint8_t>{0xC3, 0xA9, 0}));
  Any accent;
  accent <<= '\xe9';
  Writer utf8;
  gen::Codec<Any>::put(utf8, accent);
  EXPECT_EQ(utf8.error(), errors::char_not_in_code_set);
}

TEST(AnyMapping, DamagedValuesAreNotExtracted) {
  std::size_t whole = 0;
  Any any;
  any <<= everything();
  const auto bytes = encode<gen::Codec<Any>>(any, {}, 0);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    auto damaged = bytes;
    damaged[at] ^= 0x81;
    Reader in(damaged, {});
    Any back;
    gen::Codec<Any>::get(in, back);
    Everything got;
    if (in.good() && (back >>= got)) ++whole;
  }
  EXPECT_LT(whole, bytes.size() / 3);
}

TEST(TypeCodeMapping, OfGeneratedCode) {
  EXPECT_EQ(types::text(*_tc_Card._type()),
            "struct Card {enum Suit {clubs; hearts; spades} colour; octet value; string note}");
  EXPECT_EQ(types::text(*_tc_Triples._type()), "alias Triples = sequence<alias Triple = array<long>[3]>[5]");
  EXPECT_EQ(types::text(*_tc_Table._type()), "alias Table = array<alias Triple = array<long>[3]>[2]");
  EXPECT_EQ(types::text(*_tc_Node._type()),
            "struct Node {long value; alias NodeSeq = sequence<struct Node> children}");
  EXPECT_EQ(types::text(*_tc_Extended._type()), "struct Extended {long l; string more}");
  EXPECT_EQ(types::text(*_tc_Rights._type()), "alias Rights = octet");
  EXPECT_EQ(types::text(*_tc_Ages._type()), "alias Ages = sequence<struct  {string key; long value}>");
  EXPECT_EQ(types::text(*Thing::_tc_State._type()),
            "struct State {enum Mode {slow; fast} how; struct Part {long l} piece}");
  EXPECT_EQ(types::text(*_tc_Nearby._type()), "struct Nearby {local_interface Here h}");
  EXPECT_EQ(
      types::text(*AnyMore::_tc_Forest._type()),
      "alias Forest = sequence<struct Node {long value; alias NodeSeq = sequence<struct Node> children}>");
  EXPECT_EQ(types::text(*_tc_Pointing._type()), "struct Pointing {objref Elsewhere there}");
  EXPECT_EQ(types::text(*::_tc_members_1._type()), "struct members_1 {long type_1}");
  EXPECT_EQ(_tc_Thing->id(), "IDL:tenon.test/AnyTypes/Thing:1.0");
  EXPECT_EQ(_tc_Failed->kind(), CORBA::TCKind::tk_except);
  EXPECT_EQ(_tc_Here->kind(), CORBA::TCKind::tk_local_interface);
}

TEST(TypeCodeMapping, Operations) {
  const CORBA::TypeCodeRef type = _tc_ByLong;
  EXPECT_EQ(type->member_count(), 4u);
  EXPECT_EQ(type->default_index(), 3);
  EXPECT_EQ(type->member_name(2), "text");
  EXPECT_TRUE(type->discriminator_type()->equal(CORBA::_tc_long));
  std::int32_t label = 0;
  EXPECT_TRUE((type->member_label(0) >>= label) && label == -2147483647 - 1);
  std::uint8_t zero = 1;
  EXPECT_TRUE((type->member_label(3) >>= zero) && zero == 0);
  bool flag = true;
  EXPECT_TRUE((_tc_ByBoolean->member_label(1) >>= flag) && !flag);
  Suit suit = Suit::spades;
  EXPECT_TRUE((_tc_BySuit->member_label(1) >>= suit) && suit == Suit::hearts);
  EXPECT_THROW(type->member_name(4), CORBA::TypeCode::Bounds);
  EXPECT_THROW(type->content_type(), CORBA::TypeCode::BadKind);
  EXPECT_THROW(CORBA::_tc_long->id(), CORBA::TypeCode::BadKind);
  EXPECT_TRUE(_tc_SameHand->equivalent(_tc_Hand));
  EXPECT_FALSE(_tc_SameHand->equal(_tc_Hand));
  EXPECT_TRUE(_tc_Card->get_compact_typecode()->equivalent(_tc_Card));
  EXPECT_EQ(_tc_Card->get_compact_typecode()->name(), "");
  EXPECT_EQ(_tc_Amount->content_type()->fixed_digits(), 7);
  CORBA::TypeCodeRef nil;
  EXPECT_FALSE(nil);
  EXPECT_THROW(nil->kind(), CORBA::INV_OBJREF);
  EXPECT_THROW(_tc_Card->equal(nil), CORBA::INV_OBJREF);
  Any any;
  EXPECT_THROW(any <<= nil, CORBA::BAD_TYPECODE);
}

// The constants are references: a copy refers to what the constant refers to, wherever the copy lies and however long.
TEST(TypeCodeMapping, CopiesOfConstantsMayBeKept) {
  std::vector<CORBA::TypeCodeRef> kept;
  for (const auto& type : {CORBA::_tc_long, CORBA::_tc_string, _tc_Card, Thing::_tc_State})
    kept.push_back(type);
  auto one = CORBA::_tc_long;
  kept.push_back(one);
  one = _tc_Node;
  kept.push_back(one);
  auto* const moved = new auto(_tc_Card);
  kept.emplace_back(std::move(*moved));
  delete moved;
  auto chosen = kept.empty() ? CORBA::_tc_long : CORBA::TypeCodeRef();
  EXPECT_FALSE(chosen);
  ASSERT_EQ(kept.size(), 7u);
  const CORBA::TypeCodeRef wanted[] = {CORBA::_tc_long, CORBA::_tc_string, _tc_Card, Thing::_tc_State,
                                       CORBA::_tc_long, _tc_Node,          _tc_Card};
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i]->kind(), wanted[i]->kind());
    EXPECT_EQ(kept[i]._type().get(), wanted[i]._type().get());  // the constant's own node, no copy of it
    Any any;
    any <<= kept[i];
    CORBA::TypeCodeRef back;
    ASSERT_TRUE(any >>= back);
    EXPECT_TRUE(back->equal(wanted[i]));
  }
  EXPECT_EQ(CORBA::_tc_long->kind(), CORBA::TCKind::tk_long);
  EXPECT_EQ(_tc_Card->name(), "Card");
}

// A part keeps the whole alive.
TEST(TypeCodeMapping, PartsOutliveTheWhole) {
  CORBA::TypeCodeRef part;
  {
    Any any;
    any <<= Node(1, {});
    Reader in;
    const auto bytes = encode<gen::Codec<Any>>(any, {}, 0);
    in = Reader(bytes, {});
    gen::Codec<Any>::get(in, any);
    part = any.type()->member_type(1)->content_type();
  }
  EXPECT_EQ(part->kind(), CORBA::TCKind::tk_sequence);
  EXPECT_TRUE(part->content_type()->equal(_tc_Node));
}

}  // namespace
