// SPDX-License-Identifier: Apache-2.0
//
// What Moves are made of (program.hpp), and how a loop over instructions leaves out what it does not handle. In builds for size only, the
// loops handle the common ops and ask the unit's Moves for others; each of these is one pass of the same loop for one group, so that
// there is one text of each case. In other builds one loop handles every op.
#pragma once

#include "marshal/parameters.hpp"
#include "marshal/program.hpp"

namespace tenon::marshal {

/// What a loop handles.
constexpr Group handled = small_code ? Group::common : Group::every;

/// The ops of a group stand side by side.
consteval Op first_of(Group group) {
  unsigned op = 0;
  while (group_of(static_cast<Op>(op)) != group) ++op;
  return static_cast<Op>(op);
}
consteval Op last_of(Group group) {
  unsigned op = static_cast<unsigned>(Op::count_of_ops) - 1;
  while (group_of(static_cast<Op>(op)) != group) --op;
  return static_cast<Op>(op);
}

/// Tells the compiler that a loop which handles `group` meets no other op, so that it leaves out the others' cases. By comparing with
/// constants: the compiler does not look into group_of() in builds for size.
template <Group group>
[[gnu::always_inline]] inline void only(Op op) noexcept {
  if constexpr (group != Group::every) {
    if (op < first_of(group) || op > last_of(group)) __builtin_unreachable();
  }
}
/// Whether the loop goes on behind an instruction: that for one group handles one.
template <Group group>
constexpr bool goes_on = group == Group::every || group == Group::common;

template <Group group>
const Word* put_part(void* encoder, const Word* at, const std::byte* from);
template <Group group>
const Word* get_part(void* decoder, const Word* at, std::byte* into);
template <Group group>
void skip_part(void* skipper, const Word* at);
template <Group group>
void construct_part(const Unit& unit, const Word* at, std::byte* part);
template <Group group>
void destroy_part(const Unit& unit, const Word* at, std::byte* part) noexcept;

}  // namespace tenon::marshal

/// Instantiates a template of these for each group, where they are called.
#ifdef __OPTIMIZE_SIZE__
#define TENON_EACH_GROUP(instantiate)                                                                        \
  instantiate(arrays) instantiate(numbers) instantiate(booleans) instantiate(strings) instantiate(sequences) \
      instantiate(wide) instantiate(long_double) instantiate(fixed) instantiate(unions) instantiate(maps)
#else
#define TENON_EACH_GROUP(instantiate)
#endif
