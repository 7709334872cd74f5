// SPDX-License-Identifier: Apache-2.0
//
// The program of this folder as a process that can be killed at any moment, and what a process holds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/orb/world.hpp"

namespace tenon::faults {

class Process {
 public:
  /// Starts it and waits for its first line, which says that it is at work.
  explicit Process(std::vector<std::string> arguments);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() { kill(); }

  const std::string& first_line() const noexcept { return first_line_; }
  /// Sends SIGKILL, and returns when the process has ended.
  void kill() noexcept;

 private:
  int pid_ = 0;
  std::string first_line_;
};

/// What this process holds.
struct Holdings {
  std::uint32_t descriptors = 0;
  std::uint32_t threads = 0;
  std::uint64_t heap = 0;  ///< octets in use

  static Holdings now();
};

/// Fails the test unless this process holds what it held then; for memory, but for what allocators and threads keep at some moment.
void expect_no_more_than(const Holdings& then);

/// The protocols with sockets of the system, both ways of serving.
std::vector<suite::Case> over_sockets();
/// Those of which all octets go over the socket, so that a Proxy can spoil them.
std::vector<suite::Case> over_streams();

/// A seed of TENON_FAULTS_SEED, or the one given; printed, so that a run can be repeated.
std::uint32_t seed_or(std::uint32_t usual);
/// `rounds` times TENON_FAULTS_LONG, which is 1 by default.
std::uint32_t longer(std::uint32_t rounds);

}  // namespace tenon::faults
