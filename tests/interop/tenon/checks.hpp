// SPDX-License-Identifier: Apache-2.0
//
// How Tenon's clients call an echo operation, and the groups of checks. The same checks
// under the same names as omniORB's client has, so that known_failures.txt can speak of both.
//
// Threads: main only.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <tenon/tenon.hpp>
#include <type_traits>
#include <vector>

#include "echo.hpp"
#include "tests/interop/tenon/program.hpp"
#include "tests/interop/tenon/report.hpp"

namespace checks {

using EchoRef = IDL::traits<Interop::Echo>::ref_type;

inline std::string verdict(bool result, bool inout, bool out) {
  if (result && inout && out) return "";
  return std::string("wrong") + (result ? "" : " result") + (inout ? "" : " inout") + (out ? "" : " out");
}

template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) return a == b || (std::isnan(a) && std::isnan(b));
  return a == b;
}

/// Each value is once `a` and once `b`, beside its successor. `Operation` takes `a` by value or by reference.
template <class T, class Operation>
void echo_all(const EchoRef& echo, const char* name, Operation operation, const std::vector<T>& list) {
  check(name, [&] {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const T& a = list[i];
      const T& b0 = list[(i + 1) % list.size()];
      T b = b0;
      T c{};
      const T r = (echo.get()->*operation)(a, b, c);
      const std::string wrong = verdict(same<T>(r, a), same<T>(b, a), same<T>(c, b0));
      if (!wrong.empty()) return "value " + std::to_string(i) + ": " + wrong;
    }
    return std::string();
  });
}

/// Empty, one, and many: with lengths that leave every alignment behind.
template <class T>
std::vector<std::vector<T>> sequences(const std::vector<T>& some) {
  std::vector<T> many;
  for (std::size_t i = 0; i < 1021; ++i) many.push_back(some[i % some.size()]);
  return {{}, {some[0]}, some, many};
}

/// The body must end with an exception of that class.
template <class Raised>
void check_throws(const char* name, const std::function<void()>& body) {
  check(name, [&]() -> std::string {
    try {
      body();
    } catch (const Raised&) {
      return "";
    }
    return "no exception";
  });
}

void value_checks(const EchoRef& echo, const program::Options& options);
void plane_checks(const EchoRef& echo, const program::Options& options);
void constructed_checks(const EchoRef& echo);
void sequence_checks(const EchoRef& echo);
void reference_checks(CORBA::ORB& orb, const EchoRef& echo);
void behaviour_checks(const EchoRef& echo);
void dynamic_checks(const EchoRef& echo, const program::Options& options);

}  // namespace checks

/// Name of the check and name of the operation are the same.
#define ECHO_ALL(T, name, ...) checks::echo_all<T>(echo, #name, &Interop::Echo::name, __VA_ARGS__)
