// SPDX-License-Identifier: Apache-2.0
//
// Attachments of an ORB that are made when they are first asked for. Any thread.
#pragma once

#include <memory>

#include "orb/orb.hpp"

namespace tenon::gen {

/// The ORB's T with that key, made by the first call; null: the ORB has been destroyed. It is made here, since no exception may reach the
/// ORB's core. If several threads make one at a time, one of them counts.
template <typename T>
std::shared_ptr<T> attached(orb::Orb& orb, const void* key) {
  std::shared_ptr<void> made;
  const auto give = [&made]() -> std::shared_ptr<void> { return made; };
  std::shared_ptr<void> found = orb.attachment(key, give);
  if (found == nullptr) {
    made = std::make_shared<T>();
    found = orb.attachment(key, give);
  }
  return std::static_pointer_cast<T>(std::move(found));
}

}  // namespace tenon::gen
