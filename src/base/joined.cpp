// SPDX-License-Identifier: Apache-2.0
#include "base/joined.hpp"

namespace tenon {

std::string joined(std::initializer_list<std::string_view> texts) {
  std::string all;
  for (const std::string_view text : texts) all.append(text);
  return all;
}

std::string worded(const char* pattern, std::initializer_list<std::string_view> texts) {
  std::string all;
  const std::string_view* text = texts.begin();
  for (; *pattern != '\0'; ++pattern) {
    if (*pattern != '%') {
      all.push_back(*pattern);
    } else if (text != texts.end()) {
      all.append(*text++);
    }
  }
  return all;
}

std::string decimal_unsigned(std::uint64_t number) {
  char text[20];
  char* const end = text + sizeof text;
  char* at = end;
  do *--at = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  return {at, static_cast<std::size_t>(end - at)};
}

std::string decimal(std::int64_t number) {
  const auto same = static_cast<std::uint64_t>(number);
  if (number >= 0) return decimal_unsigned(same);
  std::string text = decimal_unsigned(0 - same);
  text.insert(0, 1, '-');
  return text;
}

std::string_view beginning(std::string_view text, std::size_t most) noexcept {
  if (text.size() <= most) return text;
  constexpr std::size_t longest_character = 4;
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t size = most;
  while (size > 0 && most - size < longest_character && continues(size)) --size;
  // What is no UTF-8 is cut anywhere.
  return text.substr(0, continues(size) ? most : size);
}

}  // namespace tenon
