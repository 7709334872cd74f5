// SPDX-License-Identifier: Apache-2.0
#include "idl/support/decimal.hpp"

#include <gtest/gtest.h>

#include "idl/support/spelling.hpp"

namespace tenon::idl {
namespace {

Decimal of(const char* text) {
  auto out = Decimal::parse(text);
  EXPECT_TRUE(out.has_value()) << text;
  return text[0] == '-' ? out->negated() : *out;
}
std::string text(const std::optional<Decimal>& value) { return value ? value->text() : "none"; }

TEST(Decimal, ParsesAndDropsZerosAtTheEnds) {
  EXPECT_EQ(of("0012.500d").text(), "12.5");
  EXPECT_EQ(of("0.0").text(), "0");
  EXPECT_EQ(of(".004").text(), "0.004");
  EXPECT_EQ(of(".004").digits(), 3u);
  EXPECT_EQ(of("-0").text(), "0");
  EXPECT_FALSE(Decimal::parse("12345678901234567890123456789012"));
  EXPECT_TRUE(Decimal::parse("1234567890123456789012345678901.000"));
}

TEST(Decimal, AddsAndSubtractsAcrossSigns) {
  EXPECT_EQ(text(Decimal::add(of("0.05"), of("0.95"))), "1");
  EXPECT_EQ(text(Decimal::add(of("-5"), of("3.25"))), "-1.75");
  EXPECT_EQ(text(Decimal::subtract(of("0.05"), of("10"))), "-9.95");
  EXPECT_EQ(text(Decimal::subtract(of("-1"), of("-1"))), "0");
}

TEST(Decimal, MultipliesAndCutsTheFractionTo31Digits) {
  EXPECT_EQ(text(Decimal::multiply(of("-1.5"), of("3.0"))), "-4.5");
  EXPECT_EQ(text(Decimal::multiply(of("0.0000000000000000000000000000001"), of("0.1"))), "0");
  EXPECT_EQ(text(Decimal::multiply(of("9999999999999999999999999999999"), of("10"))), "none");
}

TEST(Decimal, DividesTo31Digits) {
  EXPECT_EQ(text(Decimal::divide(of("10"), of("4"))), "2.5");
  EXPECT_EQ(text(Decimal::divide(of("10"), of("3"))), "3.333333333333333333333333333333");
  EXPECT_EQ(text(Decimal::divide(of("0.001"), of("1000"))), "0.000001");
  EXPECT_EQ(text(Decimal::divide(of("1"), of("0"))), "none");
}

TEST(Decimal, FitsATypeByCuttingTheFractionOnly) {
  EXPECT_EQ(text(of("1.239").fitted(5, 2)), "1.23");
  EXPECT_EQ(text(of("0.001").fitted(5, 2)), "0");
  EXPECT_EQ(text(of("999.99").fitted(5, 2)), "999.99");
  EXPECT_EQ(text(of("1000").fitted(5, 2)), "none");
}

TEST(Spelling, ProposesOnlyWhatIsNear) {
  EXPECT_EQ(nearest("Strng", {"String", "Long"}), "String");
  EXPECT_EQ(nearest("point", {"Point"}), "Point");
  EXPECT_EQ(nearest("completely", {"different"}), "");
  EXPECT_EQ(nearest("x", {"y"}), "");
}

}  // namespace
}  // namespace tenon::idl
