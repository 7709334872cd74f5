// SPDX-License-Identifier: Apache-2.0
//
// A server that listens on TCP and on a Unix-domain socket, clients of it, and what connections they have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <tenon/messaging.hpp>
#include <tenon/portable_server.hpp>
#include <tenon/rtcorba.hpp>
#include <tenon/tenon.hpp>

#include "ior/ior.hpp"
#include "target_skel.hpp"

namespace tenon::protocols {

using OrbRef = CORBA::object_reference<CORBA::ORB>;
using TargetRef = CORBA::object_reference<::Protocols::Target>;
using PoaRef = CORBA::object_reference<PortableServer::POA>;
using PolicyRef = CORBA::object_reference<CORBA::Policy>;
using Words = std::vector<std::string>;
using CORBA::SetOverrideType;

inline constexpr IOP::ProfileId iiop = 0;           // TAG_INTERNET_IOP
inline constexpr IOP::ProfileId uiop = 0x54414F00;  // TAO's UIOP
inline constexpr IOP::ProfileId nobodys = 0x54450099;

class Adder final : public CORBA::servant_traits<::Protocols::Target>::base_type {
 public:
  std::int32_t add(std::int32_t a, std::int32_t b) override { return a + b; }
};

/// Answers each call with LOCATION_FORWARD.
class Forwarder final : public CORBA::servant_traits<::Protocols::Target>::base_type {
 public:
  explicit Forwarder(TargetRef to) : to_(std::move(to)) {}
  std::int32_t add(std::int32_t, std::int32_t) override { throw PortableServer::ForwardRequest(to_); }

 private:
  const TargetRef to_;
};

/// An ORB with a name that no other has; destroyed at the end of the scope.
class ScopedOrb {
 public:
  explicit ScopedOrb(const Words& options = {});
  ~ScopedOrb() { orb_->destroy(); }
  ScopedOrb(const ScopedOrb&) = delete;
  ScopedOrb& operator=(const ScopedOrb&) = delete;
  CORBA::ORB* operator->() const { return orb_.get(); }
  const OrbRef& ref() const { return orb_; }

 private:
  OrbRef orb_;
};

/// Options of a server that listens on iiop and uiop, in this order.
Words both_endpoints();

class World : public ::testing::Test {
 protected:
  World();
  /// The object as that ORB sees it.
  TargetRef seen_by(const ScopedOrb& orb, const TargetRef& object) const;
  TargetRef seen_by(const ScopedOrb& orb) const { return seen_by(orb, target); }

  PoaRef root() const;
  /// An active POA of that name.
  PoaRef poa(const std::string& name, const CORBA::PolicyList& policies) const;
  /// An object of that POA.
  TargetRef object_of(const PoaRef& poa) const;

  ScopedOrb server;
  TargetRef target;  ///< the server's own reference
};

RTCORBA::ProtocolList list(std::initializer_list<IOP::ProfileId> tags);
PolicyRef client_policy(std::initializer_list<IOP::ProfileId> tags);
PolicyRef server_policy(std::initializer_list<IOP::ProfileId> tags);

/// A reference to the same object with these policies.
TargetRef with(const TargetRef& object, const CORBA::PolicyList& policies);
CORBA::object_reference<CORBA::PolicyManager> manager_of(const ScopedOrb& orb);
CORBA::object_reference<CORBA::PolicyManager> current_of(const ScopedOrb& orb);

/// The transports that the ORB has opened connections of, one word for each connection: "iiop uiop".
std::string connections(const ScopedOrb& orb);
/// The sockets of these connections.
std::vector<int> sockets(const ScopedOrb& orb);

/// Octets written down as hexadecimal digits, with blanks between them and comments from '#' to the end of the line.
std::vector<std::uint8_t> octets(std::string_view text);

/// The profile tags of a reference, in its order.
std::vector<std::uint32_t> tags_of(const TargetRef& object);

/// What an exception of that class says; empty: there was none.
template <typename Exception, typename Code>
std::string said(Code code) {
  try {
    code();
  } catch (const Exception& exception) {
    return exception.what();
  }
  return {};
}

}  // namespace tenon::protocols
