// SPDX-License-Identifier: Apache-2.0
#include "tests/orb/recorder.hpp"

#include <chrono>
#include <stdexcept>

namespace tenon::suite {

std::string raised_by(const ExceptionHolderRef& holder) {
  try {
    return outcome_of([&] { holder->raise_exception(); });
  } catch (...) {
    return "something else";
  }
}

void Recorder::note(std::string text) {
  {
    const std::lock_guard lock(mutex_);
    records_.push_back(std::move(text));
    changed_.notify_all();
  }
  if (throws) throw std::runtime_error("a handler's own trouble");
}

std::vector<std::string> Recorder::wait_for(std::size_t count) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::seconds(60), [&] { return records_.size() >= count; });
  return records_;
}

std::string Recorder::wait_for_one() {
  const std::vector<std::string> records = wait_for(1);
  const std::lock_guard lock(mutex_);
  records_.clear();
  return records.size() == 1 ? records.front() : std::to_string(records.size()) + " records";
}

bool Recorder::quiet() const {
  const std::lock_guard lock(mutex_);
  return records_.empty();
}

void Recorder::mix(const Suite::Point& made, const std::string& text, const Suite::Point& copy,
                   std::uint32_t count) {
  note("mix " + std::to_string(made.x()) + " " + text + " " + copy.label() + " " + std::to_string(count));
}

void Recorder::pass(ObjectRef given, bool was_nil) {
  note(std::string("pass ") + (given ? "an object" : "nil") + (was_nil ? " was nil" : ""));
}

}  // namespace tenon::suite
