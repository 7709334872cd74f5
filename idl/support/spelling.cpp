// SPDX-License-Identifier: Apache-2.0
#include "idl/support/spelling.hpp"

#include <algorithm>

namespace tenon::idl {

namespace {

constexpr std::size_t longest_word = 64;  // longer words get no proposals; bounds the quadratic cost

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above + 1, row[j - 1] + 1, change});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() < 2 || word.size() > longest_word) return {};
  const std::string folded = lower(word);
  std::size_t best = word.size() <= 4 ? 2 : word.size() / 3 + 1;  // must be beaten
  std::string found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > word.size() + 3 || candidate.size() + 3 < word.size()) continue;
    const std::size_t d = distance(folded, lower(candidate));
    if (d < best) {
      best = d;
      found = candidate;
    }
  }
  return found;
}

}  // namespace tenon::idl
