// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/option_values.hpp"

namespace tenon::gen {

bool read_size(std::string_view value, std::size_t& into, std::string& why) {
  unsigned shift = 0;
  std::string_view digits = value;
  if (!value.empty()) {
    const char last = value.back();
    shift = last == 'k' || last == 'K'   ? 10
            : last == 'm' || last == 'M' ? 20
            : last == 'g' || last == 'G' ? 30
                                         : 0;
    if (shift != 0) digits.remove_suffix(1);
  }
  std::size_t read = 0;
  if (!read_number(digits, read, why) || (read << shift) >> shift != read) {
    why = "wants a number of bytes, such as 65536, 64k, 16M or 1G";
    return false;
  }
  into = read << shift;
  return true;
}

bool read_yes_no(std::string_view value, bool& into, std::string& why) {
  for (const std::string_view yes : {"yes", "1", "true", "on"}) {
    if (same_word(value, yes)) return into = true;
  }
  for (const std::string_view no : {"no", "0", "false", "off"}) {
    if (!same_word(value, no)) continue;
    into = false;
    return true;
  }
  why = "wants yes or no";
  return false;
}

bool read_yes_no(std::string_view value, std::atomic<bool>& into, bool yes, std::string& why) {
  bool read = false;
  if (!read_yes_no(value, read, why)) return false;
  into = read ? yes : !yes;
  return true;
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

}  // namespace tenon::gen
