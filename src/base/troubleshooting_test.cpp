// SPDX-License-Identifier: Apache-2.0
//
// docs/troubleshooting.md has every minor code, under its exception, with its meaning as the table has it and with advice. A new row
// in minor_codes.hpp needs a row there.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/hex.hpp"
#include "base/minor_codes.hpp"

namespace tenon {
namespace {

/// The rows of a document's tables, by the heading above them: "| `0x4f4d0001` | ... |".
std::map<std::string, std::vector<std::string>> rows_by_heading() {
  std::ifstream file("../../docs/troubleshooting.md");
  std::map<std::string, std::vector<std::string>> rows;
  std::string heading;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("### ")) heading = line.substr(4);
    if (line.starts_with("| `0x")) rows[heading].push_back(line);
  }
  return rows;
}

TEST(Troubleshooting, EveryMinorCodeHasMeaningAndAdvice) {
  std::map<std::string, std::vector<std::string>> documented = rows_by_heading();
  ASSERT_FALSE(documented.empty());
  for (const MinorCode* row = begin_minor_codes(); row != end_minor_codes(); ++row) {
    const std::string exception(name(row->id));
    const std::string start = "| `0x" + hex_number(row->code, 8) + "` | " + std::string(row->text) + " | ";
    std::vector<std::string>& lines = documented[exception];
    const auto found =
        std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.starts_with(start); });
    if (found == lines.end()) {
      ADD_FAILURE() << "docs/troubleshooting.md, under '### " << exception
                    << "', wants a line that begins with\n"
                    << start << "what to do";
      continue;
    }
    EXPECT_GT(found->size(), start.size() + 10) << "no advice: " << *found;
    lines.erase(found);
  }
  for (const auto& [exception, lines] : documented) {
    for (const std::string& line : lines) ADD_FAILURE() << exception << " has no such minor code: " << line;
  }
}

}  // namespace
}  // namespace tenon
