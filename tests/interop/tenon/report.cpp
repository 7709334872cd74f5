// SPDX-License-Identifier: Apache-2.0
//
// The lines that Tenon's clients print, and the totals.
//
// Threads: main only.

#include "tests/interop/tenon/report.hpp"

#include <cstdio>
#include <tenon/tenon.hpp>

namespace checks {

namespace {

std::string only_these;  // both set before the first check
std::string not_these;
int passed = 0;
int failed = 0;

void report(const std::string& name, const std::string& wrong) {
  if (wrong.empty()) {
    ++passed;
    std::printf("ok %s\n", name.c_str());
  } else {
    ++failed;
    std::printf("FAIL %s %s\n", name.c_str(), wrong.c_str());
  }
  std::fflush(stdout);
}

}  // namespace

void select(const std::string& only, const std::string& skip) {
  only_these = only;
  not_these = skip;
}

int summary() {
  std::printf("done %d checks, %d failed\n", passed + failed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

void check(const std::string& name, const std::function<std::string()>& body) {
  if (name.find(only_these) == std::string::npos) return;
  if (!not_these.empty() && name.find(not_these) != std::string::npos) return;
  std::string wrong;
  try {
    wrong = body();
  } catch (const CORBA::SystemException& e) {
    wrong = e.what();
  } catch (const CORBA::Exception& e) {
    wrong = "exception " + std::string(e._rep_id());
  }
  report(name, wrong);
}

void check_raises(const std::string& name, const std::vector<std::string>& wanted,
                  const std::function<void()>& body) {
  check(name, [&]() -> std::string {
    try {
      body();
    } catch (const CORBA::SystemException& e) {
      for (const auto& one : wanted) {
        if (one == e._name()) return "";
      }
      return std::string(e.what()) + ", not " + wanted.front();
    }
    return "no exception, wanted " + wanted.front();
  });
}

}  // namespace checks
