// SPDX-License-Identifier: Apache-2.0
//
// Calls to objects of this process: the same marshalled request and the same upcall, without a socket and on the caller's thread.
#pragma once

#include "orb/invocation.hpp"

namespace tenon::orb {

class Orb;

/// Follows a call into the adapter, on whatever thread it is there.
class HeldCall {
 public:
  /// It waits until its servant may run.
  virtual void held() noexcept = 0;
  /// It is about to go on. False: it shall not, since its caller does not wait any more.
  virtual bool let_go() noexcept = 0;

 protected:
  ~HeldCall() = default;
};

/// `get` sees every status but system_exception, which is the result. Oneways run before this returns; their outcome is dropped.
/// Waits of the adapter end with spec.deadline or spec.reply_by, or else after the usual time for a reply: TIMEOUT, completion NO, also of
/// oneways; the servant does not run. Once it does, nothing stops it.
/// `contexts`: sees the service contexts of the reply first. `follower`: null, or sees the waits.
Status call_collocated(Orb& orb, const protocol::Target& target, const CallSpec& spec, PutArguments put,
                       GetReply get, FunctionRef<void(const protocol::ServiceContext&)> contexts,
                       HeldCall* follower = nullptr);

}  // namespace tenon::orb
