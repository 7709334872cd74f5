// SPDX-License-Identifier: Apache-2.0
#include "base/packed_text.hpp"

#include <cstring>

namespace tenon {

const char* packed_at(const char* texts, std::size_t index) noexcept {
  for (; index != 0; --index) texts += std::strlen(texts) + 1;
  return texts;
}

char* unpack(const char* packed, char* into) noexcept {
  for (; *packed != '\0'; ++packed) {
    // What is still to be written of this octet, the next on top. Each pair puts one more there, and refers to earlier pairs only.
    unsigned char left[sizeof text_pairs / 2 + 1];
    std::size_t count = 0;
    left[count++] = static_cast<unsigned char>(*packed);
    while (count != 0) {
      const unsigned char octet = left[--count];
      if (octet < first_text_pair) {
        *into++ = static_cast<char>(octet);
        continue;
      }
      left[count++] = text_pairs[octet - first_text_pair][1];
      left[count++] = text_pairs[octet - first_text_pair][0];
    }
  }
  return into;
}

std::string unpacked(const char* packed) {
  char text[PackedText::most];
  return {text, static_cast<std::size_t>(unpack(packed, text) - text)};
}

}  // namespace tenon
