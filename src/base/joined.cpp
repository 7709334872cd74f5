// SPDX-License-Identifier: Apache-2.0
#include "base/joined.hpp"

namespace tenon {

std::string joined(std::initializer_list<std::string_view> texts) {
  std::string all;
  for (const std::string_view text : texts) all.append(text);
  return all;
}

std::string decimal(std::int64_t number) {
  char text[20];
  char* const end = text + sizeof text;
  char* at = end;
  std::uint64_t left = static_cast<std::uint64_t>(number);
  if (number < 0) left = 0 - left;
  do *--at = static_cast<char>('0' + left % 10);
  while ((left /= 10) != 0);
  if (number < 0) *--at = '-';
  return {at, static_cast<std::size_t>(end - at)};
}

}  // namespace tenon
