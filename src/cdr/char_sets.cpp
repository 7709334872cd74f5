// SPDX-License-Identifier: Apache-2.0
#include "cdr/char_sets.hpp"

#include "base/minor_codes.hpp"

namespace tenon::cdr {
namespace {

constexpr CharSet sets_of_every_program[] = {
    {CodeSet::utf8, "UTF-8", false, "utf8"},
    {CodeSet::iso8859_1, "ISO-8859-1", true, "iso88591 latin1 l1"},
};

}  // namespace

constinit std::atomic<const MoreCharSets*> more_char_sets{nullptr};

std::span<const CharSet> own_char_sets() noexcept { return sets_of_every_program; }

const CharSet* char_set(CodeSet id) noexcept {
  for (const CharSet& set : sets_of_every_program) {
    if (set.id == id) return &set;
  }
  const MoreCharSets* more = more_char_sets.load(std::memory_order_relaxed);
  return more != nullptr ? more->find(id) : nullptr;
}

bool has_one_octet_each(CodeSet id) noexcept {
  const CharSet* set = char_set(id);
  return set != nullptr && set->one_octet;
}

Error char_without_place(CodeSet transmission, const Error& why) noexcept {
  const bool has_it = why == errors::char_not_in_code_set && has_one_octet_each(transmission);
  return has_it ? errors::char_not_in_native_set : why;
}

CodeSet announced(CodeSet native) noexcept {
  return static_cast<std::uint32_t>(native) >> 16 == not_registered_sets >> 16 ? CodeSet::utf8 : native;
}

}  // namespace tenon::cdr
