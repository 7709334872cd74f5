// SPDX-License-Identifier: Apache-2.0
//
// Commands of values.hpp over a stub of Tenon's: of the client, and of Java programs that have a stub of C++ (wrapper/).
//
// Threads: the caller's.
#pragma once

#include "bench/late/values.hpp"
#include "late.hpp"

namespace late {

template <class T>
std::string typed(Late::Target& target, const blocks::Words& words,
                  void (Late::Target::*put)(const std::vector<T>&),
                  std::vector<T> (Late::Target::*get)(std::uint32_t)) {
  return answer<std::vector<T>>(
      target, words, [&](const std::vector<T>& values) { (target.*put)(values); },
      [&](std::uint32_t count) { return (target.*get)(count); });
}

inline std::string commanded(Late::Target& target, const blocks::Words& words) {
  using Target = Late::Target;
  if (words.size() != 3) return "";
  if (words[0] == "noop") return mean_ns(blocks::number(words, 2), [&] { target.noop(); });
  if (auto* const viewer = dynamic_cast<Late::Viewer*>(&target)) {
    if (words[0] == "view_E")
      return viewed<Late::SequenceE>(words, [&](const auto& values) { return viewer->view_E(values); });
    if (words[0] == "view_F")
      return viewed<Late::SequenceF>(words, [&](const auto& values) { return viewer->view_F(values); });
  }
  switch (words[0].back()) {
    case 'A': return typed(target, words, &Target::put_A, &Target::get_A);
    case 'B': return typed(target, words, &Target::put_B, &Target::get_B);
    case 'C': return typed(target, words, &Target::put_C, &Target::get_C);
    case 'D': return typed(target, words, &Target::put_D, &Target::get_D);
    case 'E': return typed(target, words, &Target::put_E, &Target::get_E);
    case 'F': return typed(target, words, &Target::put_F, &Target::get_F);
    default: return "";
  }
}

}  // namespace late
