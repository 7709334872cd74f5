// SPDX-License-Identifier: Apache-2.0
//
// For tests: an ORB with its DynAnyFactory, and the way from values of compiled code to DynAnys and back.
#pragma once

#include "tests/dynamic/store.hpp"

namespace tenon::shop {

using CORBA::TCKind;
using DynamicAny::DynAny;
using DynamicAny::DynAnyFactory;
using DynamicAny::DynAnyRef;
using DynamicAny::DynArray;
using DynamicAny::DynEnum;
using DynamicAny::DynFixed;
using DynamicAny::DynSequence;
using DynamicAny::DynStruct;
using DynamicAny::DynUnion;

class Dyn : public ::testing::Test {
 protected:
  void SetUp() override {
    orb = CORBA::ORB_init({}, "dynany");
    factory = IDL::traits<DynAnyFactory>::narrow(orb->resolve_initial_references("DynAnyFactory"));
    ASSERT_TRUE(factory);
  }
  void TearDown() override { orb->destroy(); }

  template <typename T>
  DynAnyRef dyn(const T& value) {
    return factory->create_dyn_any(any_of(value));
  }
  template <typename Kind, typename T>
  CORBA::object_reference<Kind> dyn_as(const T& value) {
    return as<Kind>(dyn(value));
  }
  template <typename Kind>
  CORBA::object_reference<Kind> fresh(const CORBA::TypeCodeRef& type) {
    return as<Kind>(factory->create_dyn_any_from_type_code(type));
  }
  template <typename Kind>
  static CORBA::object_reference<Kind> as(const DynAnyRef& value) {
    auto narrowed = IDL::traits<Kind>::narrow(value);
    EXPECT_TRUE(narrowed);
    return narrowed;
  }
  template <typename T>
  static T out(const DynAnyRef& value) {
    return value_of<T>(value->to_any());
  }

  CORBA::object_reference<CORBA::ORB> orb;
  CORBA::object_reference<DynAnyFactory> factory;
};

}  // namespace tenon::shop
