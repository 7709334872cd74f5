// SPDX-License-Identifier: Apache-2.0
//
// What a call in one process costs at the border between Java and C++, in nanoseconds: what `auto` of --java-wrappers compares.
//
// Measured by `./dev bench late --only wrappers`, which prints these lines anew. Only the difference between the two ways counts.
#pragma once

namespace tenon::idl::java {

// A call without arguments and results, what each argument adds, and what a result adds.
struct BorderCosts {
  double call;
  double argument;
  double result;
};

// November 2026: two cores of a shared machine (Xeon, 2.1 GHz class), Debian 12, GCC 12 -O2, OpenJDK 17; least of 21 rounds.
constexpr BorderCosts late_from_java{135, 5.4, 26};
constexpr BorderCosts wrapped_from_java{105, 5.2, 26};
constexpr BorderCosts late_into_java{209, 7.4, 43};
constexpr BorderCosts wrapped_into_java{170, 15.2, 28};

}  // namespace tenon::idl::java
