// SPDX-License-Identifier: Apache-2.0
//
// IncomingCall: an IncomingRequest with the ways to answer it, to keep it for later and to let it wait. For object adapters, which do not
// use connections (messaging.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "protocol/incoming_request.hpp"

namespace tenon::protocol {

struct Identity;

/// What a reply is, with the numbers of GIOP 1.2 (§9.4.3), whichever messaging carries it.
enum class ReplyStatus : std::uint8_t {
  no_exception = 0,
  user_exception = 1,
  system_exception = 2,
  location_forward = 3,
  location_forward_perm = 4,
  needs_addressing_mode = 5,
};

struct ServiceContext {
  std::uint32_t id;
  ByteView data;  ///< an encapsulation, verbatim
};

/// One call that came in. Valid during Dispatcher::dispatch only, unless it is taken. One thread at a time.
class IncomingCall : public IncomingRequest {
 public:
  IncomingCall() = default;
  IncomingCall(const IncomingCall&) = delete;
  IncomingCall& operator=(const IncomingCall&) = delete;
  virtual ~IncomingCall() = default;

  /// The data of a service context, or an empty view with data() == nullptr.
  virtual ByteView context(std::uint32_t id) const noexcept = 0;

  /// Starts the reply; a second call drops what was written. Results are written into the writer that it returns, whose large
  /// blocks are lent until finish_reply() returns. To be called for oneways too: what is written is then dropped.
  virtual cdr::Writer& begin_reply(ReplyStatus status) = 0;
  /// The same with service contexts, which are copied. `has_body`: a body will be written; it begins at a multiple of 8 in every
  /// version.
  virtual cdr::Writer& begin_reply_with(ReplyStatus status, std::span<const ServiceContext> contexts,
                                        bool has_body) {
    static_cast<void>(contexts);
    static_cast<void>(has_body);
    return begin_reply(status);
  }
  /// Sends the reply, once. An error means that the peer will not get it.
  virtual Status finish_reply() = 0;
  virtual bool replied() const noexcept = 0;

  /// Takes the request's bytes out of the connection, so that another thread may read the next message while this call runs; serve()
  /// then returns Served::detached. Views into the request stay valid.
  virtual void detach() = 0;
  /// The same call as an object of its own, detached, to be run or completed later by any thread. This one is then spent: it counts as
  /// replied, and only the request's operation and key may still be read. In an upcall, take() may be called on the upcall's thread until
  /// the reply has been finished. The upcall may then return; finish_reply() of the new object sends the reply, at any time and on any
  /// thread, which also runs the interceptors' ending points, with the slots that the request had when it was taken. The caller waits until
  /// its deadline, also if it is in this process; a later reply is dropped. If the object is destroyed without a reply, the caller waits
  /// for its time-out, and no ending point runs. A servant locator's postinvoke() runs before the reply, on its thread, or when the object
  /// is destroyed without one. Null when memory is short, or the ORB has no part that keeps calls (a single thread, the root POA).
  virtual std::unique_ptr<IncomingCall> take() = 0;

  /// The caller is in this process, and the call comes over no connection.
  virtual bool collocated() const noexcept { return false; }

  /// What is known for certain of who has made the call (identity.hpp). False: nothing, and nothing changed.
  virtual bool identify_caller(Identity& into) const {
    static_cast<void>(into);
    return false;
  }

  /// Of a call that take() has returned: its caller no longer waits for a reply (CancelRequest). Any thread.
  virtual bool cancelled() const noexcept { return false; }

  /// The servant has been found and is about to run, on this thread. False: an observer has replied instead.
  virtual bool admit_servant() { return true; }

  /// The adapter is about to keep this call waiting (requests are held, or other calls have the turn). Returns until when it may wait.
  virtual Deadline begin_wait() { return Deadline::never(); }
  /// The wait is over and the call goes on, perhaps on another thread. False: the call is no longer wanted, and shall be refused.
  virtual bool end_wait() { return true; }

  /// The call behind this one, for the queue that owns both. Not initialised, since few calls wait in one.
  IncomingCall* next_queued;

 protected:
  /// Takes a message's body; see cdr::Reader.
  IncomingCall(ByteView body, const cdr::WireFormat& format, std::size_t phase,
               std::span<const cdr::Restart> restarts) noexcept
      : IncomingRequest{.arguments = {body, format, phase, restarts}} {}
};

}  // namespace tenon::protocol
