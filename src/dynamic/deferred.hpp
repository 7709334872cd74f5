// SPDX-License-Identifier: Apache-2.0
//
// Deferred requests of one ORB: threads that make the calls, and which calls are done. Belongs to the ORB as an attachment, so it
// goes with ORB::destroy(). Any thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "dynamic/dynamic_call.hpp"
#include "orb/workers.hpp"

namespace tenon::dynamic {

class Deferred {
 public:
  /// Calls that are waited for at the same time; more wait for their turn.
  static constexpr unsigned most_threads = 64;

  static std::shared_ptr<Deferred> of(orb::Orb& orb);

  Deferred() : workers_(most_threads) {}
  /// NO_RESOURCES when no thread can be made.
  Status start(Ref<DynamicCall> call);
  bool done(const DynamicCall& call);
  void wait(const DynamicCall& call);

  /// The first of these that is done, waiting for it; `calls` is not empty.
  template <typename Calls>
  std::size_t wait_for_one(const Calls& calls) {
    std::unique_lock lock(mutex_);
    while (true) {
      for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!running(*calls[i])) return i;
      }
      changed_.wait(lock);
    }
  }

 private:
  bool running(const DynamicCall& call) const noexcept;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<const DynamicCall*> running_;
  orb::Workers workers_;  // last: its threads use what stands above
};

}  // namespace tenon::dynamic
