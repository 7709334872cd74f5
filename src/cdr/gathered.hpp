// SPDX-License-Identifier: Apache-2.0
//
// Where in the pieces of a message the next octet is, for a transport that copies them. A view; for one thread at a time.
#pragma once

#include <cstddef>
#include <span>

#include "base/bytes.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {

class Gathered {
 public:
  explicit Gathered(std::span<const Piece> pieces) noexcept : pieces_(pieces) { pass_empty(); }
  bool at_end() const noexcept { return pieces_.empty(); }
  /// The next octets that lie together; not empty before the end.
  ByteView next() const noexcept { return {pieces_.front().data + offset_, pieces_.front().size - offset_}; }
  void advance(std::size_t octets) noexcept {
    offset_ += octets;
    pass_empty();
  }
  /// Octets up to the end.
  std::size_t left() const noexcept {
    std::size_t octets = 0;
    for (const Piece& each : pieces_) octets += each.size;
    return octets - offset_;
  }

 private:
  void pass_empty() noexcept {
    while (!pieces_.empty() && offset_ == pieces_.front().size) {
      pieces_ = pieces_.subspan(1);
      offset_ = 0;
    }
  }

  std::span<const Piece> pieces_;
  std::size_t offset_ = 0;  // within the first one
};

}  // namespace tenon::cdr
