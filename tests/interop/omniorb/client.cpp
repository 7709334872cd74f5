// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client of echo.idl: runs every operation with telling values against whatever server the given
// reference names, and prints one line per check: "ok NAME" or "FAIL NAME reason". Exit status 0 only when all
// checks passed. The checks of Any and TypeCode are in dynamic_checks.cpp.
//
// Threads: one, but for the check that calls from several.

#include "checks.hpp"
#include "exchange.hpp"

#include <climits>
#include <cmath>
#include <limits>
#include <thread>

namespace {

using namespace peer;

std::string text_of(const char* latin1, const char* utf8) { return peer::native_is_utf8 ? utf8 : latin1; }

// ---- groups of checks ----------------------------------------------------------------------------------------

void primitives(Ref* echo) {
  peer::check("noop", [&] {
    echo->noop();
    return std::string();
  });
  values<CORBA::Boolean>(echo, "echo_boolean", &Ref::echo_boolean, {true, false});
  values<CORBA::Octet>(echo, "echo_octet", &Ref::echo_octet, {0, 1, 127, 128, 255});
  values<CORBA::Char>(echo, "echo_char", &Ref::echo_char, {'A', ' ', '~', '\0'});
  values<CORBA::Short>(echo, "echo_short", &Ref::echo_short, {SHRT_MIN, -1, 0, 1, SHRT_MAX});
  values<CORBA::UShort>(echo, "echo_ushort", &Ref::echo_ushort, {0, 1, 0x8000, USHRT_MAX});
  values<CORBA::Long>(echo, "echo_long", &Ref::echo_long, {INT_MIN, -1, 0, 0x01020304, INT_MAX});
  values<CORBA::ULong>(echo, "echo_ulong", &Ref::echo_ulong, {0, 0x80000000u, UINT_MAX});
  values<CORBA::LongLong>(echo, "echo_longlong", &Ref::echo_longlong,
                          {LLONG_MIN, -1, 0, 0x0102030405060708, LLONG_MAX});
  values<CORBA::ULongLong>(echo, "echo_ulonglong", &Ref::echo_ulonglong, {0, 1ull << 63, ULLONG_MAX});
  using F = std::numeric_limits<float>;
  using D = std::numeric_limits<double>;
  values<CORBA::Float>(echo, "echo_float", &Ref::echo_float,
                       {0.f, -1.5f, F::max(), F::denorm_min(), F::infinity(), F::quiet_NaN()});
  values<CORBA::Double>(echo, "echo_double", &Ref::echo_double,
                        {0., -1.5, 0.1, D::max(), D::denorm_min(), -D::infinity(), D::quiet_NaN()});
  values<CORBA::LongDouble>(echo, "echo_longdouble", &Ref::echo_longdouble,
                            {0.L, -1.5L, 1.L / 3, std::numeric_limits<long double>::max()});
  values<Colour>(echo, "echo_colour", &Ref::echo_colour, {red, green, blue});
  values<Single>(echo, "echo_single", &Ref::echo_single, {only});
  decimals<Money>(echo, "echo_money", &Ref::echo_money, {"0", "-1234567.89", "0.01", "9999999.99"});
  decimals<Huge>(echo, "echo_huge", &Ref::echo_huge, {"1234567890123456789012345678901", "-1"});
  decimals<Fraction>(echo, "echo_fraction", &Ref::echo_fraction, {"0.9999", "-0.0001"});
}

template <class Op>
void strings(Ref* echo, const char* name, Op op, const std::vector<std::string>& list) {
  exchange(name, list, [&](const std::string& a, const std::string& b0) {
    CORBA::String_var b = CORBA::string_dup(b0.c_str());
    CORBA::String_var c;
    CORBA::String_var r = (echo->*op)(a.c_str(), b.inout(), c.out());
    return verdict(a == r.in(), a == b.in(), b0 == c.in());
  });
}

template <class Op>
void wide_strings(Ref* echo, const char* name, Op op, const std::vector<std::wstring>& list) {
  exchange(name, list, [&](const std::wstring& a, const std::wstring& b0) {
    CORBA::WString_var b = CORBA::wstring_dup(b0.c_str());
    CORBA::WString_var c;
    CORBA::WString_var r = (echo->*op)(a.c_str(), b.inout(), c.out());
    return verdict(a == r.in(), a == b.in(), b0 == c.in());
  });
}

std::string points_are(const ULongSeq& got, const std::vector<CORBA::ULong>& wanted) {
  std::string seen;
  bool equal = got.length() == wanted.size();
  for (CORBA::ULong i = 0; i < got.length(); ++i) {
    seen += " " + std::to_string(got[i]);
    equal = equal && got[i] == wanted[i];
  }
  return equal ? "" : "the servant read" + seen;
}

void text(Ref* echo, const peer::Options& options) {
  const std::string umlauts = text_of(
      "Gr\xfc\xdf"
      "e \xe9\xff",
      "Gr\xc3\xbc\xc3\x9f"
      "e \xc3\xa9\xc3\xbf");
  std::vector<std::string> list{"", "x", "hello, world", umlauts, std::string(5000, 'q')};
  if (peer::native_is_utf8 && peer::peer_is_utf8)
    list.push_back("\xe2\x82\xac \xe6\xb0\xb4 \xf0\x9f\x98\x80");
  strings(echo, "echo_string", &Ref::echo_string, list);
  strings(echo, "echo_short_text", &Ref::echo_short_text, {"", "sixteen chars ok", "x"});
  peer::check_raises("echo_short_text_too_long", {"BAD_PARAM", "MARSHAL"}, [&] {
    CORBA::String_var b = CORBA::string_dup("");
    CORBA::String_var c;
    CORBA::String_var r = echo->echo_short_text("seventeen chars!!", b.inout(), c.out());
  });
  if (!peer::native_is_utf8 && !peer::peer_is_utf8) {
    values<CORBA::Char>(echo, "echo_char_latin1", &Ref::echo_char, {0xe9, 0xff, 0x80});
  } else if (peer::native_is_utf8 != peer::peer_is_utf8) {
    // What travels is UTF-8, where such a char is half a character. (Without a conversion omniORB does not look.)
    peer::check_raises("echo_char_half", {"DATA_CONVERSION"}, [&] {
      CORBA::Char b = 'b', c = 'c';
      echo->echo_char(0xe9, b, c);
    });
  }
  peer::check("code_points", [&] {
    ULongSeq_var got = echo->code_points(umlauts.c_str());
    return points_are(got, {'G', 'r', 0xfc, 0xdf, 'e', ' ', 0xe9, 0xff});
  });

  const std::vector<std::wstring> wide{L"", L"w", L"w\u00efde", L"\u6c34\u20ac",
                                       std::wstring(3000, L'\u00e9')};
  if (!options.wide) {
    // GIOP 1.0 has no wide text, and a reference without code sets none either: refused before the wire.
    peer::check_raises("wchar_refused", {"BAD_PARAM", "MARSHAL", "INV_OBJREF"}, [&] {
      CORBA::WChar b = L'b', c = 0;
      echo->echo_wchar(L'a', b, c);
    });
    peer::check_raises("wstring_refused", {"BAD_PARAM", "MARSHAL", "INV_OBJREF"}, [&] {
      CORBA::WString_var b = CORBA::wstring_dup(L"");
      CORBA::WString_var c;
      CORBA::WString_var r = echo->echo_wstring(L"w", b.inout(), c.out());
    });
    return;
  }
  values<CORBA::WChar>(echo, "echo_wchar", &Ref::echo_wchar, {L'w', L'\u00e9', L'\u6c34'});
  wide_strings(echo, "echo_wstring", &Ref::echo_wstring, wide);
  wide_strings(echo, "echo_short_wide_text", &Ref::echo_short_wide_text,
               {L"", L"sixteen \u6c34\u6c34\u6c34"});
  peer::check("code_points_wide", [&] {
    ULongSeq_var got = echo->code_points_wide(L"a\u00e9\u6c34\xd83d\xde00");
    return points_are(got, {'a', 0xe9, 0x6c34, 0x1f600});
  });
  peer::check("echo_wstring_surrogates", [&] {
    CORBA::WString_var b = CORBA::wstring_dup(L"");
    CORBA::WString_var c;
    CORBA::WString_var r = echo->echo_wstring(L"\xd83d\xde00", b.inout(), c.out());
    return verdict(std::wstring(L"\xd83d\xde00") == r.in(), true, true);
  });
  WCharSeq letters;
  letters.length(3);
  letters[0] = L'a';
  letters[1] = L'\u00e9';
  letters[2] = L'\u6c34';
  VARIABLE(WCharSeq, echo_wchar_seq, (std::vector<WCharSeq>{WCharSeq(), letters}));
  WStringSeq words;
  words.length(2);
  words[0] = CORBA::wstring_dup(L"");
  words[1] = CORBA::wstring_dup(L"\u6c34 w");
  VARIABLE(WStringSeq, echo_wstring_seq, (std::vector<WStringSeq>{WStringSeq(), words}));
}

void structs(Ref* echo) {
  fixed_size<BinStruct>(echo, "echo_bin", &Ref::echo_bin, {bin_low, bin_high, bin(1, 'x', 2, 3, 4.5)});
  peer::check("limits_high", [&] {
    const Primitives p = echo->limits(true);
    const bool good = p.b == 1 && p.o == 255 && p.c == 'z' && p.s == SHRT_MAX && p.us == USHRT_MAX &&
                      p.l == INT_MAX && p.ul == UINT_MAX && p.ll == LLONG_MAX && p.ull == ULLONG_MAX &&
                      p.f == std::numeric_limits<float>::max() && p.d == std::numeric_limits<double>::max();
    return std::string(good ? "" : "wrong values");
  });
  peer::check("limits_low", [&] {
    const Primitives p = echo->limits(false);
    const bool good = p.b == 0 && p.o == 0 && p.c == 'a' && p.s == SHRT_MIN && p.us == 0 && p.l == INT_MIN &&
                      p.ul == 0 && p.ll == LLONG_MIN && p.ull == 0 &&
                      p.f == -std::numeric_limits<float>::max() && p.d == -std::numeric_limits<double>::max();
    return std::string(good ? "" : "wrong values");
  });
  Primitives p{true, 200, 'q', -1, 65535, -2, 4000000000u, -3, 18000000000000000000ull, 1.25f, -2.5};
  peer::check("describe", [&] {
    CORBA::String_var got = echo->describe(p);
    const std::string wanted =
        "b=1 o=200 c=q s=-1 us=65535 l=-2 ul=4000000000 ll=-3 ull=18000000000000000000 f=5 d=-10";
    return got.in() == wanted ? "" : "got " + std::string(got.in());
  });
  fixed_size<Primitives>(echo, "echo_primitives", &Ref::echo_primitives, {p, Primitives()});
  VARIABLE(Mixed, echo_mixed, (std::vector<Mixed>{mixed(0), mixed(1), mixed(7)}));
  VARIABLE(Outer, echo_outer, (std::vector<Outer>{outer(0), outer(1), outer(2), outer(3), outer(9)}));
  VARIABLE(Tree, echo_tree, (std::vector<Tree>{tree(0, 0), tree(3, 4), tree(40, 1)}));
}

void unions(Ref* echo) {
  ByLong l1, l2, l3, l4;
  l1.small_one(255);
  l2.text(CORBA::string_dup("two"));
  l2._d(2);
  l3.bin(bin_high);
  l4.numbers(sequence<DoubleSeq, double>({1.5, -2.5}));
  l4._d(1000);
  VARIABLE(ByLong, echo_by_long, (std::vector<ByLong>{l1, l2, l3, l4}));
  VARIABLE(ByLongSeq, echo_by_long_seq, (sequences<ByLongSeq, ByLong>({l1, l2, l3, l4})));
  ByColour c1, c2, c3;
  c1.number(-5);
  c2.text(CORBA::string_dup("green"));
  c3._default();
  VARIABLE(ByColour, echo_by_colour, (std::vector<ByColour>{c1, c2, c3}));
  ByBoolean b1, b2;
  b1.number(0.1);
  b2.integer(LLONG_MIN);
  fixed_size<ByBoolean>(echo, "echo_by_boolean", &Ref::echo_by_boolean, {b1, b2});
  ByChar h1, h2, h3;
  h1.alpha(-7);
  Point point{3, -4};
  h2.omega(point);
  h3.rest(99);
  h3._d('m');
  fixed_size<ByChar>(echo, "echo_by_char", &Ref::echo_by_char, {h1, h2, h3});
  ByULongLong u1, u2;
  u1.zero(9);
  Row row{1, -2, 3, INT_MIN};
  u2.top(row);
  fixed_size<ByULongLong>(echo, "echo_by_ulonglong", &Ref::echo_by_ulonglong, {u1, u2});
  ByShort s1, s2;
  s1.inner(c2);
  s2.shade(blue);
  VARIABLE(ByShort, echo_by_short, (std::vector<ByShort>{s1, s2}));
}

void arrays(Ref* echo) {
  const Row row_a{1, -2, INT_MIN, INT_MAX}, row_b{5, 6, 7, 8};
  Row row{5, 6, 7, 8}, row_c;
  array(echo, "echo_row", &Ref::echo_row, row_a, row_b, row, row_c, 4, Row_free);
  const Matrix matrix_a{{1, 2, 3}, {4, 5, 6.5}}, matrix_b{{0, 0, -1}, {0.1, 0, 0}};
  Matrix matrix{{0, 0, -1}, {0.1, 0, 0}}, matrix_c;
  array(echo, "echo_matrix", &Ref::echo_matrix, matrix_a, matrix_b, matrix, matrix_c, 2, Matrix_free);
  const BinPair pair_a{bin_low, bin_high}, pair_b{bin_high, bin_high};
  BinPair pair{bin_high, bin_high}, pair_c;
  array(echo, "echo_bin_pair", &Ref::echo_bin_pair, pair_a, pair_b, pair, pair_c, 2, BinPair_free);
  peer::check("echo_names", [&] {
    Names a, b;
    const char* words[] = {"", "one", "a longer word", "b"};
    for (unsigned i = 0; i < 3; ++i) {
      a[i] = CORBA::string_dup(words[i]);
      b[i] = CORBA::string_dup(words[3 - i]);
    }
    Names_var c;
    Names_var r = echo->echo_names(a, b, c.out());
    for (unsigned i = 0; i < 3; ++i) {
      if (!same(r[i].in(), words[i]) || !same(b[i].in(), words[i]) || !same(c[i].in(), words[3 - i])) {
        return "wrong string " + std::to_string(i);
      }
    }
    return std::string();
  });
}

void large(Ref* echo, unsigned bytes) {
  peer::check("make_blob", [&] {
    OctetSeq_var blob = echo->make_blob(bytes);
    if (blob->length() != bytes) return "length " + std::to_string(blob->length());
    const CORBA::Octet* at = blob->get_buffer();
    for (CORBA::ULong i = 0; i < bytes; ++i) {
      if (at[i] != static_cast<CORBA::Octet>((i * 31u + 7u) % 251u)) return "octet " + std::to_string(i);
    }
    return std::string();
  });
  peer::check("sum_blob", [&] {
    OctetSeq blob;
    blob.length(bytes);
    CORBA::ULongLong wanted = 0;
    CORBA::Octet* at = blob.get_buffer();
    for (CORBA::ULong i = 0; i < bytes; ++i) wanted += at[i] = static_cast<CORBA::Octet>(i * 7u + (i >> 8));
    return std::string(echo->sum_blob(blob) == wanted ? "" : "wrong sum");
  });
  peer::check("sum_longs", [&] {
    LongSeq longs;
    longs.length(bytes / 4);
    CORBA::ULongLong wanted = 0;
    for (CORBA::ULong i = 0; i < longs.length(); ++i) {
      longs[i] = static_cast<CORBA::Long>(i * 2654435761u);
      wanted += static_cast<CORBA::ULongLong>(longs[i]);
    }
    return std::string(echo->sum_longs(longs) == wanted ? "" : "wrong sum");
  });
}

void several_threads(Ref* echo) {
  peer::check("several_threads", [&] {
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < 4; ++t) {
      callers.emplace_back([&, t] {
        try {
          for (int i = 0; i < 100; ++i) {
            CORBA::Long b = i, c = 0;
            if (echo->echo_long(t * 1000 + i, b, c) != t * 1000 + i || c != i) ++wrong;
          }
        } catch (const CORBA::Exception&) {
          ++wrong;
        }
      });
    }
    for (auto& caller : callers) caller.join();
    return std::string(wrong == 0 ? "" : "a thread got another's answer or none");
  });
}

}  // namespace

int main(int argc, char** argv) {
  peer::Options options = peer::parse(argc, argv);
  alarm(300);  // a client that hangs is a failure, not a guest
  peer::listen(options);
  options.orb.emplace_back("-ORBclientCallTimeOutPeriod");
  options.orb.emplace_back("60000");
  return peer::client_main(options, [&](CORBA::ORB_ptr orb, const std::string& known_as) {
    Echo_var reference = peer::object_of<Echo>(orb, known_as);
    Ref* echo = reference.in();
    peer::select_checks(options.only);
    primitives(echo);
    text(echo, options);
    if (options.planes) peer::plane_checks(echo, options);
    structs(echo);
    unions(echo);
    arrays(echo);
    peer::sequence_checks(echo);
    peer::reference_checks(orb, echo);
    peer::behaviour_checks(echo);
    large(echo, options.big_bytes);
    several_threads(echo);
    if (options.dynamic) peer::dynamic_checks(orb, echo, options);
    return peer::summary();
  });
}
