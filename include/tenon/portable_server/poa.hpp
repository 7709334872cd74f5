// SPDX-License-Identifier: Apache-2.0
//
// PortableServer (CORBA 3.4 part 1 §15.3) in the IDL to C++11 mapping, thin over tenon::poa. Servants are in skeleton.hpp.
//
// One C++ object stands for one POA or POAManager as long as a reference holds it, so that references can be compared. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mapping/cpp11/calls/skeleton.hpp"
#include "mapping/cpp11/types/traits.hpp"
#include "poa/poa.hpp"
#include "tenon/corba/current.hpp"
#include "tenon/corba/object.hpp"
#include "tenon/portable_server/poa_exceptions.hpp"
#include "tenon/portable_server/poa_managers.hpp"
#include "tenon/portable_server/poa_policies.hpp"

namespace tenon::orb {
class Orb;
}

namespace PortableServer {
inline namespace cpp11 {

using POAList = std::vector<CORBA::object_reference<POA>>;

class POAManager final : public CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POAManager:2.3";
  enum class State : std::uint32_t { HOLDING, ACTIVE, DISCARDING, INACTIVE };

  class AdapterInactive final : public tenon::gen::PlainException {
   public:
    AdapterInactive() noexcept : PlainException(tenon::gen::plain_class<AdapterInactive>) {}
    explicit AdapterInactive(std::string_view why)
        : PlainException(tenon::gen::plain_class<AdapterInactive>, why) {}
    static constexpr std::string_view _static_id =
        "IDL:omg.org/PortableServer/POAManager/AdapterInactive:2.3";
  };

  /// These raise AdapterInactive when the manager is inactive; waiting inside an upcall raises BAD_INV_ORDER (OMG minor 3).
  void activate();
  void hold_requests(bool wait_for_completion);
  void discard_requests(bool wait_for_completion);
  void deactivate(bool etherealize_objects, bool wait_for_completion);
  State get_state();
  /// Unique among the managers of the ORB.
  std::string get_id();

  explicit POAManager(tenon::Ref<tenon::poa::Manager> manager);
  ~POAManager() override;
  const tenon::Ref<tenon::poa::Manager>& _manager() const noexcept { return manager_; }

 private:
  const tenon::Ref<tenon::poa::Manager> manager_;
  tenon::gen::OwnId<POAManager> own_id_{*this};
};

/// The managers of one ORB (§15.3.2). One that create_POA made is known as long as it has a POA; others until shutdown.
class POAManagerFactory final : public CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POAManagerFactory:1.0";
  using POAManagerSeq = std::vector<CORBA::object_reference<POAManager>>;

  class ManagerAlreadyExists final : public tenon::gen::PlainException {
   public:
    ManagerAlreadyExists() noexcept : PlainException(tenon::gen::plain_class<ManagerAlreadyExists>) {}
    explicit ManagerAlreadyExists(std::string_view why)
        : PlainException(tenon::gen::plain_class<ManagerAlreadyExists>, why) {}
    static constexpr std::string_view _static_id =
        "IDL:omg.org/PortableServer/POAManagerFactory/ManagerAlreadyExists:1.0";
  };

  /// Policies are those of a program's policy factories. They count for POAs of the manager that have none of the type. PolicyError
  /// (UNSUPPORTED_POLICY) for others, such as those of protocols; what() names the policy.
  CORBA::object_reference<POAManager> create_POAManager(const std::string& id,
                                                        const CORBA::PolicyList& policies);
  POAManagerSeq list();
  /// Nil: there is no manager with that id.
  CORBA::object_reference<POAManager> find(const std::string& id);

  explicit POAManagerFactory(tenon::Ref<tenon::poa::WholeAdapter> root);
  ~POAManagerFactory() override;

 private:
  const tenon::Ref<tenon::poa::WholeAdapter> root_;
  tenon::gen::OwnId<POAManagerFactory> own_id_{*this};
};

/// Of an ORB that has its root POA alone (tenon::parts::root_poa), operations that only other POAs can do raise NO_IMPLEMENT (docs/poa.md).
class POA final : public CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA:2.3";

  class AdapterAlreadyExists final : public tenon::gen::PlainException {
   public:
    AdapterAlreadyExists() noexcept : PlainException(tenon::gen::plain_class<AdapterAlreadyExists>) {}
    explicit AdapterAlreadyExists(std::string_view why)
        : PlainException(tenon::gen::plain_class<AdapterAlreadyExists>, why) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA/AdapterAlreadyExists:2.3";
  };
  class AdapterNonExistent final : public tenon::gen::PlainException {
   public:
    AdapterNonExistent() noexcept : PlainException(tenon::gen::plain_class<AdapterNonExistent>) {}
    explicit AdapterNonExistent(std::string_view why)
        : PlainException(tenon::gen::plain_class<AdapterNonExistent>, why) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA/AdapterNonExistent:2.3";
  };
  class InvalidPolicy final : public tenon::gen::PlainException {
   public:
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA/InvalidPolicy:2.3";
    InvalidPolicy() noexcept : PlainException(tenon::gen::class_with_members<InvalidPolicy>) {}
    /// `why`: which policy that is, and what is wrong with it; what() shows it after the repository id.
    explicit InvalidPolicy(std::uint16_t index, std::string_view why = {});
    /// The first offending policy in the list given.
    std::uint16_t index() const noexcept { return index_; }
    [[noreturn]] void _raise() const override { throw *this; }
    void _put(tenon::cdr::Writer& out) const override { out.put(index_); }
    void _get(tenon::cdr::Reader& in) { index_ = in.get<std::uint16_t>(); }
    const char* _members() const noexcept override { return "index:H"; }

   private:
    std::uint16_t index_ = 0;
  };
  class NoServant final : public tenon::gen::PlainException {
   public:
    NoServant() noexcept : PlainException(tenon::gen::plain_class<NoServant>) {}
    explicit NoServant(std::string_view why) : PlainException(tenon::gen::plain_class<NoServant>, why) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA/NoServant:2.3";
  };
  class ObjectAlreadyActive final : public tenon::gen::PlainException {
   public:
    ObjectAlreadyActive() noexcept : PlainException(tenon::gen::plain_class<ObjectAlreadyActive>) {}
    explicit ObjectAlreadyActive(std::string_view why)
        : PlainException(tenon::gen::plain_class<ObjectAlreadyActive>, why) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA/ObjectAlreadyActive:2.3";
  };
  class ObjectNotActive final : public tenon::gen::PlainException {
   public:
    ObjectNotActive() noexcept : PlainException(tenon::gen::plain_class<ObjectNotActive>) {}
    explicit ObjectNotActive(std::string_view why)
        : PlainException(tenon::gen::plain_class<ObjectNotActive>, why) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA/ObjectNotActive:2.3";
  };
  class ServantAlreadyActive final : public tenon::gen::PlainException {
   public:
    ServantAlreadyActive() noexcept : PlainException(tenon::gen::plain_class<ServantAlreadyActive>) {}
    explicit ServantAlreadyActive(std::string_view why)
        : PlainException(tenon::gen::plain_class<ServantAlreadyActive>, why) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA/ServantAlreadyActive:2.3";
  };
  class ServantNotActive final : public tenon::gen::PlainException {
   public:
    ServantNotActive() noexcept : PlainException(tenon::gen::plain_class<ServantNotActive>) {}
    explicit ServantNotActive(std::string_view why)
        : PlainException(tenon::gen::plain_class<ServantNotActive>, why) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA/ServantNotActive:2.3";
  };
  class WrongAdapter final : public tenon::gen::PlainException {
   public:
    WrongAdapter() noexcept : PlainException(tenon::gen::plain_class<WrongAdapter>) {}
    explicit WrongAdapter(std::string_view why)
        : PlainException(tenon::gen::plain_class<WrongAdapter>, why) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA/WrongAdapter:2.3";
  };
  class WrongPolicy final : public tenon::gen::PlainException {
   public:
    WrongPolicy() noexcept : PlainException(tenon::gen::plain_class<WrongPolicy>) {}
    explicit WrongPolicy(std::string_view why) : PlainException(tenon::gen::plain_class<WrongPolicy>, why) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/POA/WrongPolicy:2.3";
  };

  // --- the tree ---
  /// If the manager is nil, the POA gets a new one in the holding state. Policies of types that an ORB initializer has registered a policy
  /// factory for are kept for interceptors, and exposed in references if they are tenon::ExposedPolicy.
  CORBA::object_reference<POA> create_POA(const std::string& adapter_name,
                                          const CORBA::object_reference<POAManager>& a_POAManager,
                                          const CORBA::PolicyList& policies);
  /// With activate_it, the POA's adapter activator is asked for a child that is not there.
  CORBA::object_reference<POA> find_POA(const std::string& adapter_name, bool activate_it);
  /// Ends this POA and those below it, for good (§15.3.9.4). With `wait_for_completion` it returns when their requests and etherealizations
  /// have ended; BAD_INV_ORDER (OMG minor 3) for that inside an upcall of the same ORB.
  void destroy(bool etherealize_objects, bool wait_for_completion);
  std::string the_name();
  CORBA::object_reference<POA> the_parent();
  POAList the_children();
  CORBA::object_reference<POAManager> the_POAManager();
  CORBA::object_reference<POAManagerFactory> the_POAManagerFactory();
  CORBA::object_reference<AdapterActivator> the_activator();
  void the_activator(const CORBA::object_reference<AdapterActivator>& activator);
  std::vector<std::uint8_t> id();

  // --- policies ---
  static CORBA::object_reference<ThreadPolicy> create_thread_policy(ThreadPolicyValue value);
  static CORBA::object_reference<LifespanPolicy> create_lifespan_policy(LifespanPolicyValue value);
  static CORBA::object_reference<IdUniquenessPolicy> create_id_uniqueness_policy(
      IdUniquenessPolicyValue value);
  static CORBA::object_reference<IdAssignmentPolicy> create_id_assignment_policy(
      IdAssignmentPolicyValue value);
  static CORBA::object_reference<ImplicitActivationPolicy> create_implicit_activation_policy(
      ImplicitActivationPolicyValue value);
  static CORBA::object_reference<ServantRetentionPolicy> create_servant_retention_policy(
      ServantRetentionPolicyValue value);
  static CORBA::object_reference<RequestProcessingPolicy> create_request_processing_policy(
      RequestProcessingPolicyValue value);

  // --- servant manager. OBJ_ADAPTER (OMG minor 4) for nil or one of the wrong kind, BAD_INV_ORDER (OMG minor 6) for a second one ---
  CORBA::object_reference<ServantManager> get_servant_manager();
  void set_servant_manager(const CORBA::object_reference<ServantManager>& imgr);

  // --- default servant ---
  CORBA::servant_reference<Servant> get_servant();
  void set_servant(const CORBA::servant_reference<Servant>& servant);

  // --- activation. A nil servant is BAD_PARAM ---
  ObjectId activate_object(const CORBA::servant_reference<Servant>& servant);
  void activate_object_with_id(const ObjectId& id, const CORBA::servant_reference<Servant>& servant);
  /// Returns at once; upcalls that run end first, then the servant is etherealized, where there is an activator, and released.
  void deactivate_object(const ObjectId& id);

  // --- references ---
  CORBA::object_reference<CORBA::Object> create_reference(const std::string& intf);
  CORBA::object_reference<CORBA::Object> create_reference_with_id(const ObjectId& id,
                                                                  const std::string& intf);
  ObjectId servant_to_id(const CORBA::servant_reference<Servant>& servant);
  CORBA::object_reference<CORBA::Object> servant_to_reference(
      const CORBA::servant_reference<Servant>& servant);
  CORBA::servant_reference<Servant> reference_to_servant(
      const CORBA::object_reference<CORBA::Object>& reference);
  ObjectId reference_to_id(const CORBA::object_reference<CORBA::Object>& reference);
  CORBA::servant_reference<Servant> id_to_servant(const ObjectId& id);
  CORBA::object_reference<CORBA::Object> id_to_reference(const ObjectId& id);

  // --- the ORB's own ---
  explicit POA(tenon::Ref<tenon::poa::Poa> poa);
  ~POA() override;
  const tenon::Ref<tenon::poa::Poa>& _poa() const noexcept { return poa_; }
  tenon::orb::Orb& _orb() const noexcept { return *orb_; }

 private:
  const tenon::Ref<tenon::orb::Orb> orb_;
  const tenon::Ref<tenon::poa::Poa> poa_;
  tenon::gen::OwnId<POA> own_id_{*this};
};

/// What the current thread serves (§15.3.10). All threads may use one object.
class Current final : public virtual CORBA::Current {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/Current:2.3";
  ~Current() override;  // beside the operations, so that who narrows to this class links them

  /// Raised outside upcalls.
  class NoContext final : public tenon::gen::PlainException {
   public:
    NoContext() noexcept : PlainException(tenon::gen::plain_class<NoContext>) {}
    explicit NoContext(std::string_view why) : PlainException(tenon::gen::plain_class<NoContext>, why) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/Current/NoContext:2.3";
  };

  CORBA::object_reference<POA> get_POA();
  ObjectId get_object_id();
  CORBA::object_reference<CORBA::Object> get_reference();
  CORBA::servant_reference<Servant> get_servant();

 private:
  tenon::gen::OwnId<Current> own_id_{*this};
};

/// BAD_PARAM when the octets are not text (C++11 mapping §6.25.3).
std::string ObjectId_to_string(const ObjectId& id);
ObjectId string_to_ObjectId(const std::string& text);

}  // namespace cpp11
}  // namespace PortableServer

template <>
struct IDL::traits<PortableServer::POA> : tenon::gen::LocalInterfaceTraits<PortableServer::POA> {};
template <>
struct IDL::traits<PortableServer::POAManager>
    : tenon::gen::LocalInterfaceTraits<PortableServer::POAManager> {};
template <>
struct IDL::traits<PortableServer::POAManagerFactory>
    : tenon::gen::LocalInterfaceTraits<PortableServer::POAManagerFactory> {};
template <>
struct IDL::traits<PortableServer::Current> : tenon::gen::LocalInterfaceTraits<PortableServer::Current> {};

namespace tenon::gen {

template <>
struct Codec<PortableServer::POAManager::State> : Enum<PortableServer::POAManager::State, 4> {};

#define TENON_POA_EXCEPTION(kind, E, text)                                                            \
  template <>                                                                                         \
  struct PoaExceptionOf<poa::Exception::kind> {                                                       \
    static constexpr PoaException value{poa::Exception::kind, text, &plain_class<PortableServer::E>}; \
  }
TENON_POA_EXCEPTION(adapter_already_exists, POA::AdapterAlreadyExists, "@ has a child $ already");
TENON_POA_EXCEPTION(adapter_non_existent, POA::AdapterNonExistent, "@ has no child $");
TENON_POA_EXCEPTION(no_servant, POA::NoServant, "@ has no default servant");
TENON_POA_EXCEPTION(object_already_active, POA::ObjectAlreadyActive, "object $ is active in @ already");
TENON_POA_EXCEPTION(object_not_active, POA::ObjectNotActive, "object $ is not active in @");
TENON_POA_EXCEPTION(servant_already_active, POA::ServantAlreadyActive,
                    "the servant is active in @ already, which has UNIQUE_ID");
TENON_POA_EXCEPTION(servant_not_active, POA::ServantNotActive, "the servant is not active in @");
TENON_POA_EXCEPTION(wrong_adapter, POA::WrongAdapter, "the reference is not one of @");
TENON_POA_EXCEPTION(wrong_policy, POA::WrongPolicy, "the policies of @ do not allow this operation");
TENON_POA_EXCEPTION(manager_inactive, POAManager::AdapterInactive, "the POAManager is inactive");
TENON_POA_EXCEPTION(manager_already_exists, POAManagerFactory::ManagerAlreadyExists,
                    "there is a POAManager with that id");
#undef TENON_POA_EXCEPTION

/// The root POA of an ORB, which gets its adapter by the first call. BAD_INV_ORDER after shutdown.
CORBA::object_reference<PortableServer::POA> root_poa(orb::Orb& orb);
/// That of the current ORB. Weak: null in a program that links nothing of PortableServer::POA.
[[gnu::weak]] CORBA::object_reference<PortableServer::POA> default_poa();
CORBA::object_reference<PortableServer::Current> poa_current(orb::Orb& orb);

/// Lets a plain object key, as in "corbaloc:iiop:host:port/name", lead to an object of this process; nil ends that. False: the name
/// cannot be used. WrongAdapter for an object of another process.
bool publish_key(orb::Orb& orb, const CORBA::object_reference<CORBA::Object>& object, std::string_view name);
/// The C++ object that stands for it.
CORBA::object_reference<PortableServer::POA> face_of(const Ref<poa::Poa>& poa);

}  // namespace tenon::gen
