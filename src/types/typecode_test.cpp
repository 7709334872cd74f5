// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes: their operations, comparison, and CDR against the octets that omniORB writes (tests/wire/typecodes_omniorb.hex).
#include "types/typecode.hpp"

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "tests/wire/hex_sections.hpp"
#include "types/any.hpp"
#include "types/compare.hpp"
#include "types/typecode_test_support.hpp"
#include "types/walker.hpp"

namespace tenon::types {
namespace {

using namespace sample;

const Bytes& section(const std::string& name) {
  static wire::HexSections sections = wire::read_hex_sections("../../tests/wire/typecodes_omniorb.hex");
  EXPECT_FALSE(sections[name].empty()) << name;
  return sections[name];
}

struct Named {
  const char* name;
  const TypeCode& type;
};
const Named all[] = {
    {"Suit", suit},       {"Card", card},       {"Hand", hand},        {"Triples", triples},
    {"Amount", amount},   {"Code", code},       {"Choice", choice},    {"ByLongLong", by_long_long},
    {"ByChar", by_char},  {"Node", node},       {"NodeSeq", node_seq}, {"Twice", twice},
    {"Refused", refused}, {"Thing", thing},     {"Shape", shape},      {"Here", here},
    {"Base", base},       {"Derived", derived}, {"Box", box}};

TEST(TypeCodeOfOmniOrb, IsWhatWeWrite) {
  for (const Named& one : all) {
    const std::string name = std::string("typecode_") + one.name + "_little";
    if (&one.type ==
        &choice) {  // its enum occurs twice: omniORB's second is an offset, which some ORBs cannot read
      EXPECT_EQ(written(one.type, {.order = ByteOrder::little}).size(), section(name).size() + 0x5c);
      continue;
    }
    EXPECT_EQ(hex_dump(written(one.type, {.order = ByteOrder::little})), hex_dump(section(name))) << one.name;
  }
}

TEST(TypeCodeOfOmniOrb, IsRead) {
  for (const Named& one : all) {
    const TypeRef type =
        read_whole(section(std::string("typecode_") + one.name + "_little"), {.order = ByteOrder::little});
    ASSERT_TRUE(type) << one.name;
    EXPECT_TRUE(equal(*type, one.type)) << one.name << ": " << text(*type);
    for (const Named& other : all)
      EXPECT_EQ(equal(*type, other.type), &one == &other) << one.name << other.name;
  }
}

TEST(TypeCodeOfOmniOrb, IsReadWithEncapsulationsOfTheOtherOrder) {
  for (const Named& one : {all[1], all[9], all[11]}) {
    const TypeRef type =
        read_whole(section(std::string("typecode_") + one.name + "_big"), {.order = ByteOrder::big});
    ASSERT_TRUE(type) << one.name;
    EXPECT_TRUE(equal(*type, one.type)) << one.name;
  }
}

TEST(TypeCodeOfOmniOrb, OfEveryBasicType) {
  const TypeRef type = read_whole(section("typecode_Wide_little"), {.order = ByteOrder::little});
  ASSERT_TRUE(type);
  EXPECT_EQ(text(*type),
            "struct Wide {wchar letter; wstring[5] text; longlong ll; ulonglong ull; longdouble ld; float f; "
            "double d; "
            "boolean b; char c; short s; ushort us; ulong ul; objref Object o; TypeCode t}");
  EXPECT_EQ(written(*type, {.order = ByteOrder::little}), section("typecode_Wide_little"));
}

TEST(AnyOfOmniOrb, IsReadInBothOrders) {
  const std::pair<const char*, const char*> values[] = {
      {"Card", "{colour = hearts, value = 9, note = \"note\"}"},
      {"in_any", "{colour = hearts, value = 9, note = \"note\"}"},
      {"Node", "{value = 1, children = [{value = 2, children = []}]}"},
      {"Amount", "fixed<7,3> -1234.567"},
      {"Choice", "{spades: text = L\"w\\u{ef}de\"}"},
      {"longlong", "longlong -5"},
      {"TypeCode", "TypeCode (enum Suit {clubs; hearts; spades}) "},
      {"string", "string \"text\""},
      {"empty", "null "},
      {"Refused", "{colour = hearts, value = 9, note = \"note\"}}"}};
  for (const auto& [name, wanted] : values) {
    for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
      const Bytes& bytes =
          section(std::string("any_") + name + (order == ByteOrder::big ? "_big" : "_little"));
      cdr::Reader in(bytes, {.order = order});
      const Any any = read_any(in);
      EXPECT_TRUE(in.good()) << name;
      EXPECT_EQ(in.remaining(), 0u) << name;
      EXPECT_TRUE(text(any).ends_with(wanted)) << text(any);
    }
  }
}

TEST(TypeCodeCdr, EveryPhaseAndOrder) {
  for (const Named& one : all) {
    for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
      for (std::size_t phase = 0; phase < 8; ++phase) {
        const Bytes bytes = written(one.type, {.order = order}, phase);
        const TypeRef type = read_whole(bytes, {.order = order}, phase);
        ASSERT_TRUE(type) << one.name << phase;
        EXPECT_TRUE(equal(*type, one.type)) << one.name;
        EXPECT_EQ(written(*type, {.order = order}, phase), bytes) << one.name;
      }
    }
  }
}

TEST(TypeCodeCdr, BasicKindsAndStrings) {
  for (std::uint32_t number = 0; number < kinds; ++number) {
    const auto kind = static_cast<Kind>(number);
    if (!has_no_parameters(kind) && kind != Kind::tk_string && kind != Kind::tk_wstring) continue;
    const TypeRef type = read_whole(written(basic(kind)));
    ASSERT_TRUE(type) << name(kind);
    EXPECT_EQ(type->kind, kind);
  }
  // tk_wstring, bound 5: its parameter follows without an encapsulation
  const Bytes wide{27, 0, 0, 0, 5, 0, 0, 0};
  EXPECT_EQ(written(wstring_type(5), {.order = ByteOrder::little}), wide);
  EXPECT_EQ(read_whole(wide, {.order = ByteOrder::little})->length, 5u);
}

TEST(TypeCodeAccess, BadKindAndBounds) {
  EXPECT_EQ(long_type.checked_id().error(), errors::typecode_bad_kind);
  EXPECT_EQ(*card.checked_name(), "Card");
  EXPECT_EQ(*card.member_count(), 3u);
  EXPECT_EQ(*card.member_name(2), "note");
  EXPECT_EQ(card.member_name(3).error(), errors::typecode_bounds);
  EXPECT_EQ(*card.member_type(0), &suit);
  EXPECT_EQ(suit.member_type(0).error(), errors::typecode_bad_kind);
  EXPECT_EQ(*suit.member_name(1), "hearts");
  EXPECT_EQ(card.member_label(0).error(), errors::typecode_bad_kind);
  EXPECT_EQ(*by_char.member_label(1), std::uint64_t{'z'});
  EXPECT_EQ(*choice.checked_default_index(), 2);
  EXPECT_EQ(*choice.discriminator_type(), &suit);
  EXPECT_EQ(*five_triples.checked_length(), 5u);
  EXPECT_EQ(*hand.content_type(), &cards);
  EXPECT_EQ(card.content_type().error(), errors::typecode_bad_kind);
  EXPECT_EQ(*fixed_7_3.fixed_digits(), 7);
  EXPECT_EQ(*fixed_7_3.fixed_scale(), 3);
  EXPECT_EQ(*base.member_visibility(1), Visibility::public_member);
  EXPECT_EQ(*derived.type_modifier(), Modifier::truncatable);
  EXPECT_EQ(*derived.concrete_base_type(), &base);
  EXPECT_EQ((*base.concrete_base_type())->kind, Kind::tk_null);
}

TEST(TypeCodeComparison, EquivalentLooksThroughAliasesAndNames) {
  static constexpr Member other_names[] = {{"a", &suit}, {"b", &octet_type}, {"c", &text_type}};
  static constexpr TypeCode nameless = struct_type("", "", other_names);
  static constexpr TypeCode same_id = struct_type(card.id, "Other", {});
  static constexpr TypeCode other_id = struct_type("IDL:Other:1.0", "Card", card_members);
  EXPECT_TRUE(equivalent(hand, cards));
  EXPECT_FALSE(equal(hand, cards));
  EXPECT_TRUE(equivalent(card, nameless));
  EXPECT_FALSE(equal(card, nameless));
  EXPECT_TRUE(equivalent(card, same_id));
  EXPECT_FALSE(equivalent(card, other_id));
  EXPECT_FALSE(equivalent(triples, sequence_type(triple)));
  EXPECT_TRUE(equivalent_unbounded(triples, sequence_type(triple)));
  EXPECT_FALSE(equivalent_unbounded(three_longs, array_type(long_type, 4)));
  EXPECT_TRUE(equivalent_unbounded(code, text_type));
}

// Lists that are unrolled differently are one type: struct { sequence<itself> } and struct { sequence<struct { sequence<...> }> }.
TEST(TypeCodeComparison, RecursiveTypesEndTheWalk) {
  auto graph = make_ref<TypeGraph>();
  const auto circle = [&](std::size_t length) -> const TypeCode& {
    std::vector<TypeCode*> structs;
    for (std::size_t i = 0; i < length; ++i) structs.push_back(graph->add_node());
    for (std::size_t i = 0; i < length; ++i) {
      TypeCode* list = graph->add_node();
      *list = sequence_type(*structs[(i + 1) % length]);
      const std::span<Member> members = graph->add_members(1);
      members[0] = {"next", list};
      *structs[i] = struct_type("", "", members);
    }
    return *structs[0];
  };
  EXPECT_TRUE(equal(circle(3), circle(5)));
  EXPECT_TRUE(equivalent(circle(1009), circle(1013)));
  EXPECT_FALSE(equal(circle(1), struct_type("", "", node_members)));
}

TEST(TypeCodeCompact, LosesNamesOnly) {
  const TypeRef made = read_whole(written(twice));
  const TypeRef small = compact(made);
  EXPECT_FALSE(equal(*made, *small));
  EXPECT_TRUE(equivalent(*made, *small));
  EXPECT_EQ(small->id, twice.id);
  EXPECT_EQ(small->name, "");
  EXPECT_EQ(*small->member_name(1), "");
  EXPECT_EQ((*small->member_type(1))->kind, Kind::tk_alias);
  EXPECT_LT(written(*small).size(), written(twice).size());
}

}  // namespace
}  // namespace tenon::types
