// SPDX-License-Identifier: Apache-2.0
//
// How values of options are read: numbers, sizes, words. Each function returns false, and says in `why` what would be right, for a value
// that it does not take; `into` is then as before. Any thread.
#pragma once

#include <atomic>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "mapping/cpp11/corba/configuration_check.hpp"

namespace tenon::gen {

template <typename T>
bool read_number(std::string_view value, T& into, std::string& why, T least = 0,
                 T most = std::numeric_limits<T>::max()) {
  T read{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), read);
  if (error == std::errc() && end == value.data() + value.size() && read >= least && read <= most) {
    into = read;
    return true;
  }
  why = "wants a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  return false;
}

/// The same between the bounds of a member.
template <typename T>
bool read_number(std::string_view value, T& into, std::string& why, const Bounds& bounds) {
  return read_number(value, into, why, static_cast<T>(bounds.least), static_cast<T>(bounds.most));
}

/// A number of bytes, with k, M or G behind it for powers of 1024.
bool read_size(std::string_view value, std::size_t& into, std::string& why);

/// yes, no, and other words for them.
bool read_yes_no(std::string_view value, bool& into, std::string& why);

/// The same for a setting of the process: `yes` is what it then becomes.
bool read_yes_no(std::string_view value, std::atomic<bool>& into, bool yes, std::string& why);

/// Whether two words are equal, whatever their capitals.
bool same_word(std::string_view a, std::string_view b) noexcept;
/// Whether a text begins with a word, whatever the capitals.
inline bool begins_with_word(std::string_view text, std::string_view word) noexcept {
  return text.size() >= word.size() && same_word(text.substr(0, word.size()), word);
}

/// One of several words, in any capitals, each of which stands for a value.
template <typename T, typename Into>
bool read_word(std::string_view value, Into& into, std::string& why,
               std::initializer_list<std::pair<std::string_view, T>> words) {
  for (const auto& [word, meaning] : words) {
    if (!same_word(value, word)) continue;
    into = meaning;
    return true;
  }
  why = "wants";
  for (const auto* each = words.begin(); each != words.end(); ++each) {
    why += each == words.begin() ? " " : each + 1 == words.end() ? " or " : ", ";
    why += each->first;
  }
  return false;
}

}  // namespace tenon::gen
