// SPDX-License-Identifier: Apache-2.0
//
// Operations by number, where an object may have had another servant when its reference was made: only where a program chooses ids, so a
// root POA alone needs none of it. Any thread.
#pragma once

#include <atomic>

#include "mapping/cpp11/calls/skeleton.hpp"
#include "tenon/corba/exception.hpp"

namespace tenon::gen {

/// Replies that the object is there.
void forward_to(Upcall& call, const CORBA::Object* object);

/// Sends the caller of an upcall to another object if the exception is a PortableServer::ForwardRequest. False: it is none. Weak: null in
/// a program that has not linked that class.
[[gnu::weak]] bool reply_with_forward(Upcall& call, const CORBA::UserException& exception);

/// If the operation is a number that a reference to the object offered for another servant, forwards the call to a reference that offers what
/// the object understands now. False: it is something else, and there is no reply.
bool forward_renumbered(PortableServer::Servant& servant, Upcall& call);
/// What is asked about an operation that the servant's skeleton has not; whoever lets an ORB have POAs with such ids sets it before.
extern std::atomic<decltype(&forward_renumbered)> renumbered;

}  // namespace tenon::gen
