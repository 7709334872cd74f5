// SPDX-License-Identifier: Apache-2.0
//
// Long texts in half as many octets: those that people read seldom (what minor codes mean, help for options) are packed while compiling,
// and unpacked when they are shown. A packed text has an octet from 0x80 on or below 0x20 for a pair of octets (text_pairs.inc), which may
// be pairs again, and NUL at its end. Printable ASCII only. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/not_constant.hpp"

namespace tenon {

inline constexpr unsigned char first_text_pair = 0x80;

inline constexpr unsigned char text_pairs[][2] = {
#include "base/text_pairs.inc"
};

/// The number of the pair that an octet stands for: from 0x80 up, then from 0x01 (that of NUL is never used). Of text: none, too large.
constexpr std::size_t text_pair_of(unsigned char octet) noexcept {
  return static_cast<unsigned char>(octet - first_text_pair);
}
static_assert(std::size(text_pairs) <= 0xA0, "an octet that is text stands for no pair");

/// A text that is being packed.
struct PackedText {
  static constexpr std::size_t most = 700;
  unsigned char octets[most]{};
  std::size_t size = 0;  ///< without a NUL at the end
};

consteval PackedText pack(std::string_view text) {
  PackedText made;
  bool present[256]{};
  if (text.size() >= PackedText::most) not_constant("a text that is too long to pack");
  for (const char letter : text) {
    const auto octet = static_cast<unsigned char>(letter);
    if (octet < 0x20 || octet >= first_text_pair) not_constant("a text to pack that is not printable ASCII");
    made.octets[made.size++] = octet;
    present[octet] = true;
  }
  unsigned char code = first_text_pair;
  for (const auto& pair : text_pairs) {
    if (present[pair[0]] && present[pair[1]]) {
      std::size_t to = 0;
      for (std::size_t from = 0; from < made.size; ++from, ++to) {
        const bool found =
            made.octets[from] == pair[0] && from + 1 < made.size && made.octets[from + 1] == pair[1];
        made.octets[to] = found ? code : made.octets[from];
        if (!found) continue;
        present[code] = true;
        ++from;
      }
      made.size = to;
    }
    ++code;
  }
  return made;
}

/// Texts one behind the other, each with a NUL behind it.
template <std::size_t size>
struct PackedTexts {
  char octets[size]{};
};
template <std::size_t count>
consteval std::size_t octets_of(const PackedText (&texts)[count]) {
  std::size_t octets = 0;
  for (const PackedText& each : texts) octets += each.size + 1;
  return octets;
}
template <std::size_t size, std::size_t count>
consteval PackedTexts<size> put_together(const PackedText (&texts)[count]) {
  PackedTexts<size> all;
  std::size_t at = 0;
  for (const PackedText& each : texts) {
    for (std::size_t i = 0; i < each.size; ++i) all.octets[at++] = static_cast<char>(each.octets[i]);
    all.octets[at++] = '\0';
  }
  return all;
}

/// One of a constexpr array of std::string_view: a constant of its own, since compilers bound the steps of each.
template <const auto& texts, std::size_t index>
inline constexpr PackedText packed_one = pack(texts[index]);

/// All of such an array.
template <const auto& texts, std::size_t... index>
consteval auto pack_each(std::index_sequence<index...>) {
  constexpr PackedText each[] = {packed_one<texts, index>...};
  return put_together<octets_of(each)>(each);
}
template <const auto& texts>
consteval auto pack_all() {
  return pack_each<texts>(std::make_index_sequence<std::size(texts)>{});
}

/// Words one behind the other, each with a NUL behind it, as views: for pack_all().
template <const auto& words, std::size_t count>
inline constexpr std::array<std::string_view, count> words_of = [] {
  std::array<std::string_view, count> made;
  const char* at = words.octets;
  for (std::string_view& each : made) {
    each = at;
    at += each.size() + 1;
  }
  return made;
}();

/// Packed words that are needed as they were, from the first time on: `into` has room for all, each with a NUL behind it.
struct PackedWords {
  const char* packed;
  std::size_t count;
  char* into;
  bool done = false;
};
/// The words, unpacked.
const char* unpacked_words(PackedWords& words) noexcept;

/// The packed text that `index` others precede.
const char* packed_at(const char* texts, std::size_t index) noexcept;

/// Writes a packed text to `into`, without a NUL; returns the place behind it.
char* unpack(const char* packed, char* into) noexcept;

std::string unpacked(const char* packed);

}  // namespace tenon
