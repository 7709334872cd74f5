// SPDX-License-Identifier: Apache-2.0
//
// What an application implements to supply servants and POAs on demand (CORBA 3.4 part 1 §15.3.3 to §15.3.6), in the IDL to C++11
// mapping. Derive, make with CORBA::make_reference, hand to a POA.
//
// Threads: the POA calls incarnate() and etherealize() one at a time; the others are called by any thread, several at a time, unless
// the POA's thread policy says otherwise. Inside them Current has no context, and waiting for a POA to end is refused.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mapping/cpp11/calls/skeleton.hpp"
#include "mapping/cpp11/types/traits.hpp"
#include "poa/servant_manager.hpp"
#include "tenon/corba/object.hpp"
#include "tenon/portable_server/poa_exceptions.hpp"

namespace PortableServer {
inline namespace cpp11 {

using ObjectId = std::vector<std::uint8_t>;
class POA;

/// Thrown by a servant, incarnate() or preinvoke(): the caller is sent to another object for this call.
class ForwardRequest final : public tenon::gen::PlainException {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/ForwardRequest:2.3";
  ForwardRequest() noexcept : PlainException(tenon::gen::class_with_members<ForwardRequest>) {}
  explicit ForwardRequest(CORBA::object_reference<CORBA::Object> to)
      : PlainException(tenon::gen::class_with_members<ForwardRequest>), forward_reference_(std::move(to)) {}
  const CORBA::object_reference<CORBA::Object>& forward_reference() const noexcept {
    return forward_reference_;
  }
  [[noreturn]] void _raise() const override;
  void _put(tenon::cdr::Writer& out) const override;
  void _get(tenon::cdr::Reader& in) { tenon::gen::Reference<CORBA::Object>::get(in, forward_reference_); }
  const char* _members() const noexcept override { return "forward_reference:r"; }

 private:
  CORBA::object_reference<CORBA::Object> forward_reference_;
};

class ServantManager : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/ServantManager:2.3";

 private:
  tenon::gen::OwnId<ServantManager> own_id_{*this};
};

/// The servant manager of a POA with RETAIN and USE_SERVANT_MANAGER.
class ServantActivator : public virtual ServantManager {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/ServantActivator:2.3";

  /// The servant for an object that has none; it stays until deactivation. May throw ForwardRequest or a system exception.
  virtual CORBA::servant_reference<Servant> incarnate(const ObjectId& oid,
                                                      CORBA::object_reference<POA> adapter) = 0;
  /// The object is no longer active, and none of its upcalls runs. What it throws is dropped.
  virtual void etherealize(const ObjectId& oid, CORBA::object_reference<POA> adapter,
                           CORBA::servant_reference<Servant> serv, bool cleanup_in_progress,
                           bool remaining_activations) = 0;

 private:
  tenon::gen::OwnId<ServantActivator> own_id_{*this};
};

/// The servant manager of a POA with NON_RETAIN and USE_SERVANT_MANAGER.
class ServantLocator : public virtual ServantManager {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/ServantLocator:2.3";
  using Cookie = void*;

  /// The servant for one request. May throw ForwardRequest or a system exception.
  virtual CORBA::servant_reference<Servant> preinvoke(const ObjectId& oid,
                                                      CORBA::object_reference<POA> adapter,
                                                      const std::string& operation, Cookie& the_cookie) = 0;
  /// Called after the operation, before its reply is sent, by the same thread; for a call that is completed later (docs/poa.md), by the
  /// thread that does that. A system exception replaces the reply.
  virtual void postinvoke(const ObjectId& oid, CORBA::object_reference<POA> adapter,
                          const std::string& operation, Cookie the_cookie,
                          CORBA::servant_reference<Servant> the_servant) = 0;

 private:
  tenon::gen::OwnId<ServantLocator> own_id_{*this};
};

class AdapterActivator : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/AdapterActivator:2.3";

  /// Makes parent's child of that name and returns true; requests for it wait until then. False: there is none (OBJECT_NOT_EXIST).
  virtual bool unknown_adapter(CORBA::object_reference<POA> parent, const std::string& name) = 0;

 private:
  tenon::gen::OwnId<AdapterActivator> own_id_{*this};
};

}  // namespace cpp11
}  // namespace PortableServer

template <>
struct IDL::traits<PortableServer::ServantManager>
    : tenon::gen::LocalInterfaceTraits<PortableServer::ServantManager> {};
template <>
struct IDL::traits<PortableServer::ServantActivator>
    : tenon::gen::LocalInterfaceTraits<PortableServer::ServantActivator> {};
template <>
struct IDL::traits<PortableServer::ServantLocator>
    : tenon::gen::LocalInterfaceTraits<PortableServer::ServantLocator> {};
template <>
struct IDL::traits<PortableServer::AdapterActivator>
    : tenon::gen::LocalInterfaceTraits<PortableServer::AdapterActivator> {};

namespace tenon::gen {

// The managers and activators as the object adapter sees them. Null for nil.
Ref<poa::ServantActivator> engine_activator(
    CORBA::object_reference<PortableServer::ServantActivator> activator);
Ref<poa::ServantLocator> engine_locator(CORBA::object_reference<PortableServer::ServantLocator> locator);
Ref<poa::AdapterActivator> engine_activator(
    CORBA::object_reference<PortableServer::AdapterActivator> activator);

}  // namespace tenon::gen
