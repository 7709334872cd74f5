// SPDX-License-Identifier: Apache-2.0
//
// Deferred requests of one ORB: asynchronous calls (orb/client/async_call.hpp), and which of them are done. Belongs to the ORB as an
// attachment, so it goes with ORB::destroy(); calls in flight hold it. Any thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "base/function_ref.hpp"
#include "dynamic/dii/dynamic_call.hpp"

namespace tenon::dynamic {

class Deferred : public std::enable_shared_from_this<Deferred> {
 public:
  static std::shared_ptr<Deferred> of(orb::Orb& orb);

  /// Connects if necessary, and sends. An error: the call has not begun.
  Status start(const Ref<DynamicCall>& call);
  bool done(const DynamicCall& call);
  void wait(const DynamicCall& call);
  /// Waits until one of `calls` is done, and returns its index; `calls` is not empty.
  std::size_t wait_for_one(const std::vector<const DynamicCall*>& calls);

 private:
  class Call;
  void ended(const DynamicCall& call) noexcept;
  bool running(const DynamicCall& call) const noexcept;  // mutex_ held
  /// `done` is called with mutex_ held. `by`: immediately, or never. In a single-threaded ORB this thread serves meanwhile.
  bool wait_until(orb::Orb& orb, FunctionRef<bool()> done, Deadline by);

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<const DynamicCall*> running_;
};

}  // namespace tenon::dynamic
