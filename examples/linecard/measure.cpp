// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include "bench/raw/blocks.hpp"
#include "card.hpp"

namespace {

// What a call of get() does with values, without the call: the servant makes a card, the client has one with the same content.
void values(std::uint32_t lines) {
  const LineCard::ADSL_Line_Card made = card_with(lines);
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): the copy is what is measured
  const LineCard::ADSL_Line_Card copy = made;
  asm volatile("" : : "r"(&made), "r"(&copy) : "memory");  // both are wanted
}

std::string flood(LineCard::Monitor& monitor, std::uint32_t lines, std::size_t count) {
  const LineCard::ADSL_Line_Card card = monitor.get(lines);
  monitor.received();
  const std::uint64_t all = count * lines;
  const std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i < count; ++i) monitor.push(card);
  // Another ORB's server may let the proof overtake the last oneways: what is missing is asked for again.
  for (std::uint64_t received = 0; received < all;) received += monitor.received();
  const double seconds = static_cast<double>(blocks::now_ns() - begin) / 1e9;
  return std::to_string(static_cast<std::uint64_t>(static_cast<double>(all) / seconds));
}

}  // namespace

int measure(LineCard::Monitor& monitor) {
  return blocks::serve_commands([&](const blocks::Words& words) -> std::string {
    const auto lines = static_cast<std::uint32_t>(blocks::number(words, 1));
    const std::size_t count = blocks::number(words, 2);
    if (words[0] == "get") return blocks::time_calls(count, [&] { monitor.get(lines); });
    if (words[0] == "values") return blocks::time_calls(count, [&] { values(lines); });
    if (words[0] == "push") return flood(monitor, lines, count);
    return "";
  });
}
