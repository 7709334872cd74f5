// SPDX-License-Identifier: Apache-2.0
//
// Random numbers that are the same everywhere for the same seed (SplitMix64). For tests only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenon::equality {

class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t bits() noexcept {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  /// 0 .. count - 1.
  std::size_t below(std::size_t count) noexcept { return static_cast<std::size_t>(bits() % count); }
  /// True once in `times`.
  bool once_in(std::size_t times) noexcept { return below(times) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace tenon::equality
