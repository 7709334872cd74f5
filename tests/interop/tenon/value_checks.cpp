// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client, values that are one value: primitives, text, fixed, enums.
//
// Threads: main only.

#include <climits>
#include <limits>

#include "tests/interop/tenon/checks.hpp"

namespace checks {

using namespace Interop;

namespace {

void numbers(const EchoRef& echo, bool double_digits) {
  check("noop", [&] {
    echo->noop();
    return std::string();
  });
  ECHO_ALL(bool, echo_boolean, {true, false});
  ECHO_ALL(std::uint8_t, echo_octet, {0, 1, 127, 128, 255});
  ECHO_ALL(char, echo_char, {'A', ' ', '~', '\0'});
  ECHO_ALL(std::int16_t, echo_short, {SHRT_MIN, -1, 0, 1, SHRT_MAX});
  ECHO_ALL(std::uint16_t, echo_ushort, {0, 1, 0x8000, USHRT_MAX});
  ECHO_ALL(std::int32_t, echo_long, {INT_MIN, -1, 0, 0x01020304, INT_MAX});
  ECHO_ALL(std::uint32_t, echo_ulong, {0, 0x80000000u, UINT_MAX});
  ECHO_ALL(std::int64_t, echo_longlong, {LLONG_MIN, -1, 0, 0x0102030405060708, LLONG_MAX});
  ECHO_ALL(std::uint64_t, echo_ulonglong, {0, 1ull << 63, ULLONG_MAX});
  using F = std::numeric_limits<float>;
  using D = std::numeric_limits<double>;
  ECHO_ALL(float, echo_float, {0.f, -1.5f, F::max(), F::denorm_min(), F::infinity(), F::quiet_NaN()});
  ECHO_ALL(double, echo_double, {0., -1.5, 0.1, D::max(), D::denorm_min(), -D::infinity(), D::quiet_NaN()});
  const long double third = double_digits ? 1. / 3 : 1.L / 3;
  const long double largest = double_digits ? D::max() : std::numeric_limits<long double>::max();
  ECHO_ALL(long double, echo_longdouble, {0.L, -1.5L, third, largest});
  ECHO_ALL(Colour, echo_colour, {Colour::red, Colour::green, Colour::blue});
  ECHO_ALL(Single, echo_single, {Single::only});
  ECHO_ALL(Money, echo_money, {Money("0"), Money("-1234567.89"), Money("0.01"), Money("9999999.99")});
  echo_all<Money>(echo, "echo_money_all_digits", &Echo::echo_money,
                  {Money("-1234567.89"), Money("9999999.99")});
  ECHO_ALL(Huge, echo_huge, {Huge("1234567890123456789012345678901"), Huge("-1")});
  ECHO_ALL(Fraction, echo_fraction, {Fraction("0.9999"), Fraction("-0.0001")});
}

std::string points_are(const ULongSeq& got, const ULongSeq& wanted) {
  if (got == wanted) return "";
  std::string seen;
  for (const std::uint32_t point : got) seen += " " + std::to_string(point);
  return "the servant read" + seen;
}

void text(const EchoRef& echo) {
  const std::string umlauts = program::native_is_utf8 ? "Gr\xc3\xbc\xc3\x9f"
                                                        "e \xc3\xa9\xc3\xbf"
                                                      : "Gr\xfc\xdf"
                                                        "e \xe9\xff";
  std::vector<std::string> list{"", "x", "hello, world", umlauts, std::string(5000, 'q')};
  if (program::native_is_utf8 && program::peer_is_utf8)
    list.emplace_back("\xe2\x82\xac \xe6\xb0\xb4 \xf0\x9f\x98\x80");
  ECHO_ALL(std::string, echo_string, list);
  ECHO_ALL(ShortText, echo_short_text, {"", "sixteen chars ok", "x"});
  check_raises("echo_short_text_too_long", {"BAD_PARAM", "MARSHAL"}, [&] {
    Interop::ShortText b, c;
    echo->echo_short_text("seventeen chars!!", b, c);
  });
  if (!program::native_is_utf8 && !program::peer_is_utf8) {
    echo_all<char>(echo, "echo_char_latin1", &Echo::echo_char, {'\xe9', '\xff', '\x80'});
  } else {
    // What travels is UTF-8, where such a char is half a character.
    check_raises("echo_char_half", {"DATA_CONVERSION"}, [&] {
      char b = 'b', c = 'c';
      echo->echo_char('\xe9', b, c);
    });
  }
  check("code_points",
        [&] { return points_are(echo->code_points(umlauts), {'G', 'r', 0xfc, 0xdf, 'e', ' ', 0xe9, 0xff}); });
}

void wide_text(const EchoRef& echo, bool wide) {
  if (!wide) {
    // GIOP 1.0 has no wide text, and a reference without code sets none either: refused before the wire.
    check_raises("wchar_refused", {"BAD_PARAM", "MARSHAL", "INV_OBJREF"}, [&] {
      wchar_t b = L'b', c = 0;
      echo->echo_wchar(L'a', b, c);
    });
    check_raises("wstring_refused", {"BAD_PARAM", "MARSHAL", "INV_OBJREF"}, [&] {
      std::wstring b, c;
      echo->echo_wstring(L"w", b, c);
    });
    return;
  }
  ECHO_ALL(wchar_t, echo_wchar, {L'w', L'\u00e9', L'\u6c34'});
  ECHO_ALL(std::wstring, echo_wstring,
           {L"", L"w", L"w\u00efde", L"\u6c34\u20ac", std::wstring(3000, L'\u00e9')});
  ECHO_ALL(ShortWideText, echo_short_wide_text, {L"", L"sixteen \u6c34\u6c34\u6c34"});
  check("code_points_wide", [&] {
    return points_are(echo->code_points_wide(L"a\u00e9\u6c34\U0001f600"), {'a', 0xe9, 0x6c34, 0x1f600});
  });
  echo_all<std::wstring>(echo, "echo_wstring_surrogates", &Echo::echo_wstring, {L"\U0001f600"});
  ECHO_ALL(WCharSeq, echo_wchar_seq, {WCharSeq(), WCharSeq{L'a', L'\u00e9', L'\u6c34'}});
  ECHO_ALL(WStringSeq, echo_wstring_seq, {WStringSeq(), WStringSeq{L"", L"\u6c34 w"}});
}

}  // namespace

void value_checks(const EchoRef& echo, const program::Options& options) {
  numbers(echo, options.double_digits);
  text(echo);
  wide_text(echo, options.wide);
}

}  // namespace checks
