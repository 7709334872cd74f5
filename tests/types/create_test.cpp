// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes made by the ORB's operations: the same as generated ones, usable in Anys, refused with the standard's minor codes.
#include <gtest/gtest.h>
#include <tenon/tenon.hpp>

#include "any_types_any.hpp"

namespace {

using namespace AnyTypes;
using CORBA::Any;
using CORBA::TypeCodeRef;

template <typename T>
Any label(const T& value) {
  Any any;
  any <<= value;
  return any;
}

template <typename Exception, typename Call>
std::uint32_t omg_minor(const Call& call) {
  try {
    call();
  } catch (const Exception& raised) {
    return raised.minor() ^ tenon::omg_vmcid;
  }
  return 0;
}

class CreateTypeCode : public testing::Test {
 protected:
  CORBA::object_reference<CORBA::ORB> orb = CORBA::ORB_init({}, "create_typecode");
};

TEST_F(CreateTypeCode, SameAsGenerated) {
  const TypeCodeRef suit = orb->create_enum_tc(_tc_Suit->id(), "Suit", {"clubs", "hearts", "spades"});
  EXPECT_TRUE(suit->equal(_tc_Suit));
  const TypeCodeRef card = orb->create_struct_tc(
      _tc_Card->id(), "Card",
      {{"colour", suit}, {"value", CORBA::_tc_octet}, {"note", orb->create_string_tc(0)}});
  EXPECT_TRUE(card->equal(_tc_Card));
  const TypeCodeRef hand = orb->create_alias_tc(_tc_Hand->id(), "Hand", orb->create_sequence_tc(0, card));
  EXPECT_TRUE(hand->equal(_tc_Hand));
  EXPECT_TRUE(
      orb->create_alias_tc(_tc_Amount->id(), "Amount", orb->create_fixed_tc(7, 3))->equal(_tc_Amount));
  EXPECT_TRUE(
      orb->create_alias_tc(_tc_WideCode->id(), "WideCode", orb->create_wstring_tc(4))->equal(_tc_WideCode));
  EXPECT_TRUE(orb->create_interface_tc(_tc_Thing->id(), "Thing")->equal(_tc_Thing));
  EXPECT_TRUE(orb->create_abstract_interface_tc(_tc_Shape->id(), "Shape")->equal(_tc_Shape));
  EXPECT_TRUE(orb->create_local_interface_tc(_tc_Here->id(), "Here")->equal(_tc_Here));
  EXPECT_EQ(orb->create_native_tc("IDL:N:1.0", "N")->kind(), CORBA::TCKind::tk_native);
  const TypeCodeRef triple =
      orb->create_alias_tc(_tc_Triple->id(), "Triple", orb->create_array_tc(3, CORBA::_tc_long));
  EXPECT_TRUE(triple->equal(_tc_Triple));
  EXPECT_TRUE(orb->create_exception_tc(
                     _tc_Failed->id(), "Failed",
                     {{"why", CORBA::_tc_string}, {"code", CORBA::_tc_long}, {"cause", CORBA::_tc_any}})
                  ->equal(_tc_Failed));
}

TEST_F(CreateTypeCode, UnionFromItsLabels) {
  for (const TypeCodeRef& from :
       {TypeCodeRef(_tc_ByLong), TypeCodeRef(_tc_ByBoolean), TypeCodeRef(_tc_BySuit), TypeCodeRef(_tc_ByChar),
        TypeCodeRef(_tc_ByWChar), TypeCodeRef(_tc_ByULongLong)}) {
    CORBA::UnionMemberSeq members;
    for (std::uint32_t i = 0; i < from->member_count(); ++i)
      members.emplace_back(from->member_name(i), from->member_label(i), from->member_type(i));
    const TypeCodeRef made =
        orb->create_union_tc(from->id(), from->name(), from->discriminator_type(), members);
    EXPECT_TRUE(made->equal(from)) << from->name();
  }
}

TEST_F(CreateTypeCode, RecursiveOnesWorkInAnys) {
  const TypeCodeRef itself = orb->create_recursive_tc(_tc_Node->id());
  EXPECT_EQ(omg_minor<CORBA::BAD_TYPECODE>([&] { itself->kind(); }), 1u);
  EXPECT_EQ(omg_minor<CORBA::BAD_TYPECODE>([&] { itself->equal(_tc_Node); }), 1u);
  const TypeCodeRef list =
      orb->create_alias_tc(_tc_NodeSeq->id(), "NodeSeq", orb->create_sequence_tc(0, itself));
  const TypeCodeRef node =
      orb->create_struct_tc(_tc_Node->id(), "Node", {{"value", CORBA::_tc_long}, {"children", list}});
  EXPECT_TRUE(node->equal(_tc_Node));
  EXPECT_TRUE(itself->equal(_tc_Node));
  Any any;
  any <<= CORBA::typed(node, Node(1, {Node(2, {})}));
  Node got;
  ASSERT_TRUE(any >>= got);
  EXPECT_EQ(got, Node(1, {Node(2, {})}));
}

TEST_F(CreateTypeCode, ValueTypes) {
  const TypeCodeRef base =
      orb->create_value_tc("IDL:Base:1.0", "Base", CORBA::VM_NONE, nullptr,
                           {{"x", "", "", "", CORBA::_tc_long, nullptr, CORBA::PUBLIC_MEMBER}});
  EXPECT_EQ(base->member_visibility(0), CORBA::PUBLIC_MEMBER);
  EXPECT_EQ(base->concrete_base_type()->kind(), CORBA::TCKind::tk_null);
  const TypeCodeRef derived =
      orb->create_value_tc("IDL:Derived:1.0", "Derived", CORBA::VM_TRUNCATABLE, base, {});
  EXPECT_TRUE(derived->concrete_base_type()->equal(base));
  EXPECT_EQ(derived->type_modifier(), CORBA::VM_TRUNCATABLE);
  const TypeCodeRef box = orb->create_value_box_tc("IDL:Box:1.0", "Box", base);
  EXPECT_TRUE(box->content_type()->equal(base));
}

TEST_F(CreateTypeCode, MinorCodesOfTheStandard) {
  const CORBA::StructMemberSeq one{{"a", CORBA::_tc_long}};
  EXPECT_EQ(omg_minor<CORBA::BAD_PARAM>([&] { orb->create_struct_tc("", "1", one); }), 15u);
  EXPECT_EQ(omg_minor<CORBA::BAD_PARAM>([&] { orb->create_struct_tc("x", "x", one); }), 16u);
  EXPECT_EQ(omg_minor<CORBA::BAD_PARAM>([&] { orb->create_struct_tc("", "", {one[0], one[0]}); }), 17u);
  const auto make = [&](const TypeCodeRef& discriminator, const CORBA::UnionMemberSeq& members) {
    return [&, members] { orb->create_union_tc("", "", discriminator, members); };
  };
  const TypeCodeRef of_long = CORBA::_tc_long;
  const TypeCodeRef of_double = CORBA::_tc_double;
  const CORBA::UnionMember case_1{"a", label(std::int32_t{1}), CORBA::_tc_long};
  const CORBA::UnionMember again_1{"b", label(std::int32_t{1}), CORBA::_tc_long};
  const CORBA::UnionMember short_1{"a", label(std::int16_t{1}), CORBA::_tc_long};
  EXPECT_EQ(omg_minor<CORBA::BAD_PARAM>(make(of_long, {case_1, again_1})), 18u);
  EXPECT_EQ(omg_minor<CORBA::BAD_PARAM>(make(of_long, {short_1})), 19u);
  EXPECT_EQ(omg_minor<CORBA::BAD_PARAM>(make(of_double, {case_1})), 20u);
  EXPECT_EQ(omg_minor<CORBA::BAD_TYPECODE>([&] { orb->create_sequence_tc(0, CORBA::_tc_void); }), 2u);
  EXPECT_EQ(omg_minor<CORBA::BAD_TYPECODE>([&] { orb->create_struct_tc("", "", {{"e", _tc_Failed}}); }), 2u);
  EXPECT_EQ(omg_minor<CORBA::BAD_TYPECODE>([&] { orb->create_struct_tc("", "", {{"e", nullptr}}); }), 2u);
}

}  // namespace
