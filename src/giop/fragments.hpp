// SPDX-License-Identifier: Apache-2.0
//
// Joining fragments that come in and cutting messages that go out (CORBA 3.4 part 2 §9.4.9; GIOP 1.2 §15.4.9).
//
// GIOP 1.1: one fragmented message at a time per direction, fragments carry no request id and restart alignment.
// GIOP 1.2: any number at a time, fragments carry the request id, all but the last are multiples of 8, alignment runs through.
// We cut 1.2 messages only: 1.0 cannot, and in 1.1 a cut would have to be known while the arguments are being written.
//
// No I/O and no locks: an Assembler belongs to the thread that reads the connection.
#pragma once

#include <array>

#include "base/buffer.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "giop/header.hpp"

namespace tenon::giop {

class Assembler;
struct Unfinished;

struct FragmentLimits {
  std::size_t largest_message = 256u << 20;  ///< octets of one joined message, header included
  std::size_t memory = 512u << 20;           ///< octets held for all unfinished messages of the connection
  std::size_t series = 64;                   ///< unfinished messages at a time
  /// Accept 1.2 fragments that are neither the last nor a multiple of 8, for peers that cut anywhere. The standard forbids them.
  bool unaligned = false;
  /// Assembler::keep_beginning, or null. With it a request above largest_message is no error: its fragments are dropped, so that it can
  /// be answered (Joined::too_large).
  Status (*keep_beginning)(Assembler& of, Unfinished& series) noexcept = nullptr;
};

/// So much of a request above the limit is kept, for its header to be read.
inline constexpr std::size_t beginning_size = 16 * 1024;

/// Where alignment restarts in a message of GIOP 1.1. A peer says how many fragments there are, so they are in a buffer.
class Restarts {
 public:
  /// False: memory is short.
  bool add(const cdr::Restart& restart) noexcept;
  /// Drops those that are not in the first `octets` of the body.
  void keep_below(std::size_t octets) noexcept;
  void clear() noexcept { count_ = 0; }

  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  /// Octets that it holds.
  std::size_t memory() const noexcept { return bytes_.capacity(); }
  operator std::span<const cdr::Restart>() const noexcept { return {at(), count_}; }

 private:
  cdr::Restart* at() const noexcept { return reinterpret_cast<cdr::Restart*>(bytes_.data()); }

  Buffer bytes_;
  std::size_t count_ = 0;
};

/// A message whose fragments have been joined.
struct Assembled {
  CheckedHeader header;  ///< as if it had come in one piece
  Buffer bytes;          ///< header.total() octets, starting with a header
  Restarts restarts;     ///< of the body, GIOP 1.1 only: for the reader

  ByteView body() const noexcept { return {bytes.data() + header_size, header->size}; }
};

enum class Joined : std::uint8_t {
  pending,   ///< more fragments are to come
  complete,  ///< the message is whole
  dropped,   ///< the last fragment of a message that is no longer wanted
  too_large  ///< the last fragment of a request above the limit; of the message at most beginning_size octets are there
};

/// A message whose last fragment has not come.
struct Unfinished {
  MessageHeader header;
  std::uint32_t request_id = 0;  // 1.2
  bool discarded = false;
  bool too_large = false;  // only its beginning is kept
  std::size_t size = 0;    // octets in bytes, header included
  Buffer bytes;
  Restarts restarts;
  Unfinished* next = nullptr;

  std::size_t memory() const noexcept { return bytes.capacity() + restarts.memory(); }
};

class Assembler {
 public:
  explicit Assembler(const FragmentLimits& limits = {}) noexcept : limits_(limits) {}
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;
  ~Assembler();

  /// Whether a message has to go through add(): it is a fragment or will be followed by some.
  static bool concerns(const CheckedHeader& header) noexcept {
    return header->more_fragments || header->type == MessageType::fragment;
  }

  /// Takes one such message; `body` is what follows its header, or only the beginning of it where the message alone is above the limit
  /// (belongs_to_request() is true then, or it begins a request). Fills `into` when the result is `complete` or `too_large`.
  /// After an error the connection must answer MessageError and end.
  Result<Joined> add(const CheckedHeader& header, ByteView body, Assembled& into) noexcept;

  /// Whether this is a fragment of a request that has begun; `body`: at least four octets of what follows its header.
  bool belongs_to_request(const CheckedHeader& header, ByteView body) noexcept;

  /// A CancelRequest ends an unfinished request (§9.4.9). False: there was none with that id.
  bool cancel(std::uint32_t request_id) noexcept;

  /// For FragmentLimits: the rest of the message will be dropped.
  static Status keep_beginning(Assembler& of, Unfinished& series) noexcept;

  /// No caller waits for this reply any more: further fragments of it are accepted and dropped.
  void discard_reply(std::uint32_t request_id) noexcept;

  std::size_t memory() const noexcept { return memory_; }
  std::size_t open() const noexcept { return open_; }

 private:
  static std::uint32_t id_of(const MessageHeader& header, ByteView body) noexcept;
  Status start(const MessageHeader& header, ByteView body) noexcept;
  Result<Joined> append(const MessageHeader& header, ByteView body, Assembled& into) noexcept;
  Status keep(Unfinished& series, ByteView data) noexcept;
  Status grow(Unfinished& series, std::size_t size) noexcept;
  Unfinished* find(const MessageHeader& header, std::uint32_t request_id) const noexcept;
  void remove(Unfinished& series) noexcept;

  FragmentLimits limits_;
  std::size_t memory_ = 0;
  std::size_t open_ = 0;
  Unfinished* first_ = nullptr;
};

/// Cuts a finished GIOP 1.2 message without copying it.
class Fragmenter {
 public:
  /// The smallest fragment that makes sense; smaller wishes are raised to it.
  static constexpr std::size_t smallest = 64;

  /// Whether a message of that size should be cut: `above` is the configured limit, 0 for never.
  static bool wanted(MessageType type, std::uint8_t minor, std::size_t total, std::size_t above) noexcept {
    return above != 0 && minor >= 2 && total > above && total > smallest && may_be_fragmented(type, minor);
  }

  /// `message`: all pieces of a message that may be fragmented, or of a part of it; its header and request id lie in the first one.
  /// `largest`: octets per fragment with its header, rounded down to a multiple of 8. `more_to_come`: other parts of the message
  /// follow, and this one is a multiple of 8.
  Fragmenter(std::span<const cdr::Piece> message, std::size_t largest, bool more_to_come = false) noexcept;
  /// All that the writer holds of a message.
  Fragmenter(const cdr::Writer& message, std::size_t largest) noexcept;

  /// Pieces of the next fragment to send, valid until the next call: all of them, or as many as there is room for (two at least), and then
  /// the next call gives more. Returns how many; 0: that was the last fragment.
  std::size_t next(std::span<cdr::Piece> into) noexcept;

 private:
  cdr::Piece take(std::size_t most) noexcept;
  void begin_fragment() noexcept;

  std::span<const cdr::Piece> message_;
  const cdr::Writer* const writer_ = nullptr;  // where there are more pieces behind these
  cdr::Writer::Place place_;
  std::array<cdr::Piece, 8> of_writer_;
  const std::size_t largest_;
  std::size_t offset_ = 0;         // in message_.front(), where the next octet lies
  std::size_t left_ = 0;           // octets of the message that next() has not given yet
  std::size_t fragment_left_ = 0;  // and of the fragment
  bool first_ = true;
  const bool more_to_come_;
  std::array<std::uint8_t, header_size + 4> header_{};
};

/// Stores header and request id of a Fragment: cdr::PartSink::start_size octets, whose size is to be filled in. `message`: as many octets
/// from the beginning of an earlier part of the same GIOP 1.2 message.
void write_fragment_start(std::uint8_t* to, const std::uint8_t* message) noexcept;

}  // namespace tenon::giop
