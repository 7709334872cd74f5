// SPDX-License-Identifier: Apache-2.0
//
// What the ORB core asks of an object adapter. Implemented by poa; the core itself knows no servants.
#pragma once

#include "protocol/messaging.hpp"

namespace tenon::orb {

/// Where requests go: the adapter, or an observer before it.
class RequestEntry {
 public:
  virtual ~RequestEntry() = default;

  /// Finds the object of call.object_key and makes the upcall; finishes the reply also when there is no such object
  /// (OBJECT_NOT_EXIST). Never throws. Any thread, many at a time.
  virtual void upcall(protocol::IncomingCall& call) = 0;
};

class Adapter : public RequestEntry {
 public:
  /// Waits, as for a POA that is being made, end with the deadline: TIMEOUT, the only error.
  virtual Result<protocol::LocateStatus> locate(ByteView object_key, ior::Ior& forward,
                                                Deadline deadline = Deadline::never()) = 0;

  /// Whether an object key was made by this adapter of this process: then a call need not leave the process.
  virtual bool owns(ByteView object_key) const noexcept = 0;

  /// No upcall starts any more (TRANSIENT to late ones); waits for those that run when told so. Idempotent.
  virtual void shut_down(bool wait_for_completion) = 0;

  /// The last call from the ORB to its adapter, after shut_down() and when no thread serves any more: the adapter may delete itself.
  virtual void orb_gone() noexcept {}
};

}  // namespace tenon::orb
