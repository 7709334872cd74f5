// SPDX-License-Identifier: Apache-2.0
//
// What the object adapter knows of the application's objects that supply servants and POAs when they are wanted (CORBA 3.4 part 1
// §15.3.3 to §15.3.6). Every mapping derives from these. No exception leaves a function; what the application threw comes back as data.
//
// Threads: incarnate() and etherealize() of one POA never overlap; everything else is called by any thread, several at a time,
// unless the POA's thread policy says otherwise. No lock is held meanwhile.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "base/ref.hpp"
#include "orb/reference.hpp"
#include "poa/servant.hpp"

namespace tenon::poa {

class WholePoa;

/// A servant, or why there is none: the caller is sent elsewhere (ForwardRequest), or told a system exception.
struct Supplied {
  Ref<Servant> servant;
  Ref<orb::Reference> forward;
  Error error;
};

class ServantManager : public RefCounted {
 public:
  /// The mapping's object for it.
  virtual void* face() const noexcept = 0;
};

/// For POAs that retain servants (§15.3.5).
class ServantActivator : public ServantManager {
 public:
  virtual Supplied incarnate(ByteView id, WholePoa& poa) noexcept = 0;
  virtual void etherealize(ByteView id, WholePoa& poa, Servant& servant, bool cleanup_in_progress,
                           bool remaining_activations) noexcept = 0;
};

/// For POAs that do not (§15.3.6).
class ServantLocator : public ServantManager {
 public:
  virtual Supplied preinvoke(ByteView id, WholePoa& poa, std::string_view operation,
                             void*& cookie) noexcept = 0;
  /// An error replaces the reply of the servant.
  virtual Error postinvoke(ByteView id, WholePoa& poa, std::string_view operation, void* cookie,
                           Servant& servant) noexcept = 0;
};

/// Makes child POAs on demand (§15.3.3).
class AdapterActivator : public RefCounted {
 public:
  enum class Answer : std::uint8_t { no, yes, failed };
  virtual Answer unknown_adapter(WholePoa& parent, std::string_view name) noexcept = 0;
  virtual void* face() const noexcept = 0;
};

}  // namespace tenon::poa
