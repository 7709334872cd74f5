// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/process.hpp"

#include <malloc.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/faults/entries.hpp"

namespace tenon::faults {

Process::Process(std::vector<std::string> arguments) {
  std::string path(4096, '\0');
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  path.erase(path.rfind('/') + 1);
  arguments.insert(arguments.begin(), path + "faults_program");
  std::vector<char*> words;
  for (std::string& each : arguments) words.push_back(each.data());
  words.push_back(nullptr);
  int ends[2];
  if (::pipe(ends) != 0) return;
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  std::FILE* out = ::fdopen(ends[0], "r");
  for (int c = std::fgetc(out); c != EOF && c != '\n'; c = std::fgetc(out)) {
    first_line_.push_back(static_cast<char>(c));
  }
  std::fclose(out);
}

void Process::kill() noexcept {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

namespace {

std::uint32_t number_of(const char* variable, std::uint32_t usual) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? usual : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

}  // namespace

Holdings Holdings::now() {
  Holdings held;
  // Without the descriptor that the count itself opens.
  held.descriptors = entries_of("/proc/self/fd") - 1;
  held.threads = entries_of("/proc/self/task");
  ::malloc_trim(0);  // small freed blocks are free, too
  held.heap = ::mallinfo2().uordblks + ::mallinfo2().hblkhd;
  return held;
}

void expect_no_more_than(const Holdings& then) {
  constexpr std::uint64_t heap_slack = 2 << 20;  // free lists of large buffers, which have a limit
  // A thread that has been joined is seen for a moment more.
  EXPECT_TRUE(suite::eventually([&] { return Holdings::now().threads == then.threads; }));
  const Holdings held = Holdings::now();
  EXPECT_EQ(held.descriptors, then.descriptors);
  EXPECT_EQ(held.threads, then.threads);
  EXPECT_LT(held.heap, then.heap + heap_slack);
}

std::vector<suite::Case> over_sockets() {
  std::vector<suite::Case> cases = suite::remote_cases();
  std::erase_if(cases, [](const suite::Case& each) { return each.protocol == "torture"; });
  return cases;
}

std::vector<suite::Case> over_streams() {
  std::vector<suite::Case> cases = over_sockets();
  std::erase_if(cases, [](const suite::Case& each) { return each.protocol == "shmiop"; });
  return cases;
}

std::uint32_t seed_or(std::uint32_t usual) {
  const std::uint32_t seed = number_of("TENON_FAULTS_SEED", usual);
  std::printf("TENON_FAULTS_SEED=%u\n", seed);
  return seed;
}

std::uint32_t longer(std::uint32_t rounds) {
  const std::uint32_t times = number_of("TENON_FAULTS_LONG", 1);
  return rounds * (times == 0 ? 1 : times);
}

}  // namespace tenon::faults
