// SPDX-License-Identifier: Apache-2.0
//
// The tools of these tests: shrinking ends at what is wrong and nothing more; the naive codec against octets written by hand.
#include "tests/equality/shrink.hpp"

#include <gtest/gtest.h>

#include "base/hex.hpp"
#include "tests/equality/naive.hpp"
#include "tests/equality/random_type.hpp"
#include "tests/equality/random_value.hpp"
#include "types/create.hpp"
#include "types/walker.hpp"

namespace tenon::equality {
namespace {

using types::Kind;
using types::TypeRef;

/// Whether a leaf of the value satisfies something.
template <typename Holds>
bool anywhere(const Sample& sample, Holds holds) {
  const types::TypeCode& type = types::unaliased(*sample.type);
  if (sample.data.parts.empty() || type.kind == Kind::tk_objref) return holds(type, sample.data);
  for (std::size_t i = 0; i < sample.data.parts.size(); ++i) {
    TypeRef part;
    if (type.kind == Kind::tk_any) {
      part = sample.data.type;
    } else if (type.kind == Kind::tk_union) {
      part = sample.type.part(*naive_case(type, sample.data.bits)->type);
    } else {
      part = sample.type.part(type.content != nullptr ? *type.content : *type.members[i].type);
    }
    if (anywhere(Sample{part, sample.data.parts[i]}, holds)) return true;
  }
  return false;
}

TEST(Shrinking, FindsTheLeafThatFails) {
  const auto fails = [](const Sample& sample) {
    return anywhere(sample, [](const types::TypeCode& type, const Data& data) {
      return type.kind == Kind::tk_double && data.bits > 1;
    });
  };
  std::size_t tried = 0;
  for (std::uint64_t seed = 1; seed < 150; ++seed) {
    Random random(seed);
    const TypeRef type = random_type(random);
    const Sample sample{type, random_value(random, *type)};
    if (!fails(sample)) continue;
    ++tried;
    const Sample smallest = shrunk(sample, fails);
    EXPECT_EQ(smallest.type->kind, Kind::tk_double) << text(sample) << "\nbecame\n" << text(smallest);
  }
  EXPECT_GT(tried, 10u);
}

TEST(Shrinking, KeepsTheNeighboursThatMatter) {
  // fails only while an octet stands before a double in one struct
  const auto fails = [](const Sample& sample) {
    const types::TypeCode& type = *sample.type;
    return type.kind == Kind::tk_struct && type.members.size() >= 2 &&
           type.members.front().type->kind == Kind::tk_octet &&
           type.members.back().type->kind == Kind::tk_double;
  };
  const TypeRef octet = types::basic(Kind::tk_octet);
  const TypeRef text_type = types::basic(Kind::tk_string);
  const TypeRef number = types::basic(Kind::tk_double);
  const std::vector<types::NewMember> members{
      {"a", octet}, {"b", text_type}, {"c", text_type}, {"d", number}};
  Random random(1);
  const TypeRef type = *types::create_struct("", "S", members);
  const Sample smallest = shrunk({type, random_value(random, *type)}, fails);
  EXPECT_EQ(types::text(*smallest.type), "struct S {octet m0; double m1}");
}

TEST(NaiveCodec, AgainstOctetsByHand) {
  const TypeRef octet = types::basic(Kind::tk_octet);
  const TypeRef number = types::basic(Kind::tk_short);
  const TypeRef list = *types::create_sequence(0, number);
  const TypeRef money = *types::create_fixed(4, 2);
  const std::vector<types::NewMember> members{
      {"a", octet}, {"b", list}, {"c", types::basic(Kind::tk_string)}, {"d", money}};
  const TypeRef type = *types::create_struct("", "S", members);
  Data data;
  data.parts.resize(4);
  data.parts[0].bits = 7;
  data.parts[1].parts.resize(2);
  data.parts[1].parts[0].bits = 0x0102;
  data.parts[1].parts[1].bits = static_cast<std::uint64_t>(-2);
  data.parts[2].text = "hi";
  data.parts[3].text = "1234-";
  // octet, padding, count, elements, length with NUL, text, digits with a leading zero and the sign D
  EXPECT_EQ(to_hex(naive_encode(*type, data, {}).bytes),
            "07000000"
            "00000002"
            "0102fffe"
            "00000003"
            "686900"
            "01234d");
  EXPECT_EQ(to_hex(naive_encode(*type, data, {.order = ByteOrder::little, .phase = 3}).bytes),
            "07"
            "02000000"
            "0201feff"
            "03000000"
            "686900"
            "01234d");
  // the second short does not fit before the cut at 11: it is the first of a fragment
  const std::size_t cuts[] = {11};
  const Message cut = naive_encode(*type, data, {.giop_minor = 1}, cuts);
  ASSERT_EQ(cut.restarts.size(), 1u);
  EXPECT_EQ(cut.restarts[0].offset, 10u);
  EXPECT_EQ(to_hex(cut.bytes),
            "07000000"
            "00000002"
            "0102"
            "fffe"
            "0000"
            "00000003"
            "686900"
            "01234d");
  EXPECT_EQ(naive_decode(*type, cut), data);
}

}  // namespace
}  // namespace tenon::equality
