// SPDX-License-Identifier: Apache-2.0
//
// Factories of value types (CORBA 3.4 part 1 §8.2.6; IDL to C++11 1.6 §6.18): what makes the C++ object of a value that was received.
// An ORB has a table of them by repository id; it is safe from any thread, factories are called from any thread.
#pragma once

#include <string>
#include <string_view>

#include "tenon/corba/value.hpp"

namespace tenon::orb {
class Orb;
}

namespace CORBA {
inline namespace cpp11 {

class ORB;

/// Base of all factories; V_init of generated code derives from it.
class ValueFactoryBase : public virtual Counted {
 public:
  /// A value whose state is about to be read.
  virtual valuetype_reference<ValueBase> create_for_unmarshal() = 0;

 protected:
  ValueFactoryBase() = default;
};

/// The C++ type of `native ValueFactory` in IDL, a parameter of local interfaces.
using ValueFactory = valuetype_reference<ValueFactoryBase>;

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

/// Null: none.
CORBA::valuetype_reference<CORBA::ValueFactoryBase> find_value_factory(const orb::Orb& orb,
                                                                       std::string_view id);
/// Does what ORB::register_value_factory() does.
void register_value_factory(const CORBA::object_reference<CORBA::ORB>& orb, std::string_view id,
                            const CORBA::valuetype_reference<CORBA::ValueFactoryBase>& factory);

/// Makes T, which has a constructor without arguments.
template <typename T>
class PlainValueFactory final : public CORBA::ValueFactoryBase {
 public:
  CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override {
    return CORBA::make_reference<T>();
  }
};

}  // namespace tenon::gen

namespace tenon {

/// Received values of type V will be objects of class T. T may be left out if V has nothing to implement:
/// tenon::register_value<Node>(orb); tenon::register_value<Account, Account_impl>(orb);
template <typename V, typename T = typename IDL::traits<V>::obv_type>
void register_value(const CORBA::object_reference<CORBA::ORB>& orb) {
  gen::register_value_factory(orb, V::_static_id, CORBA::make_reference<gen::PlainValueFactory<T>>());
}

}  // namespace tenon
