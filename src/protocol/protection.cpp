// SPDX-License-Identifier: Apache-2.0
#include "protocol/protection.hpp"

#include <array>
#include <atomic>

#include "base/thread_annotations.hpp"

namespace tenon::protocol {
namespace {

constexpr std::size_t most_protections = 8;

struct Noted {
  Mutex mutex;
  std::array<Protection, most_protections> all TENON_GUARDED_BY(mutex);
  std::size_t count TENON_GUARDED_BY(mutex) = 0;
};

constinit std::atomic<bool> has_any{false};

Noted& noted() noexcept {
  static Noted only;
  return only;
}

}  // namespace

bool note_protection(const Protection& what) noexcept {
  Noted& these = noted();
  const LockGuard lock(these.mutex);
  for (std::size_t i = 0; i < these.count; ++i) {
    if (these.all[i].profile_tag != what.profile_tag) continue;
    these.all[i] = what;
    return true;
  }
  if (these.count == most_protections) return false;
  these.all[these.count++] = what;
  has_any.store(true, std::memory_order_release);
  return true;
}

bool any_protection() noexcept { return has_any.load(std::memory_order_acquire); }

std::optional<Protection> protection_of(std::uint32_t profile_tag) noexcept {
  if (!any_protection()) return std::nullopt;
  Noted& these = noted();
  const LockGuard lock(these.mutex);
  for (std::size_t i = 0; i < these.count; ++i) {
    if (these.all[i].profile_tag == profile_tag) return these.all[i];
  }
  return std::nullopt;
}

}  // namespace tenon::protocol
