// SPDX-License-Identifier: Apache-2.0
#include "dynamic/deferred.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"
#include "orb/orb.hpp"

namespace tenon::dynamic {

std::shared_ptr<Deferred> Deferred::of(orb::Orb& orb) {
  static constexpr char key = 0;
  return std::static_pointer_cast<Deferred>(
      orb.attachment(&key, []() -> std::shared_ptr<void> { return std::make_shared<Deferred>(); }));
}

Status Deferred::start(Ref<DynamicCall> call) {
  const DynamicCall* started = call.get();
  {
    std::lock_guard lock(mutex_);
    running_.push_back(started);
  }
  const auto run = [this, call = std::move(call)] {
    call->run();
    std::lock_guard lock(mutex_);
    std::erase(running_, call.get());
    changed_.notify_all();
  };
  if (workers_.queue(run)) return {};
  std::lock_guard lock(mutex_);
  std::erase(running_, started);
  return errors::too_many_deferred;
}

bool Deferred::running(const DynamicCall& call) const noexcept {
  return std::ranges::find(running_, &call) != running_.end();
}

bool Deferred::done(const DynamicCall& call) {
  std::lock_guard lock(mutex_);
  return !running(call);
}

void Deferred::wait(const DynamicCall& call) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !running(call); });
}

}  // namespace tenon::dynamic
