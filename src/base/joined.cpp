// SPDX-License-Identifier: Apache-2.0
#include "base/joined.hpp"

namespace tenon {

std::string joined(std::initializer_list<std::string_view> texts) {
  std::string all;
  for (const std::string_view text : texts) all.append(text);
  return all;
}

}  // namespace tenon
