// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes made at run time: they equal the same types as constant data, recursive ones are complete and get freed, wrong parts are
// refused.
#include "types/create.hpp"

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "types/compare.hpp"
#include "types/typecode_test_support.hpp"
#include "types/walker.hpp"

namespace tenon::types {
namespace {

using namespace sample;

const TypeRef a_long = long_type;
const TypeRef a_string = text_type;

TypeRef must(const Result<TypeRef>& made) {
  EXPECT_TRUE(made) << made.error().minor;
  return made ? *made : TypeRef();
}

TEST(Creating, EqualsTheSameAsConstantData) {
  const TypeRef own_suit =
      must(create_enum(suit.id, "Suit", std::vector<std::string_view>{"clubs", "hearts", "spades"}));
  EXPECT_TRUE(equal(*own_suit, suit));
  const TypeRef own_card = must(
      create_struct(card.id, "Card",
                    std::vector<NewMember>{{"colour", own_suit}, {"value", octet_type}, {"note", a_string}}));
  EXPECT_TRUE(equal(*own_card, card));
  const TypeRef own_hand = must(create_alias(hand.id, "Hand", must(create_sequence(0, own_card))));
  EXPECT_TRUE(equal(*own_hand, hand));
  EXPECT_TRUE(equal(*must(create_alias(triple.id, "Triple", must(create_array(3, a_long)))), triple));
  EXPECT_TRUE(equal(*must(create_fixed(7, 3)), fixed_7_3));
  EXPECT_TRUE(equal(*must(create_text(Kind::tk_string, 8)), eight_chars));
  EXPECT_TRUE(equal(*must(create_text(Kind::tk_wstring, 0)), wide_type));
  const std::vector<NewMember> cases{
      {"number", a_long, 0}, {"cards", own_hand, 1}, {.name = "text", .type = wide_type, .otherwise = true}};
  EXPECT_TRUE(equal(*must(create_union(choice.id, "Choice", own_suit, cases)), choice));
  const std::vector<NewMember> far{
      {"lowest", a_long, 0x8000000000000001}, {"text", a_string, 5}, {"text", a_string, 6}};
  EXPECT_TRUE(equal(*must(create_union(by_long_long.id, "ByLongLong", longlong_type, far)), by_long_long));
  EXPECT_TRUE(equal(*must(create_exception(refused.id, "Refused",
                                           std::vector<NewMember>{{"why", a_string}, {"cause", any_type}})),
                    refused));
  for (const TypeCode* named : {&thing, &shape, &here})
    EXPECT_TRUE(equal(*must(create_named(named->kind, named->id, named->name)), *named));
  const TypeRef own_base = must(create_value(
      base.id, "Base", Modifier::none, {},
      std::vector<NewMember>{{"id", a_long},
                             {.name = "secret", .type = a_string, .visibility = Visibility::public_member}}));
  EXPECT_TRUE(equal(*own_base, base));
  EXPECT_TRUE(equal(*must(create_value(derived.id, "Derived", Modifier::truncatable, own_base,
                                       std::vector<NewMember>{{"next", own_base}})),
                    derived));
  EXPECT_TRUE(equal(*must(create_box(box.id, "Box", must(create_sequence(0, octet_type)))), box));
}

// struct Node { long value; NodeSeq children; }
TypeRef own_node(TypeRef* itself = nullptr, TypeRef* list = nullptr) {
  const TypeRef inner = must(create_recursive(node.id));
  const TypeRef inner_list = must(create_alias(node_seq.id, "NodeSeq", must(create_sequence(0, inner))));
  if (itself != nullptr) *itself = inner;
  if (list != nullptr) *list = inner_list;
  return must(
      create_struct(node.id, "Node", std::vector<NewMember>{{"value", a_long}, {"children", inner_list}}));
}

TEST(CreatingRecursive, IsTheTypeItself) {
  const TypeRef made = own_node();
  EXPECT_TRUE(equal(*made, node));
  // one circle, not an unrolled one: the octets are those of the constant
  EXPECT_EQ(hex_dump(written(*made)), hex_dump(written(node)));
  EXPECT_EQ(made->members[1].type->content->content, made.get());
}

TEST(CreatingRecursive, PartsBecomeWholeWithIt) {
  TypeRef itself;
  TypeRef list;
  {
    const TypeRef made = own_node(&itself, &list);
    EXPECT_TRUE(equal(*itself, *made));
  }
  EXPECT_TRUE(equal(*itself, node));  // also when only the part is left
  EXPECT_TRUE(equal(*list, node_seq));
  EXPECT_TRUE(read_whole(written(*list)));
}

TEST(CreatingRecursive, UntilThenNothingCanBeDone) {
  const TypeRef itself = must(create_recursive("IDL:Itself:1.0"));
  const TypeRef list = must(create_sequence(0, itself));
  for (const TypeRef& type : {itself, list}) {
    cdr::Writer out;
    write(out, *type);
    EXPECT_EQ(out.error(), errors::incomplete_typecode);
    const Bytes one{1, 0, 0, 0, 0, 0, 0, 0};
    cdr::Reader in(one, {.order = ByteOrder::little});
    skip(in, *type);
    EXPECT_EQ(in.error(), errors::incomplete_typecode);
  }
  EXPECT_TRUE(equal(*list, *compact(list)));
  EXPECT_EQ(text(*list), "sequence<incomplete IDL:Itself:1.0>");
}

TEST(CreatingRecursive, TypesThatHoldEachOther) {
  // struct A { sequence<B> bs; }, struct B { sequence<A> as; A one; }: A is whole as soon as B is
  const TypeRef b = must(create_recursive("IDL:B:1.0"));
  const TypeRef whole_a =
      must(create_struct("IDL:A:1.0", "A", std::vector<NewMember>{{"bs", must(create_sequence(0, b))}}));
  EXPECT_TRUE(is_incomplete(*b));
  const TypeRef whole_b = must(create_struct(
      "IDL:B:1.0", "B", std::vector<NewMember>{{"as", must(create_sequence(0, whole_a))}, {"one", whole_a}}));
  EXPECT_EQ(text(*whole_b),
            "struct B {sequence<struct A {sequence<struct B> bs}> as; struct A {sequence<struct B> bs} one}");
  EXPECT_TRUE(equal(*b, *whole_b));
  EXPECT_TRUE(equal(*whole_a->members[0].type->content, *whole_b));
  EXPECT_TRUE(equal(*read_whole(written(*whole_b)), *whole_b));
}

TEST(CreatingRecursive, TwoStandInsForOneType) {
  const TypeRef first = must(create_recursive("IDL:A:1.0"));
  const TypeRef second = must(create_recursive("IDL:A:1.0"));
  const TypeRef whole =
      must(create_union("IDL:A:1.0", "A", a_long,
                        std::vector<NewMember>{{"x", must(create_sequence(0, first)), 0},
                                               {"y", must(create_sequence(3, second)), 0xFFFFFFFFFFFFFFFF}}));
  EXPECT_EQ(whole->members[0].type->content, whole.get());
  EXPECT_EQ(whole->members[1].type->content, whole.get());
  EXPECT_TRUE(equal(*second, *whole));
}

TEST(CreatingRecursive, ValueTypesMayHoldThemselves) {
  const TypeRef itself = must(create_recursive("IDL:Link:1.0"));
  const TypeRef link = must(
      create_value("IDL:Link:1.0", "Link", Modifier::none, {}, std::vector<NewMember>{{"next", itself}}));
  EXPECT_EQ(link->members[0].type, link.get());
}

TEST(CreatingRecursive, WithoutEndIsRefused) {
  const TypeRef itself = must(create_recursive("IDL:S:1.0"));
  EXPECT_EQ(create_struct("IDL:S:1.0", "S", std::vector<NewMember>{{"s", itself}}).error(),
            errors::bad_member_typecode);
}

TEST(CreatingRecursive, AnEarlierTypeIsNotChanged) {
  const TypeRef made = own_node();
  const Bytes before = written(*made);
  const TypeRef other = own_node();
  must(create_struct(node.id, "Node", std::vector<NewMember>{{"node", made}, {"other", other}}));
  EXPECT_EQ(written(*made), before);
}

TEST(CreatingRefused, Names) {
  const std::vector<NewMember> members{{"a", a_long}};
  for (const char* bad : {"1x", "_x", "a b", "a-b", "a:b", "x\xd7"})
    EXPECT_EQ(create_struct("", bad, members).error(), errors::bad_typecode_name) << bad;
  for (const char* good : {"", "x", "X_1", "\xe9t\xe9"}) EXPECT_TRUE(create_struct("", good, members));
  for (const char* bad : {"x", ":x"})
    EXPECT_EQ(create_struct(bad, "x", members).error(), errors::bad_typecode_repository_id) << bad;
  EXPECT_TRUE(create_struct("LOCAL:x", "x", members));
  EXPECT_EQ(create_named(Kind::tk_objref, "", "x").error(), errors::bad_typecode_repository_id);
  EXPECT_EQ(create_exception("", "x", members).error(), errors::bad_typecode_repository_id);
  EXPECT_EQ(create_recursive("").error(), errors::bad_typecode_repository_id);
  EXPECT_EQ(create_struct("", "", std::vector<NewMember>{{"9", a_long}}).error(), errors::bad_member_name);
  EXPECT_EQ(create_struct("", "", std::vector<NewMember>{{"a", a_long}, {"a", a_long}}).error(),
            errors::bad_member_name);
  EXPECT_TRUE(create_struct("", "", std::vector<NewMember>{{"", a_long}, {"", a_long}}));
  EXPECT_EQ(create_enum("", "", std::vector<std::string_view>{"a", "a"}).error(), errors::bad_member_name);
}

TEST(CreatingRefused, Parts) {
  static constexpr TypeCode void_type = basic_type(Kind::tk_void);
  static constexpr TypeCode void_alias = alias_type("", "", void_type);
  for (const TypeRef& bad : {TypeRef(), TypeRef(basic(Kind::tk_null)), TypeRef(basic(Kind::tk_void)),
                             TypeRef(refused), TypeRef(void_alias)}) {
    EXPECT_EQ(create_sequence(0, bad).error(), errors::bad_member_typecode);
    EXPECT_EQ(create_array(1, bad).error(), errors::bad_member_typecode);
    EXPECT_EQ(create_alias("", "", bad).error(), errors::bad_member_typecode);
    EXPECT_EQ(create_box("IDL:x:1.0", "", bad).error(), errors::bad_member_typecode);
    EXPECT_EQ(create_struct("", "", std::vector<NewMember>{{"a", bad}}).error(), errors::bad_member_typecode);
  }
  EXPECT_EQ(create_array(0, a_long).error(), errors::bad_typecode_argument);
  for (const auto& [digits, scale] : {std::pair<int, int>{0, 0}, {32, 0}, {3, 4}, {3, -1}}) {
    EXPECT_EQ(create_fixed(static_cast<std::uint16_t>(digits), static_cast<std::int16_t>(scale)).error(),
              errors::bad_typecode_argument);
  }
  EXPECT_EQ(create_value("IDL:x:1.0", "", Modifier::none, a_long, {}).error(), errors::bad_member_typecode);
  EXPECT_EQ(create_value("IDL:x:1.0", "", static_cast<Modifier>(4), {}, {}).error(),
            errors::bad_typecode_argument);
  const TypeRef itself = must(create_recursive("IDL:x:1.0"));
  EXPECT_EQ(create_value("IDL:x:1.0", "", Modifier::none, itself, {}).error(),
            errors::incomplete_typecode_parameter);
}

TEST(CreatingRefused, Labels) {
  const auto made = [](const TypeRef& discriminator, std::vector<NewMember> cases) {
    return create_union("", "", discriminator, cases).error();
  };
  const NewMember otherwise{.name = "o", .type = a_long, .otherwise = true};
  EXPECT_EQ(made(a_string, {}), errors::bad_discriminator_type);
  EXPECT_EQ(made(double_type, {}), errors::bad_discriminator_type);
  EXPECT_EQ(made({}, {}), errors::bad_discriminator_type);
  EXPECT_EQ(made(must(create_recursive("IDL:x:1.0")), {}), errors::incomplete_typecode_parameter);
  EXPECT_EQ(made(a_long, {{"a", a_long, 1}, {"b", a_long, 1}}), errors::duplicate_label);
  EXPECT_EQ(made(a_long, {otherwise, otherwise}), errors::duplicate_label);
  EXPECT_EQ(made(a_long, {{"a", a_long, 0x80000000}}), errors::incompatible_label);
  EXPECT_EQ(made(boolean_type, {{"a", a_long, 2}}), errors::incompatible_label);
  EXPECT_EQ(made(suit, {{"a", a_long, 3}}), errors::incompatible_label);
  EXPECT_EQ(made(short_type, {{"a", a_long, 0xFFFF}}), errors::incompatible_label);
  EXPECT_FALSE(made(short_type, {{"a", a_long, 0xFFFFFFFFFFFF8000}, otherwise}));
  // labels of one member: one name and one type
  EXPECT_FALSE(made(a_long, {{"a", a_long, 1}, {"a", a_long, 2}}));
  const auto eight_longs = [] { return must(create_sequence(8, a_long)); };  // another TypeCode each time
  EXPECT_FALSE(made(a_long, {{"a", eight_longs(), 1}, {"a", eight_longs(), 2}}));
  EXPECT_EQ(made(a_long, {{"a", eight_longs(), 1}, {"a", must(create_sequence(9, a_long)), 2}}),
            errors::bad_member_name);
  EXPECT_EQ(made(a_long, {{"a", a_long, 1}, {"a", a_string, 2}}), errors::bad_member_name);
}

}  // namespace
}  // namespace tenon::types
