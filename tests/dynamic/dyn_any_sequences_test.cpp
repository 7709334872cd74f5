// SPDX-License-Identifier: Apache-2.0
//
// DynAnys of sequences of every primitive type, as a whole in and out.
#include "tests/dynamic/dyn_any_test_support.hpp"

namespace tenon::shop {
namespace {

TEST_F(Dyn, SequencesOfPrimitivesAsAWhole) {
  const auto sequence_of = [&](const CORBA::TypeCodeRef& element) {
    return factory->create_dyn_any_from_type_code(orb->create_sequence_tc(0, element));
  };
  const auto booleans = sequence_of(CORBA::_tc_boolean);
  booleans->insert_boolean_seq({true, false, true});
  EXPECT_EQ(booleans->get_boolean_seq(), (CORBA::BooleanSeq{true, false, true}));
  EXPECT_EQ(out<CORBA::BooleanSeq>(booleans), (CORBA::BooleanSeq{true, false, true}));
  const auto octets = sequence_of(CORBA::_tc_octet);
  octets->insert_octet_seq({1, 200});
  EXPECT_EQ(octets->get_octet_seq(), (CORBA::OctetSeq{1, 200}));
  EXPECT_EQ(out<CORBA::OctetSeq>(octets), (CORBA::OctetSeq{1, 200}));
  const auto chars = sequence_of(CORBA::_tc_char);
  chars->insert_char_seq({'a', 'b'});
  EXPECT_EQ(chars->get_char_seq(), (CORBA::CharSeq{'a', 'b'}));
  EXPECT_EQ(out<CORBA::CharSeq>(chars), (CORBA::CharSeq{'a', 'b'}));
  const auto shorts = sequence_of(CORBA::_tc_short);
  shorts->insert_short_seq({-2, 3});
  EXPECT_EQ(shorts->get_short_seq(), (CORBA::ShortSeq{-2, 3}));
  EXPECT_EQ(out<CORBA::ShortSeq>(shorts), (CORBA::ShortSeq{-2, 3}));
  const auto ushorts = sequence_of(CORBA::_tc_ushort);
  ushorts->insert_ushort_seq({65535});
  EXPECT_EQ(ushorts->get_ushort_seq(), (CORBA::UShortSeq{65535}));
  EXPECT_EQ(out<CORBA::UShortSeq>(ushorts), (CORBA::UShortSeq{65535}));
  const auto longs = sequence_of(CORBA::_tc_long);
  longs->insert_long_seq({-70'000, 1});
  EXPECT_EQ(longs->get_long_seq(), (CORBA::LongSeq{-70'000, 1}));
  EXPECT_EQ(out<CORBA::LongSeq>(longs), (CORBA::LongSeq{-70'000, 1}));
  const auto ulongs = sequence_of(CORBA::_tc_ulong);
  ulongs->insert_ulong_seq({4'000'000'000u});
  EXPECT_EQ(ulongs->get_ulong_seq(), (CORBA::ULongSeq{4'000'000'000u}));
  EXPECT_EQ(out<CORBA::ULongSeq>(ulongs), (CORBA::ULongSeq{4'000'000'000u}));
  const auto floats = sequence_of(CORBA::_tc_float);
  floats->insert_float_seq({0.25F, 2});
  EXPECT_EQ(floats->get_float_seq(), (CORBA::FloatSeq{0.25F, 2}));
  EXPECT_EQ(out<CORBA::FloatSeq>(floats), (CORBA::FloatSeq{0.25F, 2}));
  const auto doubles = sequence_of(CORBA::_tc_double);
  doubles->insert_double_seq({-0.5});
  EXPECT_EQ(doubles->get_double_seq(), (CORBA::DoubleSeq{-0.5}));
  EXPECT_EQ(out<CORBA::DoubleSeq>(doubles), (CORBA::DoubleSeq{-0.5}));
  const auto longlongs = sequence_of(CORBA::_tc_longlong);
  longlongs->insert_longlong_seq({-5'000'000'000});
  EXPECT_EQ(longlongs->get_longlong_seq(), (CORBA::LongLongSeq{-5'000'000'000}));
  EXPECT_EQ(out<CORBA::LongLongSeq>(longlongs), (CORBA::LongLongSeq{-5'000'000'000}));
  const auto ulonglongs = sequence_of(CORBA::_tc_ulonglong);
  ulonglongs->insert_ulonglong_seq({18'000'000'000'000'000'000u});
  EXPECT_EQ(ulonglongs->get_ulonglong_seq(), (CORBA::ULongLongSeq{18'000'000'000'000'000'000u}));
  EXPECT_EQ(out<CORBA::ULongLongSeq>(ulonglongs), (CORBA::ULongLongSeq{18'000'000'000'000'000'000u}));
  const auto longdoubles = sequence_of(CORBA::_tc_longdouble);
  longdoubles->insert_longdouble_seq({1.5L, 2});
  EXPECT_EQ(longdoubles->get_longdouble_seq(), (CORBA::LongDoubleSeq{1.5L, 2}));
  EXPECT_EQ(out<CORBA::LongDoubleSeq>(longdoubles), (CORBA::LongDoubleSeq{1.5L, 2}));
  const auto wchars = sequence_of(CORBA::_tc_wchar);
  wchars->insert_wchar_seq({L'\u20ac', L'x'});
  EXPECT_EQ(wchars->get_wchar_seq(), (CORBA::WCharSeq{L'\u20ac', L'x'}));
  EXPECT_EQ(out<CORBA::WCharSeq>(wchars), (CORBA::WCharSeq{L'\u20ac', L'x'}));
  EXPECT_THROW(longs->insert_ulong_seq({1}), DynAny::TypeMismatch);
  EXPECT_THROW(longs->get_ulong_seq(), DynAny::TypeMismatch);
}

TEST_F(Dyn, ElementsOfAnArrayInAndOut) {
  const auto row = fresh<DynArray>(Shop::_tc_Row);
  row->set_elements({any_of(std::int32_t{1}), any_of(std::int32_t{2}), any_of(std::int32_t{3})});
  EXPECT_EQ(value_of<std::int32_t>(row->get_elements().at(2)), 3);
  const auto parts = row->get_elements_as_dyn_any();
  ASSERT_EQ(parts.size(), 3u);
  parts[0]->insert_long(10);
  EXPECT_EQ(value_of<std::int32_t>(row->get_elements().at(0)), 10);
  row->set_elements_as_dyn_any({parts[2], parts[1], parts[0]});
  EXPECT_EQ(value_of<std::int32_t>(row->get_elements().at(0)), 3);
  EXPECT_THROW(row->set_elements_as_dyn_any({parts[0]}), DynAny::InvalidValue);
  EXPECT_THROW(row->set_elements({any_of(true), any_of(true), any_of(true)}), DynAny::TypeMismatch);
}

TEST_F(Dyn, MembersOfAValueAsDynAnys) {
  const auto plain = fresh<DynamicAny::DynValue>(Shop::_tc_Plain);
  plain->set_to_value();
  auto members = plain->get_members_as_dyn_any();
  ASSERT_EQ(members.size(), 1u);
  EXPECT_EQ(members[0].id(), "number");
  members[0].value()->insert_long(7);
  EXPECT_EQ(value_of<std::int32_t>(plain->get_members().at(0).value()), 7);
  plain->set_members_as_dyn_any({{"number", dyn(std::int32_t{8})}});
  EXPECT_EQ(value_of<std::int32_t>(plain->get_members().at(0).value()), 8);
  EXPECT_THROW(plain->set_members_as_dyn_any({{"other", dyn(std::int32_t{8})}}), DynAny::TypeMismatch);
}

}  // namespace
}  // namespace tenon::shop
