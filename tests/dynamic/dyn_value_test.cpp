// SPDX-License-Identifier: Apache-2.0
//
// DynAny of value types against compiled values.
#include "base/minor_codes.hpp"
#include "tenon/corba/value_factory.hpp"
#include "tests/dynamic/store.hpp"

namespace tenon::shop {
namespace {

using CORBA::TCKind;
using DynamicAny::DynAny;
using DynamicAny::DynAnyFactory;
using DynamicAny::DynValue;
using DynamicAny::DynValueBox;
template <typename V>
using Ref = CORBA::valuetype_reference<V>;

class DynValues : public ::testing::Test {
 protected:
  void SetUp() override {
    orb = CORBA::ORB_init({}, "dynvalues");
    tenon::register_value<Shop::Branch>(orb);
    tenon::register_value<Shop::Plain>(orb);
    tenon::register_value<Shop::Rich>(orb);
    tenon::register_value<Shop::Label>(orb);
    factory = IDL::traits<DynAnyFactory>::narrow(orb->resolve_initial_references("DynAnyFactory"));
  }
  void TearDown() override { orb->destroy(); }

  template <typename Kind, typename V>
  CORBA::object_reference<Kind> dyn(const Ref<V>& value) {
    return IDL::traits<Kind>::narrow(factory->create_dyn_any(any_of(value)));
  }
  template <typename V>
  static Ref<V> out(const DynamicAny::DynAnyRef& value) {
    Ref<V> inside;
    EXPECT_TRUE(value->to_any() >>= inside);
    return inside;
  }
  static Ref<Shop::Branch> branch(std::int32_t value, Ref<Shop::Branch> left = nullptr,
                                  Ref<Shop::Branch> right = nullptr) {
    return CORBA::make_reference<Shop::OBV_Branch>(value, left, right);
  }

  CORBA::object_reference<CORBA::ORB> orb;
  CORBA::object_reference<DynAnyFactory> factory;
};

TEST_F(DynValues, Members) {
  const auto tree = dyn<DynValue>(branch(1, branch(2), branch(3)));
  ASSERT_TRUE(tree);
  EXPECT_FALSE(tree->is_null());
  EXPECT_EQ(tree->component_count(), 3u);
  EXPECT_EQ(tree->current_member_name(), "value");
  EXPECT_EQ(tree->get_long(), 1);
  tree->seek(2);
  EXPECT_EQ(tree->current_member_kind(), TCKind::tk_value);
  const auto right = IDL::traits<DynValue>::narrow(tree->current_component());
  EXPECT_EQ(right->get_long(), 3);
  right->insert_long(30);
  EXPECT_EQ(out<Shop::Branch>(tree)->right()->value(), 30);
  EXPECT_EQ(out<Shop::Branch>(tree)->left()->value(), 2);
  const auto members = tree->get_members();
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[1].id(), "left");
  EXPECT_TRUE(dyn<DynValue>(branch(1, branch(2), branch(30)))->equal(tree));
}

TEST_F(DynValues, Null) {
  const auto tree = dyn<DynValue>(Ref<Shop::Branch>());
  EXPECT_TRUE(tree->is_null());
  EXPECT_EQ(tree->component_count(), 0u);
  EXPECT_FALSE(tree->current_component());
  EXPECT_THROW(tree->get_members(), DynAny::InvalidValue);
  EXPECT_FALSE(out<Shop::Branch>(tree));
  tree->set_to_value();
  EXPECT_EQ(tree->get_long(), 0);
  tree->insert_long(5);
  tree->seek(1);
  const auto left = IDL::traits<DynValue>::narrow(tree->current_component());
  EXPECT_TRUE(left->is_null());
  left->set_to_value();
  left->insert_long(6);
  EXPECT_EQ(out<Shop::Branch>(tree)->left()->value(), 6);
  tree->set_to_null();
  EXPECT_FALSE(out<Shop::Branch>(tree));
  tree->set_members({{"value", any_of(std::int32_t{8})},
                     {"left", any_of(Ref<Shop::Branch>())},
                     {"right", any_of(branch(9))}});
  EXPECT_FALSE(tree->is_null());
  EXPECT_EQ(out<Shop::Branch>(tree)->right()->value(), 9);
}

TEST_F(DynValues, WholeValues) {
  const auto made = IDL::traits<DynValue>::narrow(factory->create_dyn_any_from_type_code(Shop::_tc_Branch));
  EXPECT_TRUE(made->is_null());
  made->insert_val(branch(4, branch(5)));
  EXPECT_EQ(made->get_long(), 4);
  const auto back = IDL::traits<Shop::Branch>::narrow(made->get_val());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->left()->value(), 5);
  EXPECT_THROW(made->insert_val(CORBA::make_reference<Shop::OBV_Plain>(1)), DynAny::TypeMismatch);
  EXPECT_THROW(factory->create_dyn_any(any_of(true))->get_val(), DynAny::TypeMismatch);
  made->insert_val(nullptr);
  EXPECT_TRUE(made->is_null());
}

TEST_F(DynValues, BasesComeFirst) {
  const auto rich = dyn<DynValue>(Ref<Shop::Rich>(CORBA::make_reference<Shop::OBV_Rich>(1, "more")));
  EXPECT_EQ(rich->component_count(), 2u);
  EXPECT_EQ(rich->current_member_name(), "number");
  rich->next();
  rich->insert_string("most");
  EXPECT_EQ(out<Shop::Rich>(rich)->more(), "most");
  EXPECT_EQ(out<Shop::Rich>(rich)->number(), 1);
}

TEST_F(DynValues, Truncation) {
  // a Rich where the TypeCode says Plain
  Any any;
  any <<= Ref<Shop::Plain>(CORBA::make_reference<Shop::OBV_Rich>(7, "lost"));
  const auto plain = IDL::traits<DynValue>::narrow(factory->create_dyn_any(any));
  EXPECT_EQ(plain->component_count(), 1u);
  EXPECT_EQ(plain->get_long(), 7);
  EXPECT_EQ(out<Shop::Plain>(plain)->number(), 7);
  EXPECT_THROW(factory->create_dyn_any_without_truncation(any), DynamicAny::MustTruncate);
  EXPECT_THROW(factory->create_multiple_dyn_anys({any}, false), DynamicAny::MustTruncate);
  EXPECT_EQ(factory->create_multiple_dyn_anys({any}, true).size(), 1u);
}

TEST_F(DynValues, SharedAndCyclic) {
  const auto shared = branch(2);
  const auto twice = dyn<DynValue>(branch(1, shared, shared));
  twice->seek(2);
  EXPECT_EQ(twice->current_component()->get_long(), 2) << "taken apart a second time";
  const auto ring = branch(1);
  ring->left(ring);
  const auto round = dyn<DynValue>(ring);
  round->seek(1);
  const auto again = IDL::traits<DynValue>::narrow(round->current_component());
  EXPECT_EQ(again->get_long(), 1) << "a value inside itself goes on as long as one looks";
  again->insert_long(2);
  const auto read = out<Shop::Branch>(round);
  EXPECT_EQ(read->value(), 1);
  EXPECT_EQ(read->left()->value(), 2);
  EXPECT_EQ(read->left()->left()->value(), 1);
  read->left()->left()->left(nullptr);
  // two rings that differ in length only have no difference that could be found
  const auto two = branch(1, branch(1));
  two->left()->left(two);
  EXPECT_THROW(dyn<DynValue>(ring)->equal(dyn<DynValue>(two)), DynAny::InvalidValue);
  two->left(nullptr);
  ring->left(nullptr);
}

TEST_F(DynValues, Boxes) {
  const auto label = dyn<DynValueBox>(Ref<Shop::Label>(CORBA::make_reference<Shop::Label>("box")));
  EXPECT_EQ(value_of<std::string>(label->get_boxed_value()), "box");
  label->set_boxed_value(any_of(std::string("other")));
  EXPECT_EQ(out<Shop::Label>(label)->_value(), "other");
  label->get_boxed_value_as_dyn_any()->insert_string("third");
  EXPECT_EQ(out<Shop::Label>(label)->_value(), "third");
  EXPECT_THROW(label->set_boxed_value(any_of(true)), DynAny::TypeMismatch);
  label->set_boxed_value_as_dyn_any(factory->create_dyn_any(any_of(std::string("fourth"))));
  EXPECT_EQ(label->get_string(), "fourth");
  label->set_to_null();
  EXPECT_THROW(label->get_boxed_value(), DynAny::InvalidValue);
  label->set_boxed_value(any_of(std::string("again")));
  EXPECT_FALSE(label->is_null());
}

}  // namespace
}  // namespace tenon::shop
