// SPDX-License-Identifier: Apache-2.0
//
// DynAny against values of compiled code: what one puts together, the other reads. What is equal is in dyn_any_equality_test.cpp.
#include <algorithm>

#include "base/minor_codes.hpp"
#include "tests/dynamic/dyn_any_test_support.hpp"

namespace tenon::shop {
namespace {

TEST_F(Dyn, EveryBasicTypeInAndOut) {
  const auto basics = fresh<DynStruct>(Shop::_tc_Basics);
  ASSERT_EQ(basics->component_count(), 18u);
  const ObjectRef somebody = orb->string_to_object("corbaloc::localhost:9/x");
  basics->insert_boolean(true);
  basics->next();
  basics->insert_octet(200);
  basics->next();
  basics->insert_char('q');
  basics->next();
  basics->insert_wchar(L'\u20ac');
  basics->next();
  basics->insert_short(-2);
  basics->next();
  basics->insert_ushort(65535);
  basics->next();
  basics->insert_long(-3);
  basics->next();
  basics->insert_ulong(4000000000u);
  basics->next();
  basics->insert_longlong(-5);
  basics->next();
  basics->insert_ulonglong(~0ull);
  basics->next();
  basics->insert_float(0.5f);
  basics->next();
  basics->insert_double(-0.25);
  basics->next();
  basics->insert_longdouble(1.5L);
  basics->next();
  basics->insert_string("text");
  basics->next();
  basics->insert_wstring(L"w\u00efde");
  basics->next();
  basics->insert_any(any_of(std::int32_t{77}));
  basics->next();
  basics->insert_typecode(Shop::_tc_Item);
  basics->next();
  basics->insert_reference(somebody);
  EXPECT_FALSE(basics->next());

  const auto read = out<Shop::Basics>(basics);
  EXPECT_EQ(read.flag(), true);
  EXPECT_EQ(read.small(), 200);
  EXPECT_EQ(read.wide_letter(), L'\u20ac');
  EXPECT_EQ(read.us(), 65535);
  EXPECT_EQ(read.ll(), -5);
  EXPECT_EQ(read.ull(), ~0ull);
  EXPECT_EQ(read.ld(), 1.5L);
  EXPECT_EQ(read.wide_text(), L"w\u00efde");
  EXPECT_EQ(value_of<std::int32_t>(read.anything()), 77);
  EXPECT_TRUE(read.type()->equal(Shop::_tc_Item));
  EXPECT_TRUE(read.who()->_is_equivalent(somebody));

  const auto back = dyn(read);
  EXPECT_TRUE(back->equal(basics));
  EXPECT_TRUE(back->get_boolean());
  back->next();
  EXPECT_EQ(back->get_octet(), 200);
  back->next();
  EXPECT_EQ(back->get_char(), 'q');
  back->next();
  EXPECT_EQ(back->get_wchar(), L'\u20ac');
  back->next();
  EXPECT_EQ(back->get_short(), -2);
  back->next();
  EXPECT_EQ(back->get_ushort(), 65535);
  back->next();
  EXPECT_EQ(back->get_long(), -3);
  back->next();
  EXPECT_EQ(back->get_ulong(), 4000000000u);
  back->next();
  EXPECT_EQ(back->get_longlong(), -5);
  back->next();
  EXPECT_EQ(back->get_ulonglong(), ~0ull);
  back->next();
  EXPECT_EQ(back->get_float(), 0.5f);
  back->next();
  EXPECT_EQ(back->get_double(), -0.25);
  back->next();
  EXPECT_EQ(back->get_longdouble(), 1.5L);
  back->next();
  EXPECT_EQ(back->get_string(), "text");
  back->next();
  EXPECT_EQ(back->get_wstring(), L"w\u00efde");
  back->next();
  EXPECT_EQ(value_of<std::int32_t>(back->get_any()), 77);
  EXPECT_EQ(back->get_dyn_any()->get_long(), 77);
  back->insert_dyn_any(dyn(std::string("inside")));
  back->next();
  EXPECT_TRUE(back->get_typecode()->equal(Shop::_tc_Item));
  back->next();
  EXPECT_TRUE(back->get_reference()->_is_equivalent(somebody));
  EXPECT_EQ(value_of<std::string>(out<Shop::Basics>(back).anything()), "inside");
  EXPECT_FALSE(back->equal(basics));
}

TEST_F(Dyn, BasicValueHasNoComponents) {
  const auto number = dyn(std::int32_t{5});
  EXPECT_EQ(number->component_count(), 0u);
  EXPECT_FALSE(number->seek(0));
  EXPECT_THROW(number->current_component(), DynAny::TypeMismatch);
  EXPECT_EQ(number->get_long(), 5);
  EXPECT_THROW(number->get_short(), DynAny::TypeMismatch);
  EXPECT_THROW(number->insert_string("x"), DynAny::TypeMismatch);
  number->insert_long(6);
  EXPECT_EQ(out<std::int32_t>(number), 6);
}

TEST_F(Dyn, Bounds) {
  const auto tag = fresh<DynAny>(Shop::_tc_Tag);
  tag->insert_string("four");
  EXPECT_THROW(tag->insert_string("fiver"), DynAny::InvalidValue);
  EXPECT_EQ(tag->get_string(), "four");
  const auto code = fresh<DynSequence>(Shop::_tc_Code);
  EXPECT_THROW(code->set_length(9), DynAny::InvalidValue);
  EXPECT_THROW(code->insert_octet_seq(CORBA::OctetSeq(9)), DynAny::InvalidValue);
  EXPECT_THROW(code->set_elements(DynamicAny::AnySeq(9, any_of(std::uint8_t{1}))), DynAny::InvalidValue);
  code->insert_octet_seq(CORBA::OctetSeq(8, 3));
  EXPECT_EQ(code->get_length(), 8u);
}

TEST_F(Dyn, Navigation) {
  const auto item = dyn_as<DynStruct>(Shop::Item("pear", 7, Shop::Colour::green));
  EXPECT_EQ(item->current_member_name(), "name");
  EXPECT_EQ(item->current_member_kind(), TCKind::tk_string);
  EXPECT_EQ(item->get_string(), "pear");
  EXPECT_TRUE(item->next());
  EXPECT_EQ(item->get_long(), 7);
  EXPECT_TRUE(item->seek(2));
  EXPECT_EQ(as<DynEnum>(item->current_component())->get_as_string(), "green");
  EXPECT_FALSE(item->seek(3));
  EXPECT_FALSE(item->current_component());
  EXPECT_THROW(item->get_long(), DynAny::InvalidValue);
  EXPECT_THROW(item->current_member_name(), DynAny::InvalidValue);
  EXPECT_TRUE(item->next()) << "from before the first to the first";
  EXPECT_EQ(item->current_member_name(), "name");
  EXPECT_FALSE(item->seek(-1));
  item->rewind();
  EXPECT_EQ(item->get_string(), "pear");
}

TEST_F(Dyn, ComponentsAreThePartsThemselves) {
  const auto items = dyn_as<DynSequence>(
      Shop::Items{Shop::Item("a", 1, Shop::Colour::red), Shop::Item("b", 2, Shop::Colour::red)});
  items->seek(1);
  const DynAnyRef second = items->current_component();
  second->seek(1);
  second->current_component()->insert_long(22);
  EXPECT_EQ(out<Shop::Items>(items)[1].price(), 22);
  EXPECT_EQ(out<Shop::Item>(second).price(), 22);
  EXPECT_THROW(items->insert_long(1), DynAny::TypeMismatch) << "the current component has components";
}

TEST_F(Dyn, StructMembers) {
  const auto item = fresh<DynStruct>(Shop::_tc_Item);
  item->set_members({{"name", any_of(std::string("fig"))},
                     {"", any_of(std::int32_t{3})},
                     {"shade", any_of(Shop::Colour::blue)}});
  EXPECT_EQ(out<Shop::Item>(item).name(), "fig");
  const auto members = item->get_members();
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[2].id(), "shade");
  EXPECT_EQ(value_of<Shop::Colour>(members[2].value()), Shop::Colour::blue);
  EXPECT_THROW(item->set_members({}), DynAny::InvalidValue);
  auto wrong = members;
  wrong[0].id("nom");
  EXPECT_THROW(item->set_members(wrong), DynAny::TypeMismatch);
  wrong = members;
  wrong[1].value(any_of(std::string("three")));
  EXPECT_THROW(item->set_members(wrong), DynAny::TypeMismatch);
  const auto parts = item->get_members_as_dyn_any();
  parts[1].value()->insert_long(99);
  EXPECT_EQ(out<Shop::Item>(item).price(), 99);
  const auto other = fresh<DynStruct>(Shop::_tc_Item);
  other->set_members_as_dyn_any(parts);
  EXPECT_TRUE(other->equal(item));
}

TEST_F(Dyn, Exceptions) {
  const auto sold = dyn_as<DynStruct>(Shop::SoldOut("pears", 3));
  EXPECT_EQ(sold->get_string(), "pears");
  sold->insert_string("plums");
  EXPECT_EQ(out<Shop::SoldOut>(sold).article(), "plums");
  const auto closed = dyn_as<DynStruct>(Shop::Closed());
  EXPECT_EQ(closed->component_count(), 0u);
  EXPECT_THROW(closed->current_component(), DynAny::TypeMismatch);
  EXPECT_THROW(closed->current_member_name(), DynAny::TypeMismatch);
  EXPECT_NO_THROW(out<Shop::Closed>(closed));
}

TEST_F(Dyn, UnionWithDefault) {
  const auto note = fresh<DynUnion>(Shop::_tc_Note);
  EXPECT_EQ(note->member_name(), "text");
  EXPECT_EQ(note->component_count(), 2u);
  note->member()->insert_string("hello");
  EXPECT_EQ(out<Shop::Note>(note).text(), "hello");
  note->set_discriminator(dyn(std::int16_t{2}));
  EXPECT_EQ(note->member_name(), "about");
  EXPECT_EQ(note->member_kind(), TCKind::tk_struct);
  EXPECT_EQ(note->discriminator_kind(), TCKind::tk_short);
  note->member()->insert_string("apple");
  note->set_discriminator(dyn(std::int16_t{3}));  // the same case: the member stays
  EXPECT_EQ(out<Shop::Note>(note).about().name(), "apple");
  EXPECT_EQ(out<Shop::Note>(note)._d(), 3);
  note->set_to_default_member();
  EXPECT_EQ(note->member_name(), "flag");
  note->member()->insert_boolean(true);
  EXPECT_TRUE(out<Shop::Note>(note).flag());
  EXPECT_THROW(note->set_to_no_active_member(), DynAny::TypeMismatch);
  EXPECT_THROW(note->set_discriminator(dyn(std::int32_t{2})), DynAny::TypeMismatch);
}

TEST_F(Dyn, UnionFollowsItsDiscriminator) {
  Shop::Note started;
  started.text("x");
  const auto note = dyn_as<DynUnion>(started);
  note->seek(0);
  note->insert_short(3);  // the current component is the discriminator
  EXPECT_EQ(note->member_name(), "about");
  note->get_discriminator()->insert_short(0);
  EXPECT_EQ(note->member_name(), "text");
  EXPECT_EQ(note->member()->get_string(), "") << "the old member is lost";
  EXPECT_EQ(out<Shop::Note>(note)._d(), 0);
}

TEST_F(Dyn, UnionsWithoutDefault) {
  const auto maybe = fresh<DynUnion>(Shop::_tc_Maybe);
  EXPECT_FALSE(maybe->has_no_active_member());
  maybe->member()->insert_double(0.5);
  EXPECT_THROW(maybe->set_to_default_member(), DynAny::TypeMismatch);
  maybe->set_to_no_active_member();
  EXPECT_TRUE(maybe->has_no_active_member());
  EXPECT_EQ(maybe->component_count(), 1u);
  EXPECT_THROW(maybe->member(), DynAny::InvalidValue);
  EXPECT_EQ(out<Shop::Maybe>(maybe)._d(), 1);
  const auto offer = fresh<DynUnion>(Shop::_tc_Offer);
  EXPECT_THROW(offer->set_to_no_active_member(), DynAny::TypeMismatch) << "every value has a case";
  EXPECT_EQ(as<DynEnum>(offer->get_discriminator())->get_as_string(), "red");
}

TEST_F(Dyn, Sequences) {
  const auto flags = fresh<DynSequence>(Shop::_tc_Flags);
  EXPECT_EQ(flags->get_length(), 0u);
  EXPECT_THROW(flags->insert_boolean(true), DynAny::InvalidValue);
  flags->set_length(2);
  flags->insert_boolean(true);
  EXPECT_EQ(out<Shop::Flags>(flags), (Shop::Flags{true, false}));
  flags->seek(1);
  flags->set_length(1);
  EXPECT_FALSE(flags->current_component());
  flags->set_length(3);
  flags->insert_boolean(true);
  EXPECT_EQ(flags->get_boolean_seq(), (CORBA::BooleanSeq{true, true, false}))
      << "the first new one was current";
  flags->set_elements({any_of(false), any_of(true)});
  EXPECT_EQ(flags->get_elements().size(), 2u);
  EXPECT_THROW(flags->set_elements({any_of(std::int32_t{1})}), DynAny::TypeMismatch);
  const auto parts = flags->get_elements_as_dyn_any();
  parts[0]->insert_boolean(true);
  EXPECT_EQ(out<Shop::Flags>(flags), (Shop::Flags{true, true}));
  flags->set_elements_as_dyn_any({parts[1]});
  EXPECT_EQ(flags->get_length(), 1u);
}

TEST_F(Dyn, Arrays) {
  const auto row = fresh<DynArray>(Shop::_tc_Row);
  EXPECT_EQ(row->component_count(), 3u);
  row->insert_long_seq({1, 2, 3});
  EXPECT_EQ(row->get_long_seq(), (CORBA::LongSeq{1, 2, 3}));
  EXPECT_THROW(row->insert_long_seq({1, 2}), DynAny::InvalidValue);
  EXPECT_THROW(row->insert_short_seq({1, 2, 3}), DynAny::TypeMismatch);
  EXPECT_THROW(row->set_elements({any_of(std::int32_t{1})}), DynAny::InvalidValue);
  row->seek(2);
  row->insert_long(30);
  EXPECT_EQ((out<std::array<std::int32_t, 3>>(row)), (std::array<std::int32_t, 3>{1, 2, 30}));
}

/// Each insert_X_seq with its get_X_seq, on a sequence and on a sequence that is the current component.
template <typename T, typename Insert, typename Get>
void block(DynAnyFactory& factory, const std::vector<T>& values, Insert insert, Get get) {
  const auto empty = factory.create_dyn_any(any_of(std::vector<T>{}));
  ((*empty).*insert)(values);
  EXPECT_EQ(((*empty).*get)(), values);
  EXPECT_EQ(value_of<std::vector<T>>(empty->to_any()), values);
  const auto nested = factory.create_dyn_any(any_of(std::vector<std::vector<T>>(2)));
  nested->seek(1);
  ((*nested).*insert)(values);
  EXPECT_EQ(((*nested).*get)(), values);
  EXPECT_EQ(value_of<std::vector<std::vector<T>>>(nested->to_any())[1], values);
}

TEST_F(Dyn, Blocks) {
  block<bool>(*factory, {true, false}, &DynAny::insert_boolean_seq, &DynAny::get_boolean_seq);
  block<std::uint8_t>(*factory, {1, 2, 3}, &DynAny::insert_octet_seq, &DynAny::get_octet_seq);
  block<char>(*factory, {'a', 'b'}, &DynAny::insert_char_seq, &DynAny::get_char_seq);
  block<wchar_t>(*factory, {L'a', L'\u20ac'}, &DynAny::insert_wchar_seq, &DynAny::get_wchar_seq);
  block<std::int16_t>(*factory, {-1, 2}, &DynAny::insert_short_seq, &DynAny::get_short_seq);
  block<std::uint16_t>(*factory, {1, 2}, &DynAny::insert_ushort_seq, &DynAny::get_ushort_seq);
  block<std::int32_t>(*factory, {-1, 2}, &DynAny::insert_long_seq, &DynAny::get_long_seq);
  block<std::uint32_t>(*factory, {1, 2}, &DynAny::insert_ulong_seq, &DynAny::get_ulong_seq);
  block<std::int64_t>(*factory, {-1, 2}, &DynAny::insert_longlong_seq, &DynAny::get_longlong_seq);
  block<std::uint64_t>(*factory, {1, 2}, &DynAny::insert_ulonglong_seq, &DynAny::get_ulonglong_seq);
  block<float>(*factory, {0.5f, -1}, &DynAny::insert_float_seq, &DynAny::get_float_seq);
  block<double>(*factory, {0.25, -1}, &DynAny::insert_double_seq, &DynAny::get_double_seq);
  block<long double>(*factory, {0.125L, -1}, &DynAny::insert_longdouble_seq, &DynAny::get_longdouble_seq);
}

TEST_F(Dyn, Fixed) {
  const auto amount = fresh<DynFixed>(Shop::_tc_Amount);
  EXPECT_TRUE(amount->set_value("-123.45"));
  EXPECT_EQ(amount->get_value(), "-123.45");
  EXPECT_EQ((out<IDL::Fixed<7, 2>>(amount)), (IDL::Fixed<7, 2>("-123.45")));
  EXPECT_FALSE(amount->set_value("1.239d")) << "a place was cut";
  EXPECT_EQ(amount->get_value(), "1.23");
  EXPECT_THROW(amount->set_value("123456"), DynAny::InvalidValue);
  EXPECT_THROW(amount->set_value("12x"), DynAny::TypeMismatch);
}

TEST_F(Dyn, Enums) {
  const auto colour = fresh<DynEnum>(Shop::_tc_Colour);
  EXPECT_EQ(colour->get_as_ulong(), 0u);
  colour->set_as_string("blue");
  EXPECT_EQ(out<Shop::Colour>(colour), Shop::Colour::blue);
  colour->set_as_ulong(1);
  EXPECT_EQ(colour->get_as_string(), "green");
  EXPECT_THROW(colour->set_as_string("mauve"), DynAny::InvalidValue);
  EXPECT_THROW(colour->set_as_ulong(3), DynAny::InvalidValue);
}

TEST_F(Dyn, RecursiveTypes) {
  Shop::Node tree(1, {Shop::Node(2, {Shop::Node(3, {})}), Shop::Node(4, {})});
  const auto node = dyn_as<DynStruct>(tree);
  node->seek(1);
  const auto children = as<DynSequence>(node->current_component());
  ASSERT_EQ(children->get_length(), 2u);
  children->set_length(3);
  children->seek(2);
  children->current_component()->insert_long(5);
  const auto read = out<Shop::Node>(node);
  ASSERT_EQ(read.children().size(), 3u);
  EXPECT_EQ(read.children()[0].children()[0].value(), 3);
  EXPECT_EQ(read.children()[2].value(), 5);
  EXPECT_EQ(fresh<DynStruct>(Shop::_tc_Node)->component_count(), 2u);
}

TEST_F(Dyn, AssignAndFromAny) {
  const auto item = fresh<DynStruct>(Shop::_tc_Item);
  item->next();
  item->assign(dyn(Shop::Item("kiwi", 1, Shop::Colour::green)));
  EXPECT_EQ(item->get_string(), "kiwi") << "the first component is current again";
  item->from_any(any_of(Shop::Item("lime", 1, Shop::Colour::green)));
  EXPECT_EQ(item->get_string(), "lime");
  EXPECT_THROW(item->assign(dyn(std::int32_t{1})), DynAny::TypeMismatch);
  EXPECT_THROW(item->from_any(any_of(std::int32_t{1})), DynAny::TypeMismatch);
  EXPECT_TRUE(item->type()->equal(Shop::_tc_Item));
  // aliases are another name for the same
  const auto row = fresh<DynArray>(Shop::_tc_Row);
  row->from_any(any_of(std::array<std::int32_t, 3>{4, 5, 6}));
  EXPECT_EQ(row->type()->kind(), TCKind::tk_alias);
  EXPECT_EQ(row->to_any().type()->name(), "Row");
}

TEST_F(Dyn, CopyAndDestroy) {
  const auto item = dyn_as<DynStruct>(Shop::Item("date", 5, Shop::Colour::red));
  const auto copy = item->copy();
  copy->insert_string("fig");
  EXPECT_EQ(item->get_string(), "date");
  const DynAnyRef name = item->current_component();
  name->destroy();
  EXPECT_EQ(name->get_string(), "date") << "a component goes with the whole";
  item->destroy();
  for (const DynAnyRef& each : {DynAnyRef(item), name}) {
    EXPECT_EQ(outcome_of([&] { each->get_string(); }), text_of(errors::dyn_any_destroyed));
    EXPECT_EQ(outcome_of([&] { each->destroy(); }), text_of(errors::dyn_any_destroyed));
  }
  EXPECT_EQ(copy->get_string(), "fig");
}

TEST_F(Dyn, Factory) {
  const auto made = factory->create_multiple_dyn_anys({any_of(std::int32_t{1}), any_of(true)}, false);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[1]->get_boolean(), true);
  EXPECT_EQ(factory->create_multiple_anys(made).size(), 2u);
  EXPECT_EQ(factory->create_dyn_any_without_truncation(any_of(true))->get_boolean(), true);
  static constexpr types::TypeCode native = types::named_type(TCKind::tk_native, "IDL:N:1.0", "N");
  EXPECT_THROW(factory->create_dyn_any_from_type_code(CORBA::TypeCodeRef(native)),
               DynAnyFactory::InconsistentTypeCode);
  static constexpr types::TypeCode many = types::array_type(gen::basic_type<TCKind::tk_double>, 0xFFFFFFFF);
  EXPECT_EQ(
      outcome_of([&] { factory->create_dyn_any_from_type_code(CORBA::TypeCodeRef(many)); }).substr(0, 9),
      "IMP_LIMIT");
  const auto names = orb->list_initial_services();
  EXPECT_NE(std::find(names.begin(), names.end(), "DynAnyFactory"), names.end());
}

}  // namespace
}  // namespace tenon::shop
