// SPDX-License-Identifier: Apache-2.0
#include "marshal/moves.hpp"

namespace tenon::marshal {

const Moves& Unit::moves_of(Op op) const noexcept {
  const Group group = group_of(op);
  const Moves* const* found = moves;
  while ((*found)->group != group) ++found;
  return **found;
}

namespace moves {

namespace {

template <Group group>
consteval Moves made() {
  if constexpr (small_code) {
    return {group,
            &put_part<group>,
            &get_part<group>,
            &skip_part<group>,
            &construct_part<group>,
            &destroy_part<group>};
  } else {
    return {group};
  }
}

}  // namespace

constinit const Moves arrays = made<Group::arrays>();
constinit const Moves numbers = made<Group::numbers>();
constinit const Moves booleans = made<Group::booleans>();
constinit const Moves strings = made<Group::strings>();
constinit const Moves sequences = made<Group::sequences>();
constinit const Moves wide = made<Group::wide>();
constinit const Moves long_double = made<Group::long_double>();
constinit const Moves fixed = made<Group::fixed>();
constinit const Moves unions = made<Group::unions>();
constinit const Moves maps = made<Group::maps>();

constinit const Moves* const all[] = {&arrays, &numbers,     &booleans, &strings, &sequences,
                                      &wide,   &long_double, &fixed,    &unions,  &maps};

}  // namespace moves
}  // namespace tenon::marshal
