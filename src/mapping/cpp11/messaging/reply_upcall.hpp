// SPDX-License-Identifier: Apache-2.0
//
// The server's half of reply handlers (CORBA 3.4 part 1 §17.8): the base of their servants, and the function that their generated
// skeletons call. Safe from any thread.
#pragma once

#include "mapping/cpp11/calls/skeleton.hpp"
#include "mapping/cpp11/messaging/async_operation.hpp"
#include "mapping/cpp11/types/value_at.hpp"
#include "tenon/messaging/reply_handler.hpp"

namespace Messaging {
inline namespace cpp11 {

/// Base of reply handlers' servants.
class ReplyHandler_skeleton : public virtual PortableServer::Servant {
 public:
  using _interface = ReplyHandler;
  static const tenon::gen::Skeleton _skeleton;

  [[gnu::always_inline]] ReplyHandler_skeleton() noexcept { _serve(_skeleton, this); }
  [[gnu::always_inline]] ~ReplyHandler_skeleton() override = default;
  CORBA::object_reference<ReplyHandler> _this() { return tenon::gen::servant_reference<ReplyHandler>(*this); }
};

}  // namespace cpp11
}  // namespace Messaging

template <>
struct CORBA::servant_traits<Messaging::ReplyHandler>
    : tenon::gen::ServantTraits<Messaging::ReplyHandler_skeleton> {};

namespace tenon::gen {

/// Finds the call's operation among those of the handler, reads its parameters and runs the servant. False: there is no operation of that
/// name.
bool dispatch_reply(const AsyncInterface& interface, Upcall& call, void* skeleton, RunHandler run);

}  // namespace tenon::gen
