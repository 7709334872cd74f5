// SPDX-License-Identifier: Apache-2.0
//
// Reads annotated wire captures: a file of sections, each a line "[name]" and octets in hexadecimal, two digits each, "6e*100" for
// a hundred of them; '#' starts a comment. For tests only: text that is no hexadecimal throws.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
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
    std::istringstream words(line);
    for (std::string word; current != nullptr && words >> word;) {
      const std::size_t star = word.find('*');
      const std::size_t times = star == std::string::npos ? 1 : std::stoul(word.substr(star + 1));
      const auto octet = static_cast<std::uint8_t>(std::stoul(word.substr(0, star), nullptr, 16));
      current->insert(current->end(), times, octet);
    }
  }
  return sections;
}

}  // namespace tenon::wire
