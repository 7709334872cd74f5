// SPDX-License-Identifier: Apache-2.0
#include "coder.hpp"

namespace tenon::bench {

std::span<const Rung> rungs() {
  static constexpr Rung all[] = {
      {"original", "traverse and visit, all found out at each element", make_original},
      {"inlined", "small functions inline", make_inlined},
      {"precomputed", "sizes known, one merged function, no useless frees", make_precomputed},
      {"split_receiver", "a receiver of small functions", make_split_receiver},
      {"split_sender", "a sender of small functions", make_split_sender},
      {"ours", "a marshal program", make_ours},
      {"compiled", "what tenon-idl compiles", make_compiled},
      {"memcpy", "a copy of the memory", make_copied},
  };
  return all;
}

}  // namespace tenon::bench
