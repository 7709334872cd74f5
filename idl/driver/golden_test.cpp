// SPDX-License-Identifier: Apache-2.0
//
// Golden diagnostics: every file of tests/idl/bad must be answered with exactly the text beside it.
//
// After a deliberate change run with TENON_UPDATE_GOLDEN=1, and read the difference before committing it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "idl/driver/compile.hpp"

namespace tenon::idl {
namespace {

namespace fs = std::filesystem;

const char* const folder = "../../tests/idl/bad";

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsAnsweredAsExpected) {
  const fs::path source = fs::path(folder) / (GetParam() + ".idl");
  const fs::path expected = fs::path(folder) / (GetParam() + ".txt");
  const std::string text = read(source);
  ASSERT_FALSE(text.empty()) << source;

  SourceFiles sources(false);
  sources.set_text(sources.intern(GetParam() + ".idl"), text);
  Diagnostics diagnostics;
  diagnostics.max_errors = 0;
  compile_text(text, sources, diagnostics);
  const std::string got = render_all(diagnostics, sources, false);

  if (std::getenv("TENON_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(expected, std::ios::binary) << got;
  }
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(got, read(expected));
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".idl") out.push_back(entry.path().stem().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string own_name(const testing::TestParamInfo<std::string>& one) { return one.param; }

INSTANTIATE_TEST_SUITE_P(Bad, Golden, testing::ValuesIn(names()), own_name);

}  // namespace
}  // namespace tenon::idl
