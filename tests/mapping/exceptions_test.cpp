// SPDX-License-Identifier: Apache-2.0
//
// what() of user exceptions: the members in words, whatever their types, and never too much of them.
#include <gtest/gtest.h>

#include "exceptions.hpp"
#include "exceptions_any.hpp"
#include "mapping/cpp11/corba/exception_text.hpp"
#include "tenon/corba/policy.hpp"

namespace tenon {
namespace {

// As in a program whose ORB has tenon::parts::texts.
[[maybe_unused]] const bool has_texts = (gen::use_texts_of_exceptions(), true);

TEST(ExceptionText, NoMembers) { EXPECT_STREQ(Said::Bare().what(), "IDL:Said/Bare:1.0"); }

TEST(ExceptionText, MembersByName) {
  Said::Overdrawn overdrawn("A-17", 12.5);
  EXPECT_STREQ(overdrawn.what(), "IDL:Said/Overdrawn:1.0 (account = \"A-17\", missing = 12.5)");
  overdrawn.missing(0.1);
  EXPECT_STREQ(overdrawn.what(), "IDL:Said/Overdrawn:1.0 (account = \"A-17\", missing = 0.1)");
  const Said::Overdrawn copy = overdrawn;
  overdrawn = Said::Overdrawn();
  EXPECT_STREQ(copy.what(), "IDL:Said/Overdrawn:1.0 (account = \"A-17\", missing = 0.1)");
  EXPECT_STREQ(overdrawn.what(), "IDL:Said/Overdrawn:1.0 (account = \"\", missing = 0)");
}

TEST(ExceptionText, WhoeverCatchesItAsStdException) {
  try {
    throw Said::Overdrawn("A", 1);
  } catch (const std::exception& exception) {
    EXPECT_STREQ(exception.what(), "IDL:Said/Overdrawn:1.0 (account = \"A\", missing = 1)");
  }
}

TEST(ExceptionText, Numbers) {
  const Said::Numbers numbers(true, 'x', 200, -3, -300, 60000, -70000, 4000000000, -5000000000,
                              18000000000000000000U, 0.25F, 1.5L, IDL::Fixed<12, 2>("-12.34"),
                              static_cast<Said::Flags>(2));
  EXPECT_STREQ(
      numbers.what(),
      "IDL:Said/Numbers:1.0 (yes = true, letter = 'x', small = 200, little = -3, s = -300, us = 60000, "
      "l = -70000, ul = 4000000000, ll = -5000000000, ull = 18000000000000000000, f = 0.25, ld = 1.5, "
      "price = -12.34, bits = 2)");
}

TEST(ExceptionText, Texts) {
  EXPECT_STREQ(
      Said::Texts("a \"b\"\n\x1b[2Jc\\", L"h\u00e9", L'w').what(),
      "IDL:Said/Texts:1.0 (narrow = \"a \\\"b\\\"\\x0a\\x1b[2Jc\\\\\", wide = \"h\\u00e9\", letter = 'w')");
  EXPECT_STREQ(Said::Texts("Gr\xc3\xbc\xc3\x9f"
                           "e \xff",
                           L"", L'w')
                   .what(),
               "IDL:Said/Texts:1.0 (narrow = \"Gr\xc3\xbc\xc3\x9f"
               "e \xff\", wide = \"\", letter = 'w')");
}

TEST(ExceptionText, Nested) {
  Said::Nested nested;
  nested.tint(Said::Colour::blue);
  nested.edge(Said::Line(Said::Point(1, 2), Said::Point(3, 4.5), "edge"));
  nested.points({Said::Point(5, 6), Said::Point(7, 8)});
  nested.colours({Said::Colour::green, Said::Colour::red});
  nested.grid() = {{{1, 2, 3}, {4, 5, 6}}};
  nested.data({'C', 'a', 'l', 'c'});
  nested.places({{"home", Said::Point(9, 10)}});
  nested.names({{"a", "b"}, {}, {"c"}});
  nested.last(11);
  EXPECT_STREQ(
      nested.what(),
      "IDL:Said/Nested:1.0 (tint = blue, edge = {from = {x = 1, y = 2}, to = {x = 3, y = 4.5}, name = "
      "\"edge\"}, "
      "points = [{x = 5, y = 6}, {x = 7, y = 8}], colours = [green, red], grid = [[1, 2, 3], [4, 5, 6]], "
      "data = <4 octets, 'Calc'>, places = [{key = \"home\", value = {x = 9, y = 10}}], "
      "names = [[\"a\", \"b\"], [], [\"c\"]], none = [], last = 11)");
}

TEST(ExceptionText, References) {
  EXPECT_STREQ(Said::Referring().what(), "IDL:Said/Referring:1.0 (what = nil, another = nil)");
}

TEST(ExceptionText, Unions) {
  Said::Either text;
  text.text("none");
  EXPECT_STREQ(
      Said::Partly("first", text, "last").what(),
      "IDL:Said/Partly:1.0 (before = \"first\", which = {_d = green, text = \"none\"}, behind = \"last\")");
  Said::Either number;
  number.number(-3);
  Said::Wide point;
  point.where(Said::Point(1, 2.5));
  Said::Wide other = point;
  other._d(7);
  Said::Wide nothing;
  nothing._default();
  EXPECT_STREQ(Said::Chosen(number, text, {point, other, nothing}, 9).what(),
               "IDL:Said/Chosen:1.0 (number = {_d = red, number = -3}, text = {_d = green, text = \"none\"}, "
               "several = [{_d = -5, where = {x = 1, y = 2.5}}, {_d = 7, where = {x = 1, y = 2.5}}, "
               "{_d = 0}], last = 9)");
}

template <typename T>
CORBA::Any in_any(const T& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

TEST(ExceptionText, Anys) {
  const auto shown = [](const CORBA::Any& any) { return std::string(Said::Falling(any).what()); };
  EXPECT_EQ(shown({}), "IDL:Said/Falling:1.0 (value = null)");
  EXPECT_EQ(shown(in_any(std::int32_t{-7})), "IDL:Said/Falling:1.0 (value = long -7)");
  EXPECT_EQ(shown(in_any(Said::Point(3, 4))),
            "IDL:Said/Falling:1.0 (value = IDL:Said/Point:1.0 {x = 3, y = 4})");
  EXPECT_EQ(shown(in_any(std::string("\x1b[2J"))).find('\x1b'), std::string::npos);
  EXPECT_EQ(shown(in_any(std::string(5000, 'x'))), "IDL:Said/Falling:1.0 (value = string ...)");
  Said::Wide hidden;
  hidden.hidden(in_any(true));
  EXPECT_STREQ(Said::Chosen(Said::Either(), Said::Either(), {hidden}, 9).what(),
               "IDL:Said/Chosen:1.0 (number = {_d = green, text = \"\"}, text = {_d = green, text = \"\"}, "
               "several = [{_d = 8, hidden = boolean TRUE}], last = 9)");
}

TEST(ExceptionText, Values) {
  using CORBA::make_reference;
  const auto leaf = make_reference<Said::OBV_Tree>(2, nullptr, nullptr);
  const auto tree = make_reference<Said::OBV_Tree>(1, leaf, leaf);
  const auto square = make_reference<Said::OBV_Square>(1.5);
  const std::string before =
      "IDL:Said/Held:1.0 (root = IDL:Said/Tree:1.0 {id = 1, left = IDL:Said/Tree:1.0 {id = 2, left = null, "
      "right = null}, right = (an earlier value)}, other = ";
  // of a derived type the id, and all that follows, as its end is known
  EXPECT_EQ(
      Said::Held(tree, make_reference<Said::OBV_Derived>(1, "x", 2.5), nullptr, nullptr, nullptr, {}, 9)
          .what(),
      before +
          "IDL:Said/Derived:1.0 {...}, label = null, form = null, whole = null, heading = null, last = 9)");
  EXPECT_EQ(Said::Held(tree, make_reference<Said::OBV_Base>(3, "private"),
                       make_reference<Said::Name>("boxed"), nullptr, tree, {}, 9)
                .what(),
            before +
                "IDL:Said/Base:1.0 {number = 3, text = \"private\"}, label = IDL:Said/Name:1.0 {\"boxed\"}, "
                "form = null, whole = (an earlier value), heading = null, last = 9)");
  // whose end is not known, it ends the text
  EXPECT_EQ(
      Said::Held(tree, make_reference<Said::OBV_Secret>(1, "x", 2), nullptr, nullptr, nullptr, {}, 9).what(),
      before + "IDL:Said/Secret:1.0 {...}...)");
  EXPECT_EQ(Said::Held(tree, nullptr, nullptr, square, nullptr, {}, 9).what(),
            before + "null, label = null, form = IDL:Said/Square:1.0 {...}...)");
}

TEST(ExceptionText, OfARingOrALongListOfValuesIsBounded) {
  auto list = CORBA::make_reference<Said::OBV_Tree>(0, nullptr, nullptr);
  for (int i = 1; i < 1000; ++i) list = CORBA::make_reference<Said::OBV_Tree>(i, list, nullptr);
  const std::string text = Said::Held(list, nullptr, nullptr, nullptr, nullptr, {}, 9).what();
  EXPECT_LT(text.size(), 1200U);
  EXPECT_TRUE(text.ends_with("...)")) << text;
  const auto ring = CORBA::make_reference<Said::OBV_Tree>(1, nullptr, nullptr);
  ring->left(ring);
  const std::string round = Said::Held(ring, nullptr, nullptr, nullptr, nullptr, {}, 9).what();
  ring->left(nullptr);
  EXPECT_TRUE(round.find("left = (an earlier value), right = null}") != std::string::npos) << round;
}

TEST(ExceptionText, WhatCannotBeShownEndsIt) {
  EXPECT_EQ(std::string(Said::Endless().what()), "IDL:Said/Endless:1.0 (first = 0, depth = {below = []})");
  Said::Endless endless;
  endless.depth().below({Said::Deep()});
  EXPECT_TRUE(
      std::string(endless.what()).starts_with("IDL:Said/Endless:1.0 (first = 0, depth = {below = [{below = "))
      << endless.what();
  // A NUL cannot be sent, so it cannot be shown this way either.
  EXPECT_STREQ(Said::Overdrawn(std::string("a\0b", 3), 1).what(), "IDL:Said/Overdrawn:1.0 (...)");
}

TEST(ExceptionText, IsBounded) {
  Said::Nested nested;
  nested.points(std::vector<Said::Point>(100000));
  const std::string points = nested.what();
  EXPECT_LT(points.size(), 1200U);
  EXPECT_TRUE(points.ends_with("...)")) << points;
  const std::string text = Said::Overdrawn(std::string(1000000, 'x'), 1).what();
  EXPECT_LT(text.size(), 1200U);
  EXPECT_TRUE(text.ends_with("x\"...)"));
}

TEST(ExceptionText, OfTheOrbItself) {
  EXPECT_STREQ(CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY).what(),
               "IDL:omg.org/CORBA/PolicyError:1.0 (reason = UNSUPPORTED_POLICY)");
  EXPECT_STREQ(CORBA::InvalidPolicies({1, 3}).what(),
               "IDL:omg.org/CORBA/InvalidPolicies:1.0 (indices = [1, 3])");
}

}  // namespace
}  // namespace tenon
