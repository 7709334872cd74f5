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

}  // namespace tenon
