// SPDX-License-Identifier: Apache-2.0
#include "base/texts.hpp"

#include "base/minor_codes.hpp"
#include "base/over_bound.hpp"

namespace tenon {
namespace {

std::string_view meaning(const Error& error) noexcept {
  const MinorCode* row = minor_code(error);
  return row != nullptr ? row->text : std::string_view{};
}

constexpr Texts all{.meaning = meaning, .excess = take_over_bound};

}  // namespace

void use_texts() noexcept { texts_detail::texts.store(&all, std::memory_order_relaxed); }

}  // namespace tenon
