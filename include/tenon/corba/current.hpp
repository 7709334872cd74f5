// SPDX-License-Identifier: Apache-2.0
//
// CORBA::Current (CORBA 3.4 part 1 §8.2.2): the base of the objects that stand for the thread's own state.
#pragma once

#include "mapping/cpp11/types/traits.hpp"
#include "tenon/corba/object.hpp"

namespace CORBA {
inline namespace cpp11 {

class Current : public virtual LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/Current:1.0";

 private:
  tenon::gen::OwnId<Current> own_id_{*this};
};

}  // namespace cpp11
}  // namespace CORBA

template <>
struct IDL::traits<CORBA::Current> : tenon::gen::LocalInterfaceTraits<CORBA::Current> {};
