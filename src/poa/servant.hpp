// SPDX-License-Identifier: Apache-2.0
//
// What the object adapter knows of a servant: it takes calls, names its interface, and is counted. Every mapping derives its own
// servant base from this.
#pragma once

#include <string_view>

#include "ior/interface_numbers.hpp"

namespace tenon::protocol {
class IncomingCall;
}

namespace tenon::poa {

/// What a servant implements. Small enough to be returned in registers.
struct Implemented {
  /// Repository ids of the most derived interface and of all its bases, CORBA::Object's included: each ends in NUL, the list in another.
  const char* ids;
  /// Null: the servant understands operations by their names only.
  const ior::Numbering* numbering = nullptr;
};

class Servant {
 public:
  /// Runs one call and finishes its reply. Never throws. Any thread, several at a time, unless the POA's thread policy says
  /// otherwise.
  virtual void upcall(protocol::IncomingCall& call) = 0;
  // Under names that no IDL operation can have:
  /// What it points to lives as long as the servant, or until the same thread calls this again.
  virtual Implemented _implemented() const noexcept = 0;
  /// Repository id of the most derived interface; valid as _implemented() is.
  std::string_view _most_derived_id() const noexcept { return _implemented().ids; }
  // Reference counting. Ref uses the plain names; an IDL operation of the same name may hide them in a derived class.
  virtual void _hold() noexcept = 0;
  virtual void _drop() noexcept = 0;
  void add_ref() noexcept { _hold(); }
  void remove_ref() noexcept { _drop(); }

 protected:
  Servant() = default;
  Servant(const Servant&) = delete;
  Servant& operator=(const Servant&) = delete;
  ~Servant() = default;
};

}  // namespace tenon::poa
