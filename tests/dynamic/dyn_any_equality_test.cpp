// SPDX-License-Identifier: Apache-2.0
//
// DynAny::equal(): it looks at values, whichever octets they came in.
#include <cstdint>
#include <vector>

#include "cdr/compatibility.hpp"
#include "tests/dynamic/dyn_any_test_support.hpp"

namespace tenon::shop {
namespace {

TEST_F(Dyn, EqualLooksAtValues) {
  EXPECT_TRUE(dyn(any_of(std::int32_t{5}))->equal(dyn(any_of(std::int32_t{5}))));
  EXPECT_FALSE(dyn(any_of(std::int32_t{5}))->equal(dyn(any_of(std::int32_t{6}))));
  EXPECT_FALSE(dyn(std::int32_t{5})->equal(dyn(std::uint32_t{5})));
  const auto a = dyn(Shop::Items{Shop::Item("a", 1, Shop::Colour::red)});
  const auto b = dyn(Shop::Items{Shop::Item("a", 1, Shop::Colour::red)});
  b->seek(0);
  b->current_component()->seek(1);
  EXPECT_TRUE(a->equal(b));
  b->current_component()->insert_long(2);
  EXPECT_FALSE(a->equal(b));
}

TEST_F(Dyn, BytesOfAPeer) {
  // the other byte order, at another phase
  cdr::WireFormat format = types::Any::memory_format();
  format.order = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
  cdr::Writer out(format, 3);
  const Shop::Item item("pear", 7, Shop::Colour::green);
  gen::Codec<Shop::Item>::put(out, item);
  Any any;
  any._value(types::Any(Shop::_tc_Item._type(), out.bytes(), format, 3));
  const auto read = as<DynStruct>(factory->create_dyn_any(any));
  EXPECT_TRUE(read->equal(dyn(item)));
  read->next();
  EXPECT_EQ(read->get_long(), 7);
  read->insert_long(8);
  EXPECT_EQ(value_of<Shop::Item>(read->to_any()).price(), 8);
}

// In the x87's format six octets of sixteen are what the sender's memory had.
TEST_F(Dyn, LongDoublesOfTheX87AreComparedWithoutTheirPadding) {
  struct On {
    On() { cdr::compatibility().x87_long_double = true; }
    ~On() { cdr::compatibility().x87_long_double = false; }
  } on;
  const auto dyn_of = [&](std::uint8_t exponent, std::uint8_t padding, const types::TypeCode& type,
                          unsigned count) {
    cdr::Writer out({.order = ByteOrder::little});
    if (count != 1) out.put_length(count);
    for (unsigned i = 0; i < count; ++i) {
      out.align(8);
      out.put_octets(std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0x80, exponent, 0x3F});
      out.put_octets(std::vector<std::uint8_t>(6, padding));
    }
    Any any;
    any._value(types::Any(type, out.bytes(), {.order = ByteOrder::little}, 0));
    return factory->create_dyn_any(any);
  };
  static constexpr auto& one = gen::basic_type<TCKind::tk_longdouble>;
  static constexpr types::TypeCode several = types::sequence_type(one);
  EXPECT_EQ(dyn_of(0xFF, 0xCC, one, 1)->get_longdouble(), 1.0L);
  EXPECT_TRUE(dyn_of(0xFF, 0xCC, one, 1)->equal(dyn_of(0xFF, 0, one, 1)));
  EXPECT_FALSE(dyn_of(0xFF, 0xCC, one, 1)->equal(dyn_of(0xFE, 0xCC, one, 1)));
  EXPECT_TRUE(dyn_of(0xFF, 0xCC, several, 3)->equal(dyn_of(0xFF, 0x11, several, 3)));
  EXPECT_FALSE(dyn_of(0xFF, 0xCC, several, 3)->equal(dyn_of(0xFE, 0x11, several, 3)));
  EXPECT_TRUE(dyn_of(0xFF, 0xCC, one, 1)->equal(dyn(1.0L)));
}

}  // namespace
}  // namespace tenon::shop
