// SPDX-License-Identifier: Apache-2.0
//
// The little language that every measured client speaks, so that one driver can interleave them: it reads a
// command per line from standard input and answers with one line. Not a benchmark framework: no warm-up, no
// repetition, no statistics beyond two percentiles; all that is the driver's.
//
// Threads: one, and those of calls_per_second().
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace blocks {

inline std::uint64_t now_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

// "P50 P99" in nanoseconds of `count` calls. The end of one call is the beginning of the next: one reading of
// the clock for each.
template <class Call>
std::string time_calls(std::size_t count, Call&& call) {
  std::vector<std::uint64_t> times(count);
  std::uint64_t begin = now_ns();
  for (std::uint64_t& time : times) {
    call();
    const std::uint64_t end = now_ns();
    time = end - begin;
    begin = end;
  }
  const auto at = [&](std::size_t percent) {
    const auto nth = times.begin() + static_cast<std::ptrdiff_t>(count * percent / 100);
    std::nth_element(times.begin(), nth, times.end());
    return std::to_string(*nth);
  };
  return count == 0 ? "0 0" : at(50) + " " + at(99);
}

// `count` calls by so many threads together, each of which calls what `make()` gave it. The threads make their first calls, wait for
// each other, and only then the clock starts.
template <class Make>
std::string calls_per_second(std::size_t threads, std::size_t count, Make&& make) {
  if (threads == 0 || count < threads) return "error wants at least one thread, and a call for each";
  std::atomic<std::size_t> ready{0};
  std::atomic<bool> started{false};
  std::vector<std::thread> callers;
  const std::size_t each = count / threads;
  for (std::size_t i = 0; i < threads; ++i) {
    callers.emplace_back([&, call = make()]() mutable {
      for (int warm = 0; warm < 20; ++warm) call();
      ready.fetch_add(1);
      started.wait(false);
      for (std::size_t k = 0; k < each; ++k) call();
    });
  }
  while (ready.load() < threads) std::this_thread::yield();
  const std::uint64_t begin = now_ns();
  started.store(true);
  started.notify_all();
  for (std::thread& caller : callers) caller.join();
  const std::uint64_t end = now_ns();
  return std::to_string(static_cast<double>(each * threads) * 1e9 / static_cast<double>(end - begin));
}

// Megabytes (10^6) a second.
inline std::string rate(std::uint64_t bytes, std::uint64_t nanoseconds) {
  char text[32];
  std::snprintf(
      text, sizeof text, "%.3f",
      static_cast<double>(bytes) * 1000.0 / static_cast<double>(std::max<std::uint64_t>(nanoseconds, 1)));
  return text;
}

using Words = std::vector<std::string>;

inline std::size_t number(const Words& words, std::size_t index) {
  return index < words.size() ? std::strtoul(words[index].c_str(), nullptr, 10) : 0;
}

// Until `quit` or the end of input. The handler returns the answer; an empty one means an unknown command.
template <class Handler>
int serve_commands(Handler&& handler) {
  char line[256];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    Words words;
    std::string word;
    for (const char* at = line; *at != '\0'; ++at) {
      if (*at != ' ' && *at != '\n') {
        word += *at;
      } else if (!word.empty()) {
        words.push_back(std::exchange(word, {}));
      }
    }
    if (words.empty()) continue;
    if (words[0] == "quit") break;
    const std::string answer = handler(words);
    std::printf("%s\n", answer.empty() ? "error unknown command" : answer.c_str());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace blocks
