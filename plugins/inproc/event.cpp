// SPDX-License-Identifier: Apache-2.0
#include "plugins/inproc/event.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace tenon::inproc {

int Event::descriptor() noexcept {
  if (!asked_for_) eventfd_.reset(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  asked_for_ = true;
  return eventfd_.get();
}

void Event::set(bool readable) noexcept {
  if (!eventfd_ || readable == readable_) return;
  readable_ = readable;
  // Neither can fail: its number is 0 or 1.
  std::uint64_t number = 1;
  const ssize_t done = readable ? ::write(eventfd_.get(), &number, sizeof number)
                                : ::read(eventfd_.get(), &number, sizeof number);
  static_cast<void>(done);
}

}  // namespace tenon::inproc
