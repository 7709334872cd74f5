// SPDX-License-Identifier: Apache-2.0
//
// The values that dynamic.idl's make() is to make, for the servant that makes them and the client that expects them.
#pragma once

#include "dynamic_any.hpp"

namespace dynamic_values {

using namespace InteropDynamic;

inline Card ace() { return Card(Suit::clubs, 3, "x"); }
inline Hand hand() { return {ace(), Card(Suit::spades, 11, "")}; }
inline Choice choice() {
  Choice made;
  made.cards(hand());
  return made;
}
inline Triples triples() { return {{-2, -1, 0}, {1, 2, 3}}; }
inline Amount amount() { return Amount("-1234.567"); }
inline Node tree() { return Node(1, {Node(2, {}), Node(3, {Node(4, {})})}); }
inline Card inner() { return Card(Suit::hearts, 9, "inner"); }

}  // namespace dynamic_values
