// SPDX-License-Identifier: Apache-2.0
#include "idl/driver/usage_file.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

namespace tenon::idl {

namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at <= line.size()) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool number(const std::string& text, std::uint64_t& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::optional<Usage> read_usage_text(const std::string& text, std::string& problem) {
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line != "tenon-usage 1") {
    problem = line.starts_with("tenon-usage ")
                  ? "line 1: this version of tenon-idl reads 'tenon-usage 1' only"
                  : "line 1: expected 'tenon-usage 1', the first line of a usage file";
    return std::nullopt;
  }
  Usage usage;
  for (int at = 2; std::getline(lines, line); ++at) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> words = words_of(line);
    std::uint64_t dropped = 0;
    if (words.size() == 2 && words[0] == "dropped" && number(words[1], dropped)) continue;
    UsageRow row;
    const bool good = words.size() == 5 && number(words[0], row.calls) && number(words[1], row.octets) &&
                      (words[2] == "client" || words[2] == "server") && !words[3].empty();
    if (!good) {
      problem = "line " + std::to_string(at) + ": wants 'calls octets client|server operation repository-id'";
      return std::nullopt;
    }
    row.operation = words[3];
    row.interface = words[4];
    usage.rows.push_back(std::move(row));
  }
  return usage;
}

std::optional<Usage> read_usage_file(const std::string& path, std::string& problem) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  // An empty file fails here too, and leaves errno alone.
  if ((!in || !(text << in.rdbuf())) && errno != 0) {
    problem = std::strerror(errno);
    return std::nullopt;
  }
  return read_usage_text(text.str(), problem);
}

}  // namespace tenon::idl
