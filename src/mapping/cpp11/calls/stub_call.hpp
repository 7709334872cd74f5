// SPDX-License-Identifier: Apache-2.0
//
// What a stub, compiled or interpreted, tells an observer of its call: the object that was called, whose C++ class is the interface, and
// how its arguments are written. On the stack of the calling thread.
#pragma once

#include "mapping/cpp11/calls/call.hpp"
#include "protocol/messaging.hpp"

namespace tenon::gen {

class StubCall final : public protocol::CallDescription {
 public:
  StubCall(const CORBA::Object& self, Put put) noexcept : self_(self), put_(put) {}
  ~StubCall() override = default;
  const CORBA::Object& self() const noexcept { return self_; }
  /// Writes the arguments, as often as it is called.
  void put(cdr::Writer& out) const { put_(out); }

 private:
  const CORBA::Object& self_;
  const Put put_;
};

}  // namespace tenon::gen
