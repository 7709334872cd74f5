// SPDX-License-Identifier: Apache-2.0
//
// The lines that Tenon's clients print: "ok NAME" or "FAIL NAME reason".
//
// Threads: main only.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace checks {

/// Runs one check: `body` returns what is wrong, or nothing. An exception that escapes is a failure.
void check(const std::string& name, const std::function<std::string()>& body);

/// The body must end with one of these system exceptions (short names).
void check_raises(const std::string& name, const std::vector<std::string>& wanted,
                  const std::function<void()>& body);

void select(const std::string& only, const std::string& skip = {});
int summary();  ///< prints the totals; the exit status

}  // namespace checks
