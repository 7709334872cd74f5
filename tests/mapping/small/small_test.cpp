// SPDX-License-Identifier: Apache-2.0
//
// That the tests beside this one run what builds for size have, and that such a unit links only what it names.
#include <gtest/gtest.h>

#include <vector>

#include "marshal/program.hpp"

namespace {

using namespace tenon;
using namespace tenon::marshal;

TEST(SmallInterpreter, IsWhatIsLinked) {
  EXPECT_NE(moves::unions.put, nullptr);
  EXPECT_EQ(moves::unions.group, Group::unions);
}

constexpr Word three_numbers[] = {head_of<std::vector<std::uint16_t>>(type_zero), at(Op::sequence2),
                                  fields::bound(3), at(Op::end)};
constexpr const Moves* only_numbers[] = {&moves::numbers};

TEST(SmallInterpreter, FindsTheGroupThatAUnitNames) {
  constexpr Unit unit{three_numbers, nullptr, nullptr, only_numbers};
  const std::vector<std::uint16_t> value{1, 2, 3};
  cdr::Writer out;
  encode(unit, 0, out, &value);
  ASSERT_TRUE(out.good());
  const std::vector<std::uint8_t> bytes = out.copy();
  EXPECT_EQ(bytes.size(), 10u);
  cdr::Reader in(bytes, {});
  std::vector<std::uint16_t> read;
  decode(unit, 0, in, &read);
  EXPECT_TRUE(in.good());
  EXPECT_EQ(read, value);

  const std::vector<std::uint16_t> long_one{1, 2, 3, 4};
  cdr::Writer refused;
  encode(unit, 0, refused, &long_one);
  EXPECT_FALSE(refused.good());
}

}  // namespace
