// SPDX-License-Identifier: Apache-2.0
//
// omniORB's servant of dynamic.idl: echoes Any and TypeCode, reads one, makes each kind of value.
//
// Threads: omniORB's; it has no state.

#include "dynamic_servant.hpp"

namespace {

class DynamicServant : public POA_InteropDynamic::Dynamic {
 public:
  CORBA::Any* echo_any(const CORBA::Any& a, CORBA::Any& b, CORBA::Any_OUT_arg c) override {
    c = new CORBA::Any(b);
    b = a;
    return new CORBA::Any(a);
  }
  CORBA::TypeCode_ptr echo_typecode(CORBA::TypeCode_ptr a, CORBA::TypeCode_ptr& b,
                                    CORBA::TypeCode_OUT_arg c) override {
    c = b;
    b = CORBA::TypeCode::_duplicate(a);
    return CORBA::TypeCode::_duplicate(a);
  }
  InteropDynamic::Holder* echo_holder(const InteropDynamic::Holder& a, InteropDynamic::Holder& b,
                                      InteropDynamic::Holder_out c) override {
    c = new InteropDynamic::Holder(b);
    b = a;
    return new InteropDynamic::Holder(a);
  }
  InteropDynamic::AnySeq* echo_any_seq(const InteropDynamic::AnySeq& a, InteropDynamic::AnySeq& b,
                                       InteropDynamic::AnySeq_out c) override {
    c = new InteropDynamic::AnySeq(b);
    b = a;
    return new InteropDynamic::AnySeq(a);
  }
  CORBA::ULong kind_of(const CORBA::Any& value) override {
    CORBA::TypeCode_var type = value.type();
    return static_cast<CORBA::ULong>(type->kind());
  }
  CORBA::Long card_rank(const CORBA::Any& value) override {
    const InteropDynamic::Card* card = nullptr;
    if (value >>= card) return static_cast<CORBA::Long>(card->colour) * 1000 + card->value;
    throw InteropDynamic::Refused("not a card", value);
  }
  CORBA::Any* make(CORBA::ULong which) override;
};

InteropDynamic::Card card(InteropDynamic::Suit colour, CORBA::Octet value, const char* note) {
  InteropDynamic::Card c;
  c.colour = colour;
  c.value = value;
  c.note = CORBA::string_dup(note);
  return c;
}

InteropDynamic::Hand hand() {
  InteropDynamic::Hand h;
  h.length(2);
  h[0] = card(InteropDynamic::clubs, 3, "x");
  h[1] = card(InteropDynamic::spades, 11, "");
  return h;
}

InteropDynamic::Node tree() {
  InteropDynamic::Node root;
  root.value = 1;
  root.children.length(2);
  root.children[0].value = 2;
  root.children[1].value = 3;
  root.children[1].children.length(1);
  root.children[1].children[0].value = 4;
  return root;
}

CORBA::Any* DynamicServant::make(CORBA::ULong which) {
  CORBA::Any_var any = new CORBA::Any;
  switch (which) {
    case 0: any.inout() <<= CORBA::Long(-7); break;
    case 1: any.inout() <<= "a string"; break;
    case 2: any.inout() <<= card(InteropDynamic::clubs, 3, "x"); break;
    case 3: any.inout() <<= hand(); break;
    case 4: {
      InteropDynamic::Choice choice;
      choice.cards(hand());
      any.inout() <<= choice;
      break;
    }
    case 5: {
      InteropDynamic::Triples triples;
      triples.length(2);
      for (CORBA::ULong i = 0; i < 6; ++i) triples[i / 3][i % 3] = static_cast<CORBA::Long>(i) - 2;
      any.inout() <<= triples;
      break;
    }
    case 6: any.inout() <<= CORBA::Any::from_fixed(CORBA::Fixed("-1234.567"), 7, 3); break;
    case 7: any.inout() <<= tree(); break;
    case 8: {
      CORBA::Any inner;
      inner <<= card(InteropDynamic::hearts, 9, "inner");
      any.inout() <<= inner;
      break;
    }
    case 9: {
      InteropDynamic::Dynamic_var self = _this();
      any.inout() <<= self.in();
      break;
    }
    case 10: any.inout() <<= InteropDynamic::_tc_Card; break;
    case 11: any.inout() <<= CORBA::Any::from_wstring(L"w\u00efde", 0); break;
    default: break;
  }
  return any._retn();
}

}  // namespace

POA_InteropDynamic::Dynamic* peer::new_dynamic_servant() { return new DynamicServant; }
