// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client, text of every plane of Unicode: what travels between these two native code sets, and what is DATA_CONVERSION.
// A wchar of omniORB is one UTF-16 unit, so only those of plane 0 are sent. Prints "table ROW COLUMN OUTCOME" beside each check.
//
// Threads: main only.

#include "checks.hpp"

#include <cstdio>

namespace peer {

using namespace Interop;

namespace {

constexpr CORBA::ULong planes = 17;
using Characters = std::vector<CORBA::ULong>;

Characters characters_of(CORBA::ULong plane) {
  if (plane == 0) return {'a', 0x7f, 0x80, 0xe9, 0x100, 0x20ac, 0x6c34, 0xd7ff, 0xe000, 0xfffd};
  const CORBA::ULong first = plane << 16;
  return {first, first + 1, first + 0xf600, first + 0xfffd};
}

std::string utf8_of(const Characters& characters) {
  std::string text;
  for (const CORBA::ULong c : characters) {
    if (c < 0x80) {
      text += static_cast<char>(c);
      continue;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    constexpr CORBA::ULong leads[] = {0, 0xc0, 0xe0, 0xf0};
    text += static_cast<char>(leads[more] | c >> (6 * more));
    for (int left = more - 1; left >= 0; --left) text += static_cast<char>(0x80 | (c >> (6 * left) & 0x3f));
  }
  return text;
}

std::wstring units_of(const Characters& characters) {
  std::wstring text;
  for (const CORBA::ULong c : characters) {
    if (c < 0x10000) {
      text += static_cast<wchar_t>(c);
    } else {
      text += static_cast<wchar_t>(0xd7c0 + (c >> 10));
      text += static_cast<wchar_t>(0xdc00 + (c & 0x3ff));
    }
  }
  return text;
}

bool equal(const ULongSeq& got, const Characters& wanted) {
  if (got.length() != wanted.size()) return false;
  for (CORBA::ULong i = 0; i < got.length(); ++i) {
    if (got[i] != wanted[i]) return false;
  }
  return true;
}

void expect(const std::string& column, CORBA::ULong plane, bool travels,
            const std::function<std::string()>& send) {
  char row[16];
  std::snprintf(row, sizeof row, "%02u", static_cast<unsigned>(plane));
  check("planes_" + column + "_" + row, [&]() -> std::string {
    std::string outcome = "travels";
    std::string wrong;
    try {
      wrong = send();
      if (!wrong.empty()) outcome = "is-changed";
    } catch (const CORBA::DATA_CONVERSION&) {
      outcome = "DATA_CONVERSION";
    }
    std::printf("table %s %s %s\n", row, column.c_str(), outcome.c_str());
    if (outcome == (travels ? "travels" : "DATA_CONVERSION")) return "";
    return outcome + " " + wrong;
  });
}

std::string send_string(Echo_ptr echo, const std::string& text, const Characters& characters) {
  CORBA::String_var b = CORBA::string_dup(text.c_str());
  CORBA::String_var c;
  CORBA::String_var r = echo->echo_string(text.c_str(), b.inout(), c.out());
  if (text != r.in() || text != b.in() || text != c.in()) return "comes back otherwise";
  ULongSeq_var got = echo->code_points(text.c_str());
  return equal(got, characters) ? "" : "the servant reads something else";
}

}  // namespace

void plane_checks(Echo_ptr echo, const Options& options) {
  for (CORBA::ULong plane = 0; plane < planes; ++plane) {
    const Characters characters = characters_of(plane);
    if (native_is_utf8) {
      expect("string", plane, peer_is_utf8,
             [&] { return send_string(echo, utf8_of(characters), characters); });
    }
    if (!options.wide) continue;
    expect("wstring", plane, true, [&]() -> std::string {
      const std::wstring text = units_of(characters);
      CORBA::WString_var b = CORBA::wstring_dup(text.c_str());
      CORBA::WString_var c;
      CORBA::WString_var r = echo->echo_wstring(text.c_str(), b.inout(), c.out());
      if (text != r.in() || text != b.in() || text != c.in()) return "comes back otherwise";
      ULongSeq_var got = echo->code_points_wide(text.c_str());
      return equal(got, characters) ? "" : "the servant reads something else";
    });
    if (plane != 0) continue;
    expect("wchar", plane, true, [&]() -> std::string {
      for (const CORBA::ULong character : characters) {
        const auto a = static_cast<CORBA::WChar>(character);
        CORBA::WChar b = a;
        CORBA::WChar c = 0;
        if (echo->echo_wchar(a, b, c) != a || b != a || c != a) return "comes back otherwise";
      }
      return "";
    });
  }
  check("planes_latin1", [&] {
    Characters characters;
    for (CORBA::ULong c = 1; c < 0x100; ++c) characters.push_back(c);
    return send_string(
        echo, native_is_utf8 ? utf8_of(characters) : std::string(characters.begin(), characters.end()),
        characters);
  });
}

}  // namespace peer
