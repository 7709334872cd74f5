// SPDX-License-Identifier: Apache-2.0
#include "message_log.hpp"

#include <algorithm>

#include "base/heap_room.hpp"
#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/log.hpp"
#include "giop.hpp"
#include "giop/message_text.hpp"
#include "tapped_transport.hpp"

namespace tenon::giop {

namespace {

/// What the text of a message takes at most, with its copies.
constexpr std::size_t most_text = 32 * MessageLog::most_shown;

}  // namespace

// --- MessageLog ---

void MessageLog::add(ByteView octets) noexcept {
  if (!lost_ && !heap_has(most_text)) lost_ = true;  // it is no longer known where messages begin
  while (!octets.empty() && !lost_) add_message(octets);
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
      // Where the next message begins is unknown.
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
  if (passed_ > shown_.size()) text += "... " + decimal(passed_ - shown_.size()) + " octets more\n";
  text.pop_back();
  log(LogLevel::trace, "giop", text);
}

void MessageLog::end() noexcept {
  if (passed_ == 0 || lost_ || !heap_has(most_text)) return;
  log(LogLevel::trace, "giop",
      std::string(way_) + ' ' + peer_ + ": the connection ends in the middle of this");
  show();
}

// --- the tap ---

namespace {

class MessageTap final : public Tap {
 public:
  explicit MessageTap(const std::string& peer) : out_("->", peer), in_("<-", peer) {}
  ~MessageTap() override {
    out_.end();
    in_.end();
  }
  void sent(ByteView octets) noexcept override { out_.add(octets); }
  void received(ByteView octets) noexcept override { in_.add(octets); }

 private:
  MessageLog out_;
  MessageLog in_;
};

}  // namespace

std::unique_ptr<protocol::Transport> traced(std::unique_ptr<protocol::Transport> transport) {
  const std::string peer = transport->peer();
  const std::string own = transport->local();  // empty for the connecting side of a Unix-domain socket
  log(LogLevel::trace, "giop", joined({"connection", own.empty() ? "" : " from ", own, " with ", peer}));
  return tapped(std::move(transport), std::make_unique<MessageTap>(peer));
}

}  // namespace tenon::giop
