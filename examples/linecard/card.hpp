// SPDX-License-Identifier: Apache-2.0
//
// What a card looks like: made-up values, which differ from line to line.
#pragma once

#include <cstdint>

#include "linecard.hpp"

// What a line `distance` km away may look like.
inline LineCard::ADSL_Line_End line_end(std::uint32_t line, double distance) {
  const LineCard::ADSL_Line_End_RAW raw(true, static_cast<std::uint16_t>(line % 3),
                                        static_cast<float>(distance * 13.5), 32.5 - distance - line % 7);
  const LineCard::ADSL_Line_End_ATM atm(line % 5, 1'000'000ull * line + 424'242);
  return LineCard::ADSL_Line_End(raw, atm);
}

inline LineCard::ADSL_Line_Card card_with(std::uint32_t lines) {
  LineCard::ADSL_Line_Card card(LineCard::Line_Card("tenon-7", 41.5f, 86'400), {});
  card.line().reserve(lines);
  for (std::uint32_t i = 0; i < lines; ++i) card.line().emplace_back(line_end(i, 0.5), line_end(i, 2.5));
  return card;
}
