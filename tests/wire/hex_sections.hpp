// SPDX-License-Identifier: Apache-2.0
//
// Reads annotated wire captures: a file of sections, each a line "[name]" and octets in hexadecimal; '#' starts a comment.
// For tests only. A section that is missing, or text that is no hexadecimal, gives an empty message, which every test refuses.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace tenon::wire {

using HexSections = std::map<std::string, std::vector<std::uint8_t>>;

inline HexSections read_hex_sections(const std::string& path) {
  HexSections sections;
  std::vector<std::uint8_t>* current = nullptr;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    if (!line.empty() && line[0] == '[') {
      current = &sections[line.substr(1, line.find(']') - 1)];
      continue;
    }
    std::string digits;
    for (const char letter : line) {
      if (letter == ' ' || letter == '\t') continue;
      digits += letter;
      if (digits.size() < 2) continue;
      if (current != nullptr) current->push_back(static_cast<std::uint8_t>(std::stoul(digits, nullptr, 16)));
      digits.clear();
    }
  }
  return sections;
}

}  // namespace tenon::wire
