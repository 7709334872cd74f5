// SPDX-License-Identifier: Apache-2.0
//
// PortableServer::ForwardRequest thrown by a servant. A program that never throws one has nothing of this file.
#include "mapping/cpp11/calls/renumbered.hpp"
#include "tenon/portable_server/poa_managers.hpp"

namespace PortableServer {
inline namespace cpp11 {

void ForwardRequest::_raise() const { throw *this; }

void ForwardRequest::_put(tenon::cdr::Writer& out) const {
  tenon::gen::Reference<CORBA::Object>::put(out, forward_reference_);
}

}  // namespace cpp11
}  // namespace PortableServer

namespace tenon::gen {

bool reply_with_forward(Upcall& call, const CORBA::UserException& exception) {
  const auto* const forward = dynamic_cast<const PortableServer::ForwardRequest*>(&exception);
  if (forward == nullptr) return false;
  forward_to(call, forward->forward_reference().get());
  return true;
}

}  // namespace tenon::gen
