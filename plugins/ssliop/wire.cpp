// SPDX-License-Identifier: Apache-2.0
#include "plugins/ssliop/wire.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <new>

namespace tenon::ssliop {

Wire& Wire::of(BIO* bio) noexcept { return *static_cast<Wire*>(::BIO_get_data(bio)); }

std::size_t Wire::send(ByteView octets) noexcept {
  std::size_t sent = 0;
  while (sent < octets.size() && error_ == 0) {
    const ssize_t moved =
        ::send(socket_, octets.data() + sent, octets.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (moved > 0) {
      sent += static_cast<std::size_t>(moved);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  return sent;
}

/// Behind what is kept. False: there is no room, and nothing was kept.
bool Wire::keep(ByteView octets) noexcept {
  if (octets.empty()) return true;
  if (!kept_) kept_.reset(new (std::nothrow) std::uint8_t[most_kept]);
  if (!kept_) return false;
  if (most_kept - kept_to_ < octets.size() && kept_from_ != 0) {
    std::copy(kept_.get() + kept_from_, kept_.get() + kept_to_, kept_.get());
    kept_to_ -= kept_from_;
    kept_from_ = 0;
  }
  if (most_kept - kept_to_ < octets.size()) return false;
  std::copy(octets.begin(), octets.end(), kept_.get() + kept_to_);
  kept_to_ += octets.size();
  return true;
}

bool Wire::flush() noexcept {
  if (is_clear()) return true;
  kept_from_ += send(ByteView(kept_.get() + kept_from_, kept_to_ - kept_from_));
  if (!is_clear()) return false;
  kept_.reset();
  kept_from_ = kept_to_ = 0;
  return true;
}

int Wire::write(BIO* bio, const char* octets, std::size_t size, std::size_t* written) noexcept {
  Wire& wire = of(bio);
  ::BIO_clear_retry_flags(bio);
  const ByteView all(reinterpret_cast<const std::uint8_t*>(octets), size);
  const std::size_t sent = wire.flush() ? wire.send(all) : 0;
  const bool kept = wire.error_ == 0 && wire.keep(all.subspan(sent));
  *written = kept ? size : sent;
  if (*written == 0 && size != 0) {
    if (wire.error_ == 0) ::BIO_set_retry_write(bio);
    return 0;
  }
  return 1;
}

int Wire::read(BIO* bio, char* into, std::size_t size, std::size_t* came) noexcept {
  Wire& wire = of(bio);
  ::BIO_clear_retry_flags(bio);
  *came = 0;
  if (!wire.arrived_.empty()) {
    *came = std::min(size, wire.arrived_.size());
    std::copy_n(wire.arrived_.begin(), *came, reinterpret_cast<std::uint8_t*>(into));
    wire.arrived_ = wire.arrived_.subspan(*came);
    return 1;
  }
  if (wire.error_ != 0) return 0;
  ssize_t moved = 0;
  do {
    moved = ::recv(wire.socket_, into, size, MSG_DONTWAIT);
  } while (moved < 0 && errno == EINTR);
  wire.drained_ = moved < static_cast<ssize_t>(size);
  if (moved > 0) {
    *came = static_cast<std::size_t>(moved);
    return 1;
  }
  if (moved == 0) {
    wire.ended_ = true;
  } else if (errno == EAGAIN) {
    ::BIO_set_retry_read(bio);
  } else {
    wire.error_ = errno;
  }
  return 0;
}

long Wire::control(BIO* bio, int command, long, void*) noexcept {
  if (command == BIO_CTRL_EOF) return of(bio).ended_ ? 1 : 0;
  return command == BIO_CTRL_FLUSH ? 1 : 0;  // what is kept goes out by flush()
}

/// Made once and kept until the process ends, since sessions may be closed by threads that outlive main().
BIO_METHOD* Wire::method() noexcept {
  static BIO_METHOD* const made = [] {
    BIO_METHOD* const own = ::BIO_meth_new(::BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tenon socket");
    if (own == nullptr) return own;
    ::BIO_meth_set_write_ex(own, write);
    ::BIO_meth_set_read_ex(own, read);
    ::BIO_meth_set_ctrl(own, control);
    return own;
  }();
  return made;
}

BIO* Wire::make_bio() noexcept {
  BIO* const bio = method() == nullptr ? nullptr : ::BIO_new(method());
  if (bio == nullptr) return nullptr;
  ::BIO_set_data(bio, this);
  ::BIO_set_init(bio, 1);
  return bio;
}

}  // namespace tenon::ssliop
