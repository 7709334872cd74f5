// SPDX-License-Identifier: Apache-2.0
#include "base/texts.hpp"

#include "base/minor_codes.hpp"
#include "base/over_bound.hpp"
#include "base/trail.hpp"

namespace tenon {
namespace {

std::string_view meaning(const Error& error) noexcept {
  const MinorCode* row = minor_code(error);
  return row != nullptr ? row->text : std::string_view{};
}

constexpr Texts all_texts{.meaning = meaning, .excess = take_over_bound, .attempt = text, .trail = text};

}  // namespace

void use_texts() noexcept { texts_detail::texts.store(&all_texts, std::memory_order_relaxed); }

}  // namespace tenon
