// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client, Any and TypeCode: every kind of value goes there and back, and the values that the server makes by itself are
// read member by member. Main thread only.

#include <limits>

#include "tests/interop/tenon/checks.hpp"
#include "tests/interop/tenon/dynamic_values.hpp"
#include "tests/interop/tenon/random_any_checks.hpp"

namespace checks {
namespace {

using namespace InteropDynamic;
using CORBA::Any;
using DynamicRef = IDL::traits<InteropDynamic::Dynamic>::ref_type;
using TypeCodeRef = IDL::traits<CORBA::TypeCode>::ref_type;

template <class T>
bool holds(const Any& any, const T& wanted) {
  T got{};
  return (any >>= got) && got == wanted;
}

/// What make(which) must hold; empty when right.
std::string made(std::uint32_t which, const Any& any, const DynamicRef& object) {
  bool right = false;
  switch (which) {
    case 0: right = holds<std::int32_t>(any, -7); break;
    case 1: right = holds<std::string>(any, "a string"); break;
    case 2: right = holds(any, dynamic_values::ace()); break;
    case 3: right = holds(any, dynamic_values::hand()); break;
    case 4: right = holds(any, dynamic_values::choice()); break;
    case 5: {
      Triples triples;
      right = (any >>= CORBA::typed(_tc_Triples, triples)) && triples == dynamic_values::triples();
      break;
    }
    case 6: right = holds(any, dynamic_values::amount()); break;
    case 7: right = holds(any, dynamic_values::tree()); break;
    case 8: {
      Any inside;
      right = (any >>= inside) && holds(inside, dynamic_values::inner());
      break;
    }
    case 9: {
      CORBA::object_reference<CORBA::Object> reference;
      right = (any >>= reference) && reference->_is_equivalent(object);
      break;
    }
    case 10: {
      TypeCodeRef type;
      right = (any >>= type) && type->equal(_tc_Card);
      break;
    }
    case 11: right = holds<std::wstring>(any, L"w\u00efde"); break;
    default: right = !any.has_value(); break;
  }
  return right ? "" : "wrong: " + tenon::types::text(any._value());
}

void values(const DynamicRef& dynamic, bool wide) {
  for (std::uint32_t which = 0; which <= 12; ++which) {
    if (which == 11 && !wide) continue;
    check("make_any_" + std::to_string(which), [&] { return made(which, dynamic->make(which), dynamic); });
    check("echo_any_" + std::to_string(which), [&] {
      const Any a = dynamic->make(which);
      Any b, c;
      b <<= 5;
      const Any r = dynamic->echo_any(a, b, c);
      const std::string first = made(which, r, dynamic);
      return !first.empty() ? first
                            : verdict(true, made(which, b, dynamic).empty(), holds<std::int32_t>(c, 5));
    });
  }
}

template <class T>
void primitive(const DynamicRef& dynamic, const char* name, T value) {
  check(std::string("echo_any_") + name, [&] {
    Any a, b, c;
    a <<= value;
    b <<= 5;
    const Any r = dynamic->echo_any(a, b, c);
    return verdict(holds<T>(r, value), holds<T>(b, value), holds<std::int32_t>(c, 5));
  });
}

void primitives(const DynamicRef& dynamic, bool wide) {
  primitive(dynamic, "boolean", true);
  primitive<std::uint8_t>(dynamic, "octet", 200);
  primitive(dynamic, "char", '~');
  primitive<std::int16_t>(dynamic, "short", -32768);
  primitive<std::uint16_t>(dynamic, "ushort", 65535);
  primitive<std::uint32_t>(dynamic, "ulong", 0xffffffff);
  primitive<std::int64_t>(dynamic, "longlong", std::numeric_limits<std::int64_t>::min());
  primitive<std::uint64_t>(dynamic, "ulonglong", ~std::uint64_t{0});
  primitive(dynamic, "float", -1.5f);
  primitive(dynamic, "double", 0.1);
  if (wide) primitive(dynamic, "wchar", L'\u6c34');
}

void types(const DynamicRef& dynamic) {
  const std::vector<std::pair<const char*, TypeCodeRef>> all{{"long", CORBA::_tc_long},
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
  for (std::size_t i = 0; i < all.size(); ++i) {
    check(std::string("echo_typecode_") + all[i].first, [&] {
      const TypeCodeRef& next = all[(i + 1) % all.size()].second;
      TypeCodeRef b = next, c;
      const TypeCodeRef r = dynamic->echo_typecode(all[i].second, b, c);
      return verdict(r->equal(all[i].second), b->equal(all[i].second), c->equal(next));
    });
  }
}

void in_others(const DynamicRef& dynamic, bool wide) {
  const Card odd(Suit::hearts, 8, "odd length");
  check("echo_holder", [&] {
    Holder a, b, c;
    a.name("odd");
    a.value() <<= odd;
    const Holder r = dynamic->echo_holder(a, b, c);
    return verdict(holds(r.value(), odd), b.name() == "odd" && holds(b.value(), odd), !c.value().has_value());
  });
  check("echo_any_seq", [&] {
    InteropDynamic::AnySeq a(13), b, c;
    for (std::uint32_t i = 0; i < 13; ++i) {
      if (i != 11 || wide) a[i] = dynamic->make(i);
    }
    const InteropDynamic::AnySeq r = dynamic->echo_any_seq(a, b, c);
    if (r.size() != 13 || b.size() != 13 || !c.empty()) return std::string("wrong lengths");
    for (std::uint32_t i = 0; i < 13; ++i) {
      if (i == 11 && !wide) continue;
      const std::string wrong = made(i, r[i], dynamic);
      if (!wrong.empty()) return wrong;
    }
    return std::string();
  });
}

}  // namespace

void dynamic_checks(const EchoRef& echo, const program::Options& options) {
  const DynamicRef dynamic = IDL::traits<InteropDynamic::Dynamic>::narrow(echo->dynamic());
  if (!dynamic) {
    check("dynamic", [] { return std::string("the server has no InteropDynamic::Dynamic"); });
    return;
  }
  values(dynamic, options.wide);
  primitives(dynamic, options.wide);
  check("kind_of", [&] {
    Any any;
    any <<= Card(Suit::spades, 1, "");
    const std::uint32_t kind = dynamic->kind_of(any);
    return kind == 15 ? "" : "kind " + std::to_string(kind);
  });
  check("card_rank", [&] {
    Any any;
    any <<= Card(Suit::spades, 11, "a note");
    return std::string(dynamic->card_rank(any) == 2011 ? "" : "wrong rank");
  });
  check("card_rank_refused", [&]() -> std::string {
    Any any;
    any <<= -7;
    try {
      dynamic->card_rank(any);
    } catch (const Refused& e) {
      return e.why() == "not a card" && holds<std::int32_t>(e.cause(), -7) ? "" : "wrong members";
    }
    return "no exception";
  });
  in_others(dynamic, options.wide);
  types(dynamic);
  // In GIOP 1.1 omniORB sends replies above 8 KiB as fragments and, of the members of a struct that it copies in one piece, aligns
  // none but the first (known_failures.txt): the Anys are kept so small there that one message has them.
  random_any_checks(dynamic, options.wide, options.giop == "1.1" ? 1024 : std::size_t{1} << 30);
}

}  // namespace checks
