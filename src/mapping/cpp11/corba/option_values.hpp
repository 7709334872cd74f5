// SPDX-License-Identifier: Apache-2.0
//
// How values of options are read: numbers, sizes, words. Each function returns false, and says in `why` what would be right, for a value
// that it does not take; `into` is then as before. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::gen {

bool read_number(std::string_view value, std::uint32_t& into, std::string& why, std::uint32_t least = 0,
                 std::uint32_t most = UINT32_MAX);

/// A number of bytes, with k, M or G behind it for powers of 1024.
bool read_size(std::string_view value, std::size_t& into, std::string& why);

/// yes, no, and other words for them.
bool read_yes_no(std::string_view value, bool& into, std::string& why);

/// Whether two words are equal, whatever their capitals.
bool same_word(std::string_view a, std::string_view b) noexcept;
/// Whether a text begins with a word, whatever the capitals.
inline bool begins_with_word(std::string_view text, std::string_view word) noexcept {
  return text.size() >= word.size() && same_word(text.substr(0, word.size()), word);
}

/// One of several words, "off|error|warning", in any capitals: its number.
bool read_choice(std::string_view words, std::string_view value, unsigned& into, std::string& why);

/// Adds the texts that `between` separates, without empty ones. False: there are none.
bool read_list(std::string_view value, char between, std::vector<std::string>& into);

}  // namespace tenon::gen
