// SPDX-License-Identifier: Apache-2.0
//
// A descriptor by which a poller sees what lies in memory: an eventfd that is made when it is first asked for, so that who has no
// poller has none. Its owner's lock guards it.
#pragma once

#include "net/descriptor.hpp"

namespace tenon::inproc {

class Event {
 public:
  /// Negative: the system has no descriptor left, and none will be asked for again.
  int descriptor() noexcept;
  /// Whether a poller is to see input. Nothing is done where there is no descriptor, or where it is so already.
  void set(bool readable) noexcept;
  void close() noexcept { eventfd_.reset(); }

 private:
  net::Descriptor eventfd_;
  bool asked_for_ = false;
  bool readable_ = false;
};

}  // namespace tenon::inproc
