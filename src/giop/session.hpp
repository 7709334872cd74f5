// SPDX-License-Identifier: Apache-2.0
//
// What two ends of a GIOP connection have agreed on, and how it ends (CORBA 3.4 part 2 §9.4.1, §9.5, §9.8, §7.10.2.6): versions,
// code sets, closing. One Session plays client and server at once; requests by the acceptor need bidirectional GIOP.
// Not here: bytes on their way (the connection), headers of messages (request.hpp ...), calls in flight and their ids (the connection).
//
// No I/O and no locks: the connection serialises access. All of it is a few comparisons per message.
#pragma once

#include <array>

#include "cdr/code_sets.hpp"
#include "giop/contexts.hpp"
#include "giop/header.hpp"

namespace tenon::giop {

/// Whether this side opened or accepted the connection.
enum class Side : std::uint8_t { originator, acceptor };

struct SessionOptions {
  Side side = Side::originator;
  bool bidirectional = false;  ///< the acceptor may send requests too (GIOP 1.2)
  std::uint8_t minor = highest_minor;
  cdr::NativeCodeSets native{};
  /// What text means when no code sets were negotiated (§7.10.2.6: ISO 8859-1, and no wide text at all). Some peers that use
  /// a corbaloc or a proxy never state any; for them these two can be set.
  cdr::CodeSet unstated_chars = cdr::CodeSet::iso8859_1;
  cdr::CodeSet unstated_wchars = cdr::CodeSet::none;
  bool prefer_utf8 = false;  ///< see cdr::negotiate()
};

enum class Ending : std::uint8_t {
  none,         ///< still open
  peer_closed,  ///< CloseConnection received: unanswered requests were not executed and may be sent again (§9.5.1.1)
  peer_rejected,  ///< MessageError received
  peer_broken,    ///< the peer sent what it may not; we answer MessageError
  lost,           ///< the byte path ended without CloseConnection
  stalled,        ///< the peer stopped in the middle of a message, and we ended the byte path
  we_closed,      ///< we sent CloseConnection
};

class Session {
 public:
  explicit Session(const SessionOptions& options) noexcept;

  const SessionOptions& options() const noexcept { return options_; }
  /// From here on requests may come from either side (§9.8). Code sets belong to the connection: those agreed on for requests in
  /// one direction also hold for the other one, unless a request in that direction states others.
  void become_bidirectional() noexcept { options_.bidirectional = true; }

  // --- versions ---

  /// The minor for requests to a profile that publishes `profile_minor`: never a higher one, nor one that the peer refused.
  std::uint8_t request_minor(std::uint8_t profile_minor) const noexcept;
  /// The highest minor that either side has used: CloseConnection is sent in it (§9.5.1).
  std::uint8_t highest_used() const noexcept { return highest_used_; }
  void sent(std::uint8_t minor) noexcept {
    if (minor > highest_used_) highest_used_ = minor;
  }

  /// Checks whether the peer may send this message now and takes note of it; CloseConnection and MessageError end the session.
  /// An error is for the connection to answer with MessageError; it has ended the session as peer_broken.
  Status received(const CheckedHeader& header) noexcept;

  /// The version rule for replies: the minor of their request (§9.4.1). Lower ones are read too, since some ORBs send such replies.
  static bool reply_fits(std::uint8_t request_minor, const CheckedHeader& header) noexcept {
    return header->minor <= request_minor;
  }

  // --- code sets ---

  /// Negotiates with what a profile announces (null: nothing), before a request to it. The first profile that announces anything
  /// decides; later ones change nothing, because code sets belong to the connection. CODESET_INCOMPATIBLE fails this call only.
  Status use_code_sets(const cdr::CodeSetComponentInfo* announced) noexcept {
    return client_chosen_ || announced == nullptr ? Status() : choose(*announced);
  }
  bool code_sets_chosen() const noexcept { return client_chosen_; }
  /// Whether a request of that minor has to carry our CodeSets context: until one that did has been sent.
  bool wants_code_sets_context(std::uint8_t minor) const noexcept {
    return minor >= 1 && client_chosen_ && !context_sent_;
  }
  /// The CodeSets context of this side; its data lives as long as the session does.
  ServiceContext code_sets_context() const noexcept { return {context_code_sets, context_}; }
  void code_sets_context_sent() noexcept { context_sent_ = true; }

  /// Looks for a CodeSets context in a request that came in. Errors: CODESET_INCOMPATIBLE for sets we do not know, MARSHAL when a
  /// context contradicts the first one; they are the reply to this request and the session goes on.
  Status read_code_sets(std::uint8_t minor, const ContextList& contexts) noexcept;

  // --- what bytes mean ---

  /// The format of a request that we send and of the reply to it.
  cdr::WireFormat client_format(std::uint8_t minor, ByteOrder order = native_order) const noexcept {
    return format(minor, order, client_);
  }
  /// The format of a request that came in and of the reply to it.
  cdr::WireFormat server_format(std::uint8_t minor, ByteOrder order = native_order) const noexcept {
    return format(minor, order, server_);
  }

  // --- the end ---

  bool open() const noexcept { return ending_ == Ending::none; }
  Ending ending() const noexcept { return ending_; }
  /// The byte path ended, as `lost` or `stalled`. Keeps an earlier reason.
  void lost(Ending how = Ending::lost) noexcept { end(how); }
  /// The peer has sent what it may not: `why`. Keeps an earlier ending, but adds `why` if that was peer_broken.
  void broken(Error why) noexcept {
    end(Ending::peer_broken);
    if (ending_ == Ending::peer_broken) broken_by_ = why;
  }
  /// We are about to send CloseConnection. False: 1.0 and 1.1 do not let the originator send one, so just shut down (§9.4.7).
  bool closing() noexcept;
  /// The error for a request that got no reply. `sent`: at least its last octet was handed to the transport.
  Error outcome(bool sent) const noexcept;

 private:
  Status choose(const cdr::CodeSetComponentInfo& announced) noexcept;
  void end(Ending ending) noexcept {
    if (ending_ == Ending::none) ending_ = ending;
  }
  bool may_send(MessageType type, std::uint8_t minor) const noexcept;
  cdr::WireFormat format(std::uint8_t minor, ByteOrder order, cdr::CodeSetContext sets) const noexcept {
    // IIOP 1.0 knows no code sets: text is ISO 8859-1 (§7.10.2.6).
    if (minor == 0) sets = {options_.unstated_chars, cdr::CodeSet::none};
    return {minor, order, sets.chars, sets.wchars, options_.native};
  }

  SessionOptions options_;
  std::uint8_t peer_minor_ = highest_minor;
  std::uint8_t highest_used_ = 0;
  bool retry_lower_ = false;
  Ending ending_ = Ending::none;
  Error broken_by_;
  bool client_chosen_ = false;  // for our requests
  bool server_stated_ = false;  // by the peer, for its requests
  bool context_sent_ = false;
  cdr::CodeSetContext client_;
  cdr::CodeSetContext server_;
  std::array<std::uint8_t, 12> context_{};  // CONV_FRAME::CodeSetContext as an encapsulation
};

}  // namespace tenon::giop
