// SPDX-License-Identifier: Apache-2.0
//
// A reply handler that writes down what it is told, for tests of sendc_ operations.
//
// Threads: called by any thread of its ORB; the tests wait for what is written.
#pragma once

#include <condition_variable>
#include <mutex>

#include "tests/orb/world.hpp"

namespace tenon::suite {

using Messaging::ExceptionHolderRef;

/// A poller's time-out.
inline constexpr std::uint32_t for_ever = 0xFFFFFFFF;

/// What a holder raises, as text.
std::string raised_by(const ExceptionHolderRef& holder);

class Recorder final : public CORBA::servant_traits<Suite::AMI_TestHandler>::base_type {
 public:
  /// Waits for so many records; empty: they did not come.
  std::vector<std::string> wait_for(std::size_t count);
  std::string wait_for_one();
  bool quiet() const;
  std::atomic<bool> throws{false};  ///< whether it throws what no operation may, having written it down

  void who(const std::string& name) override { note("who " + name); }
  void get_title(const std::string& title) override { note("get_title " + title); }
  void set_title() override { note("set_title"); }
  void noop() override { note("noop"); }
  void add(std::int32_t sum) override { note("add " + std::to_string(sum)); }
  void mix(const Suite::Point& made, const std::string& text, const Suite::Point& copy,
           std::uint32_t count) override;
  void echo(const Suite::Blob& data) override { note("echo " + std::to_string(data.size())); }
  void make(const Suite::Blob& data) override { note("make " + std::to_string(data.size())); }
  void sum(std::uint64_t sum) override { note("sum " + std::to_string(sum)); }
  void notes(const Suite::Numbers& numbers) override { note("notes " + std::to_string(numbers.size())); }
  void hold(std::int32_t number) override { note("hold " + std::to_string(number)); }
  void fail() override { note("fail"); }
  void pass(ObjectRef given, bool was_nil) override;
  void ask(const std::string& name) override { note("ask " + name); }
  void shut_down() override { note("shut_down"); }
  void destroy_orb() override { note("destroy_orb"); }

  void who_excep(ExceptionHolderRef holder) override { failed("who", holder); }
  void get_title_excep(ExceptionHolderRef holder) override { failed("get_title", holder); }
  void set_title_excep(ExceptionHolderRef holder) override { failed("set_title", holder); }
  void noop_excep(ExceptionHolderRef holder) override { failed("noop", holder); }
  void add_excep(ExceptionHolderRef holder) override { failed("add", holder); }
  void mix_excep(ExceptionHolderRef holder) override { failed("mix", holder); }
  void echo_excep(ExceptionHolderRef holder) override { failed("echo", holder); }
  void make_excep(ExceptionHolderRef holder) override { failed("make", holder); }
  void sum_excep(ExceptionHolderRef holder) override { failed("sum", holder); }
  void notes_excep(ExceptionHolderRef holder) override { failed("notes", holder); }
  void hold_excep(ExceptionHolderRef holder) override { failed("hold", holder); }
  void fail_excep(ExceptionHolderRef holder) override { failed("fail", holder); }
  void pass_excep(ExceptionHolderRef holder) override { failed("pass", holder); }
  void ask_excep(ExceptionHolderRef holder) override { failed("ask", holder); }
  void shut_down_excep(ExceptionHolderRef holder) override { failed("shut_down", holder); }
  void destroy_orb_excep(ExceptionHolderRef holder) override { failed("destroy_orb", holder); }

 private:
  void note(std::string text);
  void failed(const std::string& operation, const ExceptionHolderRef& holder) {
    note(operation + " raised " + raised_by(holder));
  }

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::string> records_;
};

}  // namespace tenon::suite
