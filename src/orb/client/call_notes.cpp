// SPDX-License-Identifier: Apache-2.0
#include "orb/client/tried.hpp"

#include <utility>

namespace tenon::orb {

constinit std::atomic<const CallNotes*> call_notes{nullptr};

EarlierTries::~EarlierTries() {
  keep();
  Trail::mine() = std::move(tries_);
}

}  // namespace tenon::orb
