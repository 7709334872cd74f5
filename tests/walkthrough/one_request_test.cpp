// SPDX-License-Identifier: Apache-2.0
#include "one_request.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "symbols.hpp"
#include "world.hpp"

namespace tenon::walk {
namespace {

/// This recorder's own, and the libraries'.
bool is_not_the_orbs(const std::string& name) {
  return name == "syscall" || name == "pthread_mutex_lock" || name.starts_with("tenon::walk::record") ||
         name.starts_with("tenon::walk::stack_here") || name.starts_with("std::");
}

/// Outermost first, from the function `first` on.
Names path(const Frames& frames, const std::string& first) {
  Names names = functions(frames);
  std::erase_if(names, is_not_the_orbs);
  std::ranges::reverse(names);
  const auto begin = std::ranges::find(names, first);
  EXPECT_NE(begin, names.end()) << first << " is not in " << testing::PrintToString(names);
  names.erase(names.begin(), begin);
  return names;
}

/// The same as written in the sources.
std::vector<WrittenFunction> written_path(const Frames& frames, const std::string& first) {
  std::vector<WrittenFunction> all = written_functions(frames);
  std::erase_if(all, [](const WrittenFunction& each) { return is_not_the_orbs(each.name); });
  std::ranges::reverse(all);
  all.erase(all.begin(), std::ranges::find(all, first, &WrittenFunction::name));
  return all;
}

const char* const stub = "Walk::Calc::add";
const char* const server_thread = "tenon::orb::ThreadServer::serve_lane";
const char* const receiving = "tenon::giop::BidirectionalConnection::serve";

}  // namespace

OneRequest observe_one_request() {
  World world;
  OneRequest seen;
  Frames at_servant;
  world.servant->stack = &at_servant;
  Recording recording;
  EXPECT_EQ(world.calc->add(2, 40), 42);
  recording.stop();
  world.servant->stack = nullptr;

  const pid_t server = world.servant->thread.load();
  const auto takes_part = [server](pid_t thread) { return thread == server || thread == ::gettid(); };
  for (const Transfer& transfer : recording.transfers()) {
    if (!takes_part(transfer.thread)) continue;
    const bool of_server = transfer.thread == server;
    const Names names = path(transfer.frames, of_server ? server_thread : stub);
    if (!of_server) (transfer.sent ? seen.client_send : seen.client_receive) = names;
    if (of_server) (transfer.sent ? seen.server_send : seen.server_receive) = names;
    if (transfer.sent) (of_server ? seen.reply : seen.request) = transfer.bytes;
    if (transfer.sent && !of_server) seen.stub_to_syscall = written_path(transfer.frames, stub);
  }
  seen.server_servant = path(at_servant, server_thread);
  seen.syscall_to_servant = written_path(at_servant, receiving);
  for (const LockUse& use : recording.locks()) {
    if (!takes_part(use.thread)) continue;
    const bool of_server = use.thread == server;
    Names names = path(use.frames, of_server ? server_thread : stub);
    if (names.empty()) continue;
    (of_server ? seen.server_locks : seen.client_locks).push_back(names.back());
  }
  EXPECT_FALSE(seen.request.empty() || seen.reply.empty()) << "a message did not pass through sendto";
  return seen;
}

Trace trace_calls(int calls) {
  return trace_child([calls] {
    World world;
    for (int round = 1; round <= 2; ++round) {
      mark();
      for (int i = 0; i < round * calls; ++i) {
        if (world.calc->add(i, 40) != i + 40) std::abort();
      }
    }
    mark();
  });
}

}  // namespace tenon::walk
