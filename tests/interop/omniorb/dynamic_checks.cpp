// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client, Any and TypeCode: every kind of value goes there and back, and the values that the server
// makes by itself are read member by member.
//
// Threads: main only.

#include "checks.hpp"
#include "dynamic.hh"

namespace peer {

using namespace InteropDynamic;

namespace {

Card card(Suit colour, CORBA::Octet value, const char* note) {
  Card c;
  c.colour = colour;
  c.value = value;
  c.note = CORBA::string_dup(note);
  return c;
}

bool same(const Card& a, const Card& b) {
  return a.colour == b.colour && a.value == b.value && std::strcmp(a.note, b.note) == 0;
}

bool holds_long(const CORBA::Any& any, CORBA::Long wanted) {
  CORBA::Long got = 0;
  return (any >>= got) && got == wanted;
}

bool holds_card(const CORBA::Any& any, const Card& wanted) {
  const Card* got = nullptr;
  return (any >>= got) && same(*got, wanted);
}

// What make(which) must hold, read by value; empty when right.
std::string made(CORBA::ULong which, const CORBA::Any& any, Dynamic_ptr object) {
  const Card ace = card(clubs, 3, "x");
  switch (which) {
    case 0: return holds_long(any, -7) ? "" : "not long -7";
    case 1: {
      const char* text = nullptr;
      return (any >>= text) && std::strcmp(text, "a string") == 0 ? "" : "not the string";
    }
    case 2: return holds_card(any, ace) ? "" : "not the card";
    case 3: {
      const Hand* hand = nullptr;
      return (any >>= hand) && hand->length() == 2 && same((*hand)[0], ace) && (*hand)[1].value == 11
                 ? ""
                 : "not the hand";
    }
    case 4: {
      const Choice* choice = nullptr;
      return (any >>= choice) && choice->_d() == hearts && choice->cards().length() == 2 ? ""
                                                                                         : "not the union";
    }
    case 5: {
      const Triples* triples = nullptr;
      return (any >>= triples) && triples->length() == 2 && (*triples)[1][2] == 3 ? "" : "not the triples";
    }
    case 6: {
      CORBA::Fixed amount;
      return (any >>= CORBA::Any::to_fixed(amount, 7, 3)) && amount == CORBA::Fixed("-1234.567")
                 ? ""
                 : "not the amount";
    }
    case 7: {
      const Node* node = nullptr;
      return (any >>= node) && node->children.length() == 2 && node->children[1].children[0].value == 4
                 ? ""
                 : "not the tree";
    }
    case 8: {
      const CORBA::Any* inner = nullptr;
      return (any >>= inner) && holds_card(*inner, card(hearts, 9, "inner")) ? "" : "not the any";
    }
    case 9: {
      CORBA::Object_var reference;
      return (any >>= CORBA::Any::to_object(reference.out())) && reference->_is_equivalent(object)
                 ? ""
                 : "not the reference";
    }
    case 10: {
      CORBA::TypeCode_ptr type = nullptr;
      return (any >>= type) && type->equal(_tc_Card) ? "" : "not the TypeCode";
    }
    case 11: {
      const CORBA::WChar* text = nullptr;
      return (any >>= CORBA::Any::to_wstring(text, 0)) && std::wcscmp(text, L"w\u00efde") == 0
                 ? ""
                 : "not the wstring";
    }
    default: {
      CORBA::TypeCode_var type = any.type();
      return type->kind() == CORBA::tk_null ? "" : "not empty";
    }
  }
}

void typecodes(Dynamic_ptr object) {
  const std::vector<std::pair<const char*, CORBA::TypeCode_ptr>> types{{"long", CORBA::_tc_long},
                                                                       {"string", CORBA::_tc_string},
                                                                       {"any", CORBA::_tc_any},
                                                                       {"Card", _tc_Card},
                                                                       {"Hand", _tc_Hand},
                                                                       {"Choice", _tc_Choice},
                                                                       {"Node", _tc_Node},
                                                                       {"Amount", _tc_Amount},
                                                                       {"Triples", _tc_Triples},
                                                                       {"Code", _tc_Code},
                                                                       {"Refused", _tc_Refused},
                                                                       {"Dynamic", _tc_Dynamic},
                                                                       {"Object", CORBA::_tc_Object},
                                                                       {"wstring", CORBA::_tc_wstring},
                                                                       {"TypeCode", CORBA::_tc_TypeCode}};
  for (std::size_t i = 0; i < types.size(); ++i) {
    check(std::string("echo_typecode_") + types[i].first, [&] {
      const CORBA::TypeCode_ptr a = types[i].second;
      const CORBA::TypeCode_ptr b0 = types[(i + 1) % types.size()].second;
      CORBA::TypeCode_var b = CORBA::TypeCode::_duplicate(b0), c;
      CORBA::TypeCode_var r = object->echo_typecode(a, b.inout(), c.out());
      return std::string(r->equal(a) && b->equal(a) && c->equal(b0) ? "" : "not equal");
    });
  }
}

}  // namespace

void dynamic_checks(CORBA::ORB_ptr, Interop::Echo_ptr echo, const Options& options) {
  CORBA::Object_var object = echo->dynamic();
  Dynamic_var dynamic = Dynamic::_narrow(object);
  if (CORBA::is_nil(dynamic)) {
    check("dynamic", [] { return std::string("the server has no Interop::Dynamic"); });
    return;
  }
  const bool wide = options.wide;
  for (CORBA::ULong which = 0; which <= 12; ++which) {
    if (which == 11 && !wide) continue;
    check("make_any_" + std::to_string(which), [&] {
      CORBA::Any_var any = dynamic->make(which);
      return made(which, any.in(), dynamic);
    });
    check("echo_any_" + std::to_string(which), [&] {
      CORBA::Any_var a = dynamic->make(which);
      CORBA::Any b;
      b <<= CORBA::Long(5);
      CORBA::Any_var c;
      CORBA::Any_var r = dynamic->echo_any(a.in(), b, c.out());
      const std::string first = made(which, r.in(), dynamic);
      const std::string second = made(which, b, dynamic);
      return !first.empty() ? first : !second.empty() ? second : holds_long(c.in(), 5) ? "" : "wrong out";
    });
  }
  check("kind_of", [&]() -> std::string {
    CORBA::Any any;
    any <<= card(spades, 1, "");
    const CORBA::ULong kind = dynamic->kind_of(any);
    return kind == CORBA::tk_struct ? "" : "kind " + std::to_string(kind);
  });
  check("card_rank", [&] {
    CORBA::Any any;
    any <<= card(spades, 11, "a note");
    return std::string(dynamic->card_rank(any) == 2011 ? "" : "wrong rank");
  });
  check("card_rank_refused", [&]() -> std::string {
    CORBA::Any any;
    any <<= CORBA::Long(-7);
    try {
      dynamic->card_rank(any);
    } catch (const Refused& e) {
      return std::strcmp(e.why, "not a card") == 0 && holds_long(e.cause, -7) ? "" : "wrong members";
    }
    return "no exception";
  });
  check("echo_holder", [&] {
    Holder a, b;
    a.name = CORBA::string_dup("odd");
    a.value <<= card(hearts, 8, "odd length");
    Holder_var c;
    Holder_var r = dynamic->echo_holder(a, b, c.out());
    return std::string(holds_card(r->value, card(hearts, 8, "odd length")) && std::strcmp(b.name, "odd") == 0
                           ? ""
                           : "wrong");
  });
  check("echo_any_seq", [&] {
    AnySeq a, b;
    a.length(13);
    for (CORBA::ULong i = 0; i < 13; ++i) {
      if (i == 11 && !wide) continue;
      CORBA::Any_var one = dynamic->make(i);
      a[i] = one.in();
    }
    AnySeq_var c;
    AnySeq_var r = dynamic->echo_any_seq(a, b, c.out());
    if (r->length() != 13 || b.length() != 13 || c->length() != 0) return std::string("wrong lengths");
    for (CORBA::ULong i = 0; i < 13; ++i) {
      if (i == 11 && !wide) continue;
      const std::string wrong = made(i, r.in()[i], dynamic);
      if (!wrong.empty()) return wrong;
    }
    return std::string();
  });
  typecodes(dynamic);
}

}  // namespace peer
