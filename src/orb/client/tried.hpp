// SPDX-License-Identifier: Apache-2.0
//
// What an attempt at a call that failed leaves in the thread's trail. Called on the way to an exception only.
#pragma once

#include <string_view>

#include "base/trail.hpp"
#include "orb/client/link_selector.hpp"

namespace tenon::orb {

/// "iiop host:2809"
std::string place_of(const Endpoint& endpoint);

/// The attempt went over `link`, came as far as `step`, and ended in `error`. What choosing the link has tried in vain stays in front.
void note_failure(const Reference& reference, const Link& link, Step step, Error error,
                  std::string_view said = {}) noexcept;

/// Keeps what the earlier attempts of one call have tried in front of what the last one has.
class EarlierTries {
 public:
  EarlierTries() = default;
  EarlierTries(const EarlierTries&) = delete;
  EarlierTries& operator=(const EarlierTries&) = delete;
  ~EarlierTries();
  /// Another attempt comes, which will restart the trail.
  void keep() noexcept { tries_.append(Trail::mine().take()); }

 private:
  Trail tries_;
};

}  // namespace tenon::orb
