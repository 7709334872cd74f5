// SPDX-License-Identifier: Apache-2.0
#include "traced_transport.hpp"

#include <algorithm>
#include <new>

#include "base/hex.hpp"
#include "base/log.hpp"
#include "giop/message_text.hpp"

namespace tenon::giop {

// --- MessageLog ---

void MessageLog::add(ByteView octets) noexcept {
  try {
    while (!octets.empty() && !lost_) add_message(octets);
  } catch (const std::bad_alloc&) {
    lost_ = true;  // no longer known where a message begins
  }
}

/// Takes from the front of `octets` what belongs to the current message.
void MessageLog::add_message(ByteView& octets) {
  const std::size_t taken = std::min(octets.size(), total_ - passed_);
  const std::size_t room = most_shown - std::min(most_shown, shown_.size());
  const ByteView kept = octets.first(std::min(taken, room));
  shown_.insert(shown_.end(), kept.begin(), kept.end());
  passed_ += taken;
  octets = octets.subspan(taken);
  if (passed_ == header_size && total_ == header_size) {
    const HeaderResult header = parse_header(shown_.data(), 0xFFFFFFFF);
    if (!header) {
      // Where the next message begins nobody can tell.
      const ByteView rest = octets.first(std::min(octets.size(), most_shown - shown_.size()));
      shown_.insert(shown_.end(), rest.begin(), rest.end());
      show();
      lost_ = true;
      return;
    }
    total_ = (*header).total();
  }
  if (passed_ < total_) return;
  show();
  shown_.clear();
  passed_ = 0;
  total_ = header_size;
}

void MessageLog::show() {
  std::string text(way_);
  text += ' ' + peer_ + ": " + message_in_words(shown_) + '\n' + hex_dump(shown_);
  if (passed_ > shown_.size()) text += "... " + std::to_string(passed_ - shown_.size()) + " octets more\n";
  text.pop_back();
  log(LogLevel::trace, "giop", text);
}

void MessageLog::end() noexcept {
  if (passed_ == 0 || lost_) return;
  try {
    log(LogLevel::trace, "giop",
        std::string(way_) + ' ' + peer_ + ": the connection ends in the middle of this");
    show();
  } catch (const std::bad_alloc&) {
    return;
  }
}

// --- TracedTransport ---

TracedTransport::TracedTransport(std::unique_ptr<protocol::Transport> transport)
    : transport_(std::move(transport)), out_("->", transport_->peer()), in_("<-", transport_->peer()) {
  log(LogLevel::trace, "giop", "connection from " + transport_->local() + " with " + transport_->peer());
}

TracedTransport::~TracedTransport() {
  out_.end();
  in_.end();
}

protocol::Transfer TracedTransport::send(std::span<const cdr::Piece> gather, Deadline deadline) {
  const protocol::Transfer sent = transport_->send(gather, deadline);
  std::size_t left = sent.bytes;
  for (const cdr::Piece& piece : gather) {
    const std::size_t part = std::min(left, piece.size);
    out_.add({piece.data, part});
    left -= part;
  }
  return sent;
}

protocol::Transfer TracedTransport::receive(MutableBytes into, Deadline deadline) {
  const protocol::Transfer got = transport_->receive(into, deadline);
  in_.add(into.first(got.bytes));
  return got;
}

protocol::Transfer TracedTransport::lend(ByteView& view, Deadline deadline) {
  const protocol::Transfer got = transport_->lend(view, deadline);
  lent_ = got.result == protocol::Io::ok ? view : ByteView();
  return got;
}

void TracedTransport::release(std::size_t used) noexcept {
  in_.add(lent_.first(std::min(used, lent_.size())));
  lent_ = {};
  transport_->release(used);
}

}  // namespace tenon::giop
