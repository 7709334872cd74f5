// SPDX-License-Identifier: Apache-2.0
//
// IOR interceptors (CORBA 3.4 part 1 §16.5): code that is told of every POA before it is made and may add components to the profiles of
// its references, and that is told of the states of POA managers and of the end of POAs.
//
// Threads: called by the threads that make or change adapters, several at a time.
#pragma once

#include "tenon/interceptors/interceptors.hpp"
#include "tenon/interceptors/request_info.hpp"

namespace tenon::dynamic {
struct NewAdapter;
}
namespace tenon::poa {
class WholePoa;
}

namespace PortableInterceptor {
inline namespace cpp11 {

using AdapterManagerId = std::string;  ///< what POAManager::get_id() says
using AdapterState = std::int16_t;

inline constexpr AdapterState HOLDING = 0;
inline constexpr AdapterState ACTIVE = 1;
inline constexpr AdapterState DISCARDING = 2;
inline constexpr AdapterState INACTIVE = 3;
inline constexpr AdapterState NON_EXISTENT = 4;

/// Makes the references of a POA (CORBA 3.4 part 1 §16.5.4), which the standard has as an abstract value type. A program may derive from it
/// and set IORInfo::current_factory(): it is then called wherever the POA makes a reference, by any thread. It lives as long as the POA.
class ObjectReferenceFactory : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/ObjectReferenceFactory:1.0";
  using ObjectId = CORBA::OctetSeq;
  /// What it raises, the caller of the POA gets. Nil is OBJ_ADAPTER (OMG minor 6).
  virtual CORBA::object_reference<CORBA::Object> make_object(const std::string& repository_id,
                                                             const ObjectId& id) = 0;

 private:
  tenon::gen::OwnId<ObjectReferenceFactory> own_id_{*this};
};

/// A POA as interceptors see it: its names, and the references that it makes by itself.
class ObjectReferenceTemplate final : public ObjectReferenceFactory {
 public:
  static constexpr std::string_view _static_id =
      "IDL:omg.org/PortableInterceptor/ObjectReferenceTemplate:1.0";

  const std::string& server_id() const noexcept { return server_id_; }
  const std::string& orb_id() const noexcept { return orb_id_; }
  /// The names from "RootPOA" down.
  const AdapterName& adapter_name() const noexcept { return adapter_name_; }
  /// A reference of the POA to the object with that id. BAD_INV_ORDER (OMG minor 14) as long as the POA is not made, BAD_INV_ORDER (OMG minor
  /// 17) or OBJECT_NOT_EXIST (OMG minor 2) once it is destroyed.
  CORBA::object_reference<CORBA::Object> make_object(const std::string& repository_id,
                                                     const ObjectId& id) override;

  // --- the ORB's own ---
  ObjectReferenceTemplate(std::string server_id, std::string orb_id, tenon::poa::WholePoa& poa);
  ~ObjectReferenceTemplate() override;

 private:
  const std::string server_id_;
  const std::string orb_id_;
  const tenon::Ref<tenon::poa::WholePoa> poa_;
  const AdapterName adapter_name_;
  tenon::gen::OwnId<ObjectReferenceTemplate> own_id_{*this};
};

using ObjectReferenceTemplateSeq = std::vector<CORBA::object_reference<ObjectReferenceTemplate>>;

/// Describes a POA that is being made; BAD_INV_ORDER (OMG minor 14) afterwards.
class IORInfo final : public CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/IORInfo:1.0";

  /// One of the policies of POAs, given or not; nil for a type that the ORB has a policy factory for and the POA has not been given. INV_POLICY
  /// (OMG minor 3) for other types.
  CORBA::object_reference<CORBA::Policy> get_effective_policy(CORBA::PolicyType type);
  /// Add to all profiles, or to those of that tag. May be called in establish_components() only. GIOP 1.0 has no components.
  void add_ior_component(const IOP::TaggedComponent& a_component);
  void add_ior_component_to_profile(const IOP::TaggedComponent& a_component, IOP::ProfileId profile_id);
  AdapterManagerId manager_id();
  AdapterState state();
  /// From components_established() on.
  CORBA::object_reference<ObjectReferenceTemplate> adapter_template();
  /// What makes the POA's references: adapter_template(), unless an interceptor sets another one in its components_established(). BAD_PARAM for
  /// nil.
  CORBA::object_reference<ObjectReferenceFactory> current_factory();
  void current_factory(const CORBA::object_reference<ObjectReferenceFactory>& factory);

  explicit IORInfo(tenon::dynamic::NewAdapter& adapter) noexcept : adapter_(&adapter) {}
  void _over() noexcept { adapter_ = nullptr; }

 private:
  tenon::dynamic::NewAdapter& adapter() const;

  tenon::dynamic::NewAdapter* adapter_;
  tenon::gen::OwnId<IORInfo> own_id_{*this};
};

/// The repository id of the interface that adds what follows establish_components(). They are one class here.
struct IorInterceptorId {
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/IORInterceptor_3_0:1.0";
};

class IORInterceptor : public virtual Interceptor {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/IORInterceptor:1.0";
  /// Exceptions are dropped.
  virtual void establish_components(CORBA::object_reference<IORInfo> info) = 0;
  /// Called after establish_components() of all. If it throws, create_POA fails with OBJ_ADAPTER (OMG minor 6).
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the mapping's signature
  virtual void components_established(CORBA::object_reference<IORInfo>) {}
  virtual void adapter_manager_state_changed(const AdapterManagerId&, AdapterState) {}
  /// Called for POAs whose state is not their manager's: NON_EXISTENT.
  virtual void adapter_state_changed(const ObjectReferenceTemplateSeq&, AdapterState) {}

 private:
  tenon::gen::OwnId<IORInterceptor, IorInterceptorId> own_id_{*this};
};

using IORInterceptor_3_0 = IORInterceptor;

}  // namespace cpp11
}  // namespace PortableInterceptor

template <>
struct IDL::traits<PortableInterceptor::ObjectReferenceFactory>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::ObjectReferenceFactory> {};
template <>
struct IDL::traits<PortableInterceptor::ObjectReferenceTemplate>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::ObjectReferenceTemplate> {};
template <>
struct IDL::traits<PortableInterceptor::IORInfo>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::IORInfo> {};
template <>
struct IDL::traits<PortableInterceptor::IORInterceptor>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::IORInterceptor> {};
