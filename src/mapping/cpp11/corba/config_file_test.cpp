// SPDX-License-Identifier: Apache-2.0
//
// What the lines of a configuration file say, and files that are none.
#include "mapping/cpp11/corba/config_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include <gtest/gtest.h>

namespace tenon::gen {
namespace {

/// "1: key = value" per setting; "1: key" where there is no '='.
std::vector<std::string> read(std::string_view text) {
  std::vector<ConfigLine> lines;
  std::string why;
  if (!parse_config(text, lines, why)) return {"wrong " + why};
  std::vector<std::string> all;
  for (const ConfigLine& line : lines) {
    all.push_back(std::to_string(line.number) + ": " + line.key);
    if (line.value) all.back() += " = " + *line.value;
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(ConfigFile, LinesAreKeysAndValues) {
  EXPECT_EQ(read(""), Texts());
  EXPECT_EQ(read("a=b"), Texts{"1: a = b"});
  EXPECT_EQ(read("\n  # note\n\ttraceLevel =  10 \n#x=y\nb = c"), (Texts{"3: traceLevel = 10", "5: b = c"}));
  EXPECT_EQ(read("InitRef = NameService=corbaname::host#a/b"),
            Texts{"1: InitRef = NameService=corbaname::host#a/b"});
  EXPECT_EQ(read("logFile = /var/log/two words.log\r\nx =\r\n"),
            (Texts{"1: logFile = /var/log/two words.log", "2: x = "}));
  EXPECT_EQ(read("help\n"), Texts{"1: help"});
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a = b"),
            Texts{"1: a = b"});
  EXPECT_EQ(read("a = \xC3\xA9"), Texts{"1: a = \xC3\xA9"});
}

TEST(ConfigFile, AKeyMayHaveSeveralValues) {
  EXPECT_EQ(
      read("InitRef = A=x\n  = B=y\n\n# note\n\t= C=z\nother = 1\n= 2"),
      (Texts{"1: InitRef = A=x", "2: InitRef = B=y", "5: InitRef = C=z", "6: other = 1", "7: other = 2"}));
}

TEST(ConfigFile, LinesGoOnBehindABackslash) {
  EXPECT_EQ(read("a = b;\\\n    c;\\  \n\td\ne = f"), (Texts{"1: a = b;c;d", "4: e = f"}));
  EXPECT_EQ(read("a = b \\\n  c"), Texts{"1: a = b c"});
  EXPECT_EQ(read("# note \\\na = b"), Texts{"2: a = b"}) << "a comment does not go on";
  EXPECT_EQ(read("a = b\\"), Texts{"1: a = b\\"}) << "there is no further line";
  EXPECT_EQ(read("a = \\\n# b"), Texts{"1: a = # b"});
}

TEST(ConfigFile, WrongLinesAreNumbered) {
  EXPECT_EQ(read("a = b\n = c\nORBInitRef Name=url"),
            Texts{"wrong 3: a key has no blanks; write key = value, and '#' before a comment"});
  EXPECT_EQ(read("\n= c"),
            Texts{"wrong 2: there is no key before '=', nor in a line above; write key = value"});
  EXPECT_EQ(read(std::string_view("a = b\n\\\nc = \0d", 13)),
            Texts{"wrong 2: there is an octet in it that is no text"});
}

std::string complaint_about(const std::string& path) {
  std::vector<ConfigLine> lines;
  std::string why;
  EXPECT_FALSE(read_config_file(path, lines, why)) << path;
  EXPECT_TRUE(why.starts_with(path + ":")) << why;
  return why;
}

TEST(ConfigFile, FilesThatCannotBeReadAreNamed) {
  const std::string path = testing::TempDir() + "tenon-config-" + std::to_string(::getpid());
  EXPECT_NE(complaint_about(path).find("cannot be read: No such file"), std::string::npos);
  EXPECT_NE(complaint_about(testing::TempDir()).find("is not a file"), std::string::npos);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_NE(complaint_about(path).find("is not a file"), std::string::npos) << "and no wait for a writer";
  ::unlink(path.c_str());
  std::FILE* file = std::fopen(path.c_str(), "we");
  ASSERT_NE(file, nullptr);  // NOLINT(clang-analyzer-unix.Stream): it ends here unopened
  const std::string line(config_bytes_most, '#');
  std::fwrite(line.data(), 1, line.size(), file);
  std::fflush(file);
  std::vector<ConfigLine> lines;
  std::string why;
  EXPECT_TRUE(read_config_file(path, lines, why)) << why;
  EXPECT_TRUE(lines.empty());
  std::fputc('#', file);
  std::fclose(file);
  EXPECT_NE(complaint_about(path).find("has more than 1048576 bytes"), std::string::npos);
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace tenon::gen
