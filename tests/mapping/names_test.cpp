// SPDX-License-Identifier: Apache-2.0
//
// Constants of features.idl have the values that IDL gives them, and names that C++ or the mapping has taken are escaped.
#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "features_skel.hpp"

namespace {

namespace f = Features;

TEST(Constants, HaveTheirValues) {
  EXPECT_EQ(f::lowest_short, -32768);
  EXPECT_EQ(f::lowest_long, std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(f::lowest_long_long, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(f::highest, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(f::mask, 0x4F);
  EXPECT_EQ(f::quote, '\'');
  EXPECT_EQ(static_cast<unsigned char>(f::accented), 0xE9);
  EXPECT_EQ(f::wide_letter, L'\u00e9');
  EXPECT_EQ(f::third, 1.0F / 3.0F);
  EXPECT_EQ(f::greeting, "say \"hi\"\n\351?");
  EXPECT_EQ(f::wide_greeting, L"h\u00e9 2");
  EXPECT_EQ(f::price.to_string(), "25");
  EXPECT_EQ(f::favourite, f::Colour::green);
  EXPECT_EQ(static_cast<int>(f::Level::middle), 20);
  EXPECT_EQ(f::Everything().s(), f::Colour::red);
  EXPECT_EQ(f::Everything().t(), f::Level::low);
  EXPECT_EQ(f::LevelFirst().chosen(), f::Level::low);
  const f::Everything everything;
  for (const auto& levels : everything.z()) EXPECT_EQ(levels, (std::array{f::Level::low, f::Level::low}));
  EXPECT_EQ(f::Base::limit, 12);
}

// std::exception has what() already.
TEST(Names, ExceptionsWithAMemberCalledWhat) {
  using Thrown = _cxx_class::_cxx_throw;
  Thrown thrown(7, "why", "and then");
  EXPECT_STREQ(static_cast<const std::exception&>(thrown).what(),
               "IDL:class/throw:1.0 (try = 7, what = \"why\", what_ = \"and then\")");
  EXPECT_EQ(thrown._cxx_what(), "why");
  thrown._cxx_what("else");
  for (const tenon::ByteOrder order : {tenon::ByteOrder::big, tenon::ByteOrder::little}) {
    const tenon::cdr::WireFormat format{.order = order};
    tenon::cdr::Writer out(format);
    tenon::gen::Codec<Thrown>::put(out, thrown);
    Thrown back;
    tenon::cdr::Reader in(out.bytes(), format);
    tenon::gen::Codec<Thrown>::get(in, back);
    ASSERT_TRUE(in.good());
    EXPECT_EQ(back._cxx_try(), 7);
    EXPECT_EQ(back._cxx_what(), "else");
    EXPECT_EQ(back.what_(), "and then");
  }
}

TEST(Names, KeywordsAreEscaped) {
  _cxx_class::Reader reader;
  reader._cxx_register(1);
  reader.swap("member");
  reader._cxx_operator(2.5);
  EXPECT_EQ(reader.swap(), "member");
  _cxx_class::_cxx_std::string_ hidden(1, 2, 3);
  EXPECT_EQ(hidden.s(), 2);
  EXPECT_EQ(hidden.s_(), 3);
  static_assert(std::is_abstract_v<f::Watcher>);
  static_assert(std::is_base_of_v<f::Base, f::Later>);
}

}  // namespace
