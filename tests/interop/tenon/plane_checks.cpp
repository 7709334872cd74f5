// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client, text of every plane of Unicode: what travels between these two native code sets, and what is DATA_CONVERSION.
// Prints "table ROW COLUMN OUTCOME" beside each check.
//
// Threads: main only.

#include <cstdio>

#include "tests/interop/tenon/checks.hpp"

namespace checks {

using namespace Interop;

namespace {

constexpr std::uint32_t planes = 17;

/// Characters of a plane: the first ones, one from the middle, the last that is one, and what stands beside the surrogates.
std::vector<std::uint32_t> characters_of(std::uint32_t plane) {
  if (plane == 0) return {'a', 0x7f, 0x80, 0xe9, 0x100, 0x20ac, 0x6c34, 0xd7ff, 0xe000, 0xfffd};
  const std::uint32_t first = plane << 16;
  return {first, first + 1, first + 0xf600, first + 0xfffd};
}

std::string utf8_of(const std::vector<std::uint32_t>& characters) {
  std::string text;
  for (const std::uint32_t c : characters) {
    if (c < 0x80) {
      text += static_cast<char>(c);
      continue;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    constexpr std::uint32_t leads[] = {0, 0xc0, 0xe0, 0xf0};
    text += static_cast<char>(leads[more] | c >> (6 * more));
    for (int left = more - 1; left >= 0; --left) text += static_cast<char>(0x80 | (c >> (6 * left) & 0x3f));
  }
  return text;
}

/// What must become of text. A peer whose wchar is one UTF-16 unit may refuse two with whatever exception it has for it.
enum class Fate : std::uint8_t { travels, data_conversion, refused };

/// `send` returns what is wrong, or nothing.
void expect(const std::string& column, std::uint32_t plane, Fate fate,
            const std::function<std::string()>& send) {
  char row[16];
  std::snprintf(row, sizeof row, "%02u", plane);
  check("planes_" + column + "_" + row, [&]() -> std::string {
    std::string outcome = "travels";
    std::string wrong;
    try {
      wrong = send();
      if (!wrong.empty()) outcome = "is-changed";
    } catch (const CORBA::SystemException& e) {
      outcome = e._name();
    }
    std::printf("table %s %s %s\n", row, column.c_str(), outcome.c_str());
    const bool refused = outcome == "DATA_CONVERSION" || outcome == "BAD_PARAM" || outcome == "MARSHAL";
    const bool good = fate == Fate::travels   ? outcome == "travels"
                      : fate == Fate::refused ? refused
                                              : outcome == "DATA_CONVERSION";
    return good ? "" : outcome + " " + wrong;
  });
}

}  // namespace

void plane_checks(const EchoRef& echo, const program::Options& options) {
  const bool both_utf8 = program::native_is_utf8 && program::peer_is_utf8;
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    const std::vector<std::uint32_t> characters = characters_of(plane);
    if (program::native_is_utf8) {
      expect("string", plane, both_utf8 ? Fate::travels : Fate::data_conversion, [&]() -> std::string {
        const std::string text = utf8_of(characters);
        std::string b = text;
        std::string c;
        if (echo->echo_string(text, b, c) != text || b != text || c != text) return "comes back otherwise";
        return echo->code_points(text) == characters ? "" : "the servant reads something else";
      });
    }
    if (!options.wide) continue;
    expect("wstring", plane, plane == 0 || !options.bmp_only ? Fate::travels : Fate::data_conversion,
           [&]() -> std::string {
             const std::wstring text(characters.begin(), characters.end());
             std::wstring b = text;
             std::wstring c;
             if (echo->echo_wstring(text, b, c) != text || b != text || c != text)
               return "comes back otherwise";
             return echo->code_points_wide(text) == characters ? "" : "the servant reads something else";
           });
    const Fate wchar_fate = plane == 0              ? Fate::travels
                            : options.bmp_only      ? Fate::data_conversion
                            : options.wchar_is_unit ? Fate::refused
                                                    : Fate::travels;
    expect("wchar", plane, wchar_fate, [&]() -> std::string {
      for (const std::uint32_t character : characters) {
        const auto a = static_cast<wchar_t>(character);
        wchar_t b = a;
        wchar_t c = 0;
        if (echo->echo_wchar(a, b, c) != a || b != a || c != a) return "comes back otherwise";
      }
      return "";
    });
  }
  // What ISO 8859-1 has travels between any two.
  check("planes_latin1", [&]() -> std::string {
    std::vector<std::uint32_t> characters;
    for (std::uint32_t c = 1; c < 0x100; ++c) characters.push_back(c);
    const std::string text =
        program::native_is_utf8 ? utf8_of(characters) : std::string(characters.begin(), characters.end());
    std::string b = text;
    std::string c;
    if (echo->echo_string(text, b, c) != text || b != text || c != text) return "comes back otherwise";
    return echo->code_points(text) == characters ? "" : "the servant reads something else";
  });
}

}  // namespace checks
