// SPDX-License-Identifier: Apache-2.0
#include "base/packed_text.hpp"

#include <cstring>
#include <mutex>

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
      const std::size_t pair = text_pair_of(octet);
      if (pair >= std::size(text_pairs)) {
        *into++ = static_cast<char>(octet);
        continue;
      }
      left[count++] = text_pairs[pair][1];
      left[count++] = text_pairs[pair][0];
    }
  }
  return into;
}

const char* unpacked_words(PackedWords& words) noexcept {
  static constinit std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (words.done) return words.into;
  char* to = words.into;
  const char* from = words.packed;
  for (std::size_t left = words.count; left != 0; --left, from = packed_at(from, 1)) {
    to = unpack(from, to);
    *to++ = '\0';
  }
  words.done = true;
  return words.into;
}

std::string unpacked(const char* packed) {
  char text[PackedText::most];
  return {text, static_cast<std::size_t>(unpack(packed, text) - text)};
}

}  // namespace tenon
