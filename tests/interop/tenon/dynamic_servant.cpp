// SPDX-License-Identifier: Apache-2.0
//
// Tenon's servant of dynamic.idl: echoes Any and TypeCode, reads one, makes each kind of value. It has no state.

#include "tests/interop/tenon/dynamic_servant.hpp"

#include "dynamic_skel.hpp"
#include "tests/interop/tenon/dynamic_values.hpp"

namespace {

using namespace InteropDynamic;
using CORBA::Any;
using TypeCodeRef = IDL::traits<CORBA::TypeCode>::ref_type;

/// The contract of every echo: `a` comes back, and in `b`; the old `b` in `c`.
template <class T>
T echo(const T& a, T& b, T& c) {
  c = std::move(b);
  b = a;
  return a;
}

class DynamicServant final : public CORBA::servant_traits<InteropDynamic::Dynamic>::base_type {
 public:
  Any echo_any(const Any& a, Any& b, Any& c) override { return echo(a, b, c); }
  TypeCodeRef echo_typecode(TypeCodeRef a, TypeCodeRef& b, TypeCodeRef& c) override { return echo(a, b, c); }
  Holder echo_holder(const Holder& a, Holder& b, Holder& c) override { return echo(a, b, c); }
  InteropDynamic::AnySeq echo_any_seq(const InteropDynamic::AnySeq& a, InteropDynamic::AnySeq& b,
                                      InteropDynamic::AnySeq& c) override {
    return echo(a, b, c);
  }
  std::uint32_t kind_of(const Any& value) override {
    return static_cast<std::uint32_t>(value.type()->kind());
  }
  std::int32_t card_rank(const Any& value) override {
    Card card;
    if (!(value >>= card)) throw Refused("not a card", value);
    return static_cast<std::int32_t>(card.colour()) * 1000 + card.value();
  }
  Any make(std::uint32_t which) override;
};

Any DynamicServant::make(std::uint32_t which) {
  Any any;
  switch (which) {
    case 0: any <<= -7; break;
    case 1: any <<= "a string"; break;
    case 2: any <<= dynamic_values::ace(); break;
    case 3: any <<= CORBA::typed(_tc_Hand, dynamic_values::hand()); break;
    case 4: any <<= dynamic_values::choice(); break;
    case 5: any <<= CORBA::typed(_tc_Triples, dynamic_values::triples()); break;
    case 6: any <<= dynamic_values::amount(); break;
    case 7: any <<= dynamic_values::tree(); break;
    case 8: {
      Any inside;
      inside <<= dynamic_values::inner();
      any <<= inside;
      break;
    }
    case 9: any <<= _this(); break;
    case 10: any <<= _tc_Card; break;
    case 11: any <<= L"w\u00efde"; break;
    default: break;
  }
  return any;
}

}  // namespace

CORBA::object_reference<CORBA::Object> make_dynamic() {
  return CORBA::make_reference<DynamicServant>()->_this();
}
