// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/option_values.hpp"

#include <algorithm>
#include <charconv>

#include "base/joined.hpp"
#include "base/size_text.hpp"

namespace tenon::gen {

namespace {

bool whole_number(std::string_view value, std::uint64_t& into) {
  const char* const end = value.data() + value.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): its end is given
  const auto [read_to, error] = std::from_chars(value.data(), end, into);
  return error == std::errc() && read_to == end;
}

/// Takes a word off the front of "off|error|warning".
std::string_view take_word(std::string_view& words) {
  const std::string_view word = words.substr(0, words.find('|'));
  words.remove_prefix(std::min(word.size() + 1, words.size()));
  return word;
}

}  // namespace

bool read_number(std::string_view value, std::uint32_t& into, std::string& why, std::uint32_t least,
                 std::uint32_t most) {
  std::uint64_t read = 0;
  if (whole_number(value, read) && read >= least && read <= most) {
    into = static_cast<std::uint32_t>(read);
    return true;
  }
  why = worded("wants a whole number from % to %", {decimal(least), decimal(most)});
  return false;
}

bool read_size(std::string_view value, std::size_t& into, std::string& why) {
  const std::optional<std::uint64_t> read = read_size_text(value);
  if (!read || static_cast<std::size_t>(*read) != *read) {
    why = "wants a number of bytes, such as 65536, 64k, 16M or 1G";
    return false;
  }
  into = static_cast<std::size_t>(*read);
  return true;
}

bool read_yes_no(std::string_view value, bool& into, std::string& why) {
  unsigned word = 0;
  if (!read_choice("yes|1|true|on|no|0|false|off", value, word, why)) {
    why = "wants yes or no";
    return false;
  }
  into = word < 4;
  return true;
}

bool read_choice(std::string_view words, std::string_view value, unsigned& into, std::string& why) {
  unsigned number = 0;
  for (std::string_view left = words; !left.empty(); ++number) {
    if (!same_word(take_word(left), value)) continue;
    into = number;
    return true;
  }
  why = "wants ";
  while (!words.empty()) {
    why.append(take_word(words));
    why.append(words.empty() ? "" : words.find('|') == std::string_view::npos ? " or " : ", ");
  }
  return false;
}

bool same_word(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

bool read_list(std::string_view value, char between, std::vector<std::string>& into) {
  const std::size_t before = into.size();
  while (!value.empty()) {
    const std::size_t end = std::min(value.find(between), value.size());
    if (end != 0) into.emplace_back(value.substr(0, end));
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return into.size() != before;
}

}  // namespace tenon::gen
