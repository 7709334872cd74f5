// SPDX-License-Identifier: Apache-2.0
//
// The policy objects of a POA (CORBA 3.4 part 1 §15.3.8). Each holds a value of the standard's enum.
#pragma once

#include "poa/policies.hpp"
#include "tenon/corba/bidir_policy.hpp"
#include "tenon/corba/number_policy.hpp"

namespace PortableServer {
inline namespace cpp11 {

inline constexpr CORBA::PolicyType THREAD_POLICY_ID = tenon::poa::thread_policy;
inline constexpr CORBA::PolicyType LIFESPAN_POLICY_ID = tenon::poa::lifespan_policy;
inline constexpr CORBA::PolicyType ID_UNIQUENESS_POLICY_ID = tenon::poa::uniqueness_policy;
inline constexpr CORBA::PolicyType ID_ASSIGNMENT_POLICY_ID = tenon::poa::assignment_policy;
inline constexpr CORBA::PolicyType IMPLICIT_ACTIVATION_POLICY_ID = tenon::poa::activation_policy;
inline constexpr CORBA::PolicyType SERVANT_RETENTION_POLICY_ID = tenon::poa::retention_policy;
inline constexpr CORBA::PolicyType REQUEST_PROCESSING_POLICY_ID = tenon::poa::processing_policy;

enum class ThreadPolicyValue : std::uint32_t { ORB_CTRL_MODEL, SINGLE_THREAD_MODEL, MAIN_THREAD_MODEL };
enum class LifespanPolicyValue : std::uint32_t { TRANSIENT, PERSISTENT };
enum class IdUniquenessPolicyValue : std::uint32_t { UNIQUE_ID, MULTIPLE_ID };
enum class IdAssignmentPolicyValue : std::uint32_t { USER_ID, SYSTEM_ID };
enum class ImplicitActivationPolicyValue : std::uint32_t { IMPLICIT_ACTIVATION, NO_IMPLICIT_ACTIVATION };
enum class ServantRetentionPolicyValue : std::uint32_t { RETAIN, NON_RETAIN };
enum class RequestProcessingPolicyValue : std::uint32_t {
  USE_ACTIVE_OBJECT_MAP_ONLY,
  USE_DEFAULT_SERVANT,
  USE_SERVANT_MANAGER
};

class ThreadPolicy final
    : public CORBA::Policy,
      public tenon::gen::NumberPolicyOf<ThreadPolicy, ThreadPolicyValue, THREAD_POLICY_ID> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/ThreadPolicy:1.0";
  explicit ThreadPolicy(ThreadPolicyValue value) noexcept : NumberPolicyOf(*this, value) {
    tenon::poa::enable_thread_policies();
  }
  CORBA::PolicyType policy_type() const override { return type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return tenon::gen::same_policy(*this); }
};

class LifespanPolicy final
    : public CORBA::Policy,
      public tenon::gen::NumberPolicyOf<LifespanPolicy, LifespanPolicyValue, LIFESPAN_POLICY_ID> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/LifespanPolicy:1.0";
  explicit LifespanPolicy(LifespanPolicyValue value) noexcept : NumberPolicyOf(*this, value) {}
  CORBA::PolicyType policy_type() const override { return type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return tenon::gen::same_policy(*this); }
};

class IdUniquenessPolicy final
    : public CORBA::Policy,
      public tenon::gen::NumberPolicyOf<IdUniquenessPolicy, IdUniquenessPolicyValue,
                                        ID_UNIQUENESS_POLICY_ID> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/IdUniquenessPolicy:1.0";
  explicit IdUniquenessPolicy(IdUniquenessPolicyValue value) noexcept : NumberPolicyOf(*this, value) {}
  CORBA::PolicyType policy_type() const override { return type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return tenon::gen::same_policy(*this); }
};

class IdAssignmentPolicy final
    : public CORBA::Policy,
      public tenon::gen::NumberPolicyOf<IdAssignmentPolicy, IdAssignmentPolicyValue,
                                        ID_ASSIGNMENT_POLICY_ID> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/IdAssignmentPolicy:1.0";
  explicit IdAssignmentPolicy(IdAssignmentPolicyValue value) noexcept : NumberPolicyOf(*this, value) {}
  CORBA::PolicyType policy_type() const override { return type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return tenon::gen::same_policy(*this); }
};

class ImplicitActivationPolicy final
    : public CORBA::Policy,
      public tenon::gen::NumberPolicyOf<ImplicitActivationPolicy, ImplicitActivationPolicyValue,
                                        IMPLICIT_ACTIVATION_POLICY_ID> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/ImplicitActivationPolicy:1.0";
  explicit ImplicitActivationPolicy(ImplicitActivationPolicyValue value) noexcept
      : NumberPolicyOf(*this, value) {}
  CORBA::PolicyType policy_type() const override { return type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return tenon::gen::same_policy(*this); }
};

class ServantRetentionPolicy final
    : public CORBA::Policy,
      public tenon::gen::NumberPolicyOf<ServantRetentionPolicy, ServantRetentionPolicyValue,
                                        SERVANT_RETENTION_POLICY_ID> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/ServantRetentionPolicy:1.0";
  explicit ServantRetentionPolicy(ServantRetentionPolicyValue value) noexcept
      : NumberPolicyOf(*this, value) {}
  CORBA::PolicyType policy_type() const override { return type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return tenon::gen::same_policy(*this); }
};

class RequestProcessingPolicy final
    : public CORBA::Policy,
      public tenon::gen::NumberPolicyOf<RequestProcessingPolicy, RequestProcessingPolicyValue,
                                        REQUEST_PROCESSING_POLICY_ID> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableServer/RequestProcessingPolicy:1.0";
  explicit RequestProcessingPolicy(RequestProcessingPolicyValue value) noexcept
      : NumberPolicyOf(*this, value) {}
  CORBA::PolicyType policy_type() const override { return type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return tenon::gen::same_policy(*this); }
};

}  // namespace cpp11
}  // namespace PortableServer

namespace tenon {

/// How a POA finds the object of a request (docs/poa.md). A policy of ours, for create_POA.
enum class ObjectDemux : std::uint32_t {
  active,  ///< the default: an id of the system names its place; ids of users are found by hash
  hash,    ///< all ids by hash
  linear,  ///< all ids one after the other, under a lock: only to measure the other ways against
};

inline constexpr CORBA::PolicyType OBJECT_DEMUX_POLICY_ID = poa::demux_policy;

class ObjectDemuxPolicy final
    : public CORBA::Policy,
      public gen::NumberPolicyOf<ObjectDemuxPolicy, ObjectDemux, OBJECT_DEMUX_POLICY_ID> {
 public:
  static constexpr std::string_view _static_id = "IDL:tenon/ObjectDemuxPolicy:1.0";
  explicit ObjectDemuxPolicy(ObjectDemux value) noexcept : NumberPolicyOf(*this, value) {}
  CORBA::PolicyType policy_type() const override { return type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return tenon::gen::same_policy(*this); }
};

inline CORBA::object_reference<ObjectDemuxPolicy> create_object_demux_policy(ObjectDemux value) {
  return CORBA::make_reference<ObjectDemuxPolicy>(value);
}

}  // namespace tenon

namespace tenon::gen {

template <>
struct Codec<PortableServer::ThreadPolicyValue> : Enum<PortableServer::ThreadPolicyValue, 3> {};
template <>
struct Codec<PortableServer::LifespanPolicyValue> : Enum<PortableServer::LifespanPolicyValue, 2> {};
template <>
struct Codec<PortableServer::IdUniquenessPolicyValue> : Enum<PortableServer::IdUniquenessPolicyValue, 2> {};
template <>
struct Codec<PortableServer::IdAssignmentPolicyValue> : Enum<PortableServer::IdAssignmentPolicyValue, 2> {};
template <>
struct Codec<PortableServer::ImplicitActivationPolicyValue>
    : Enum<PortableServer::ImplicitActivationPolicyValue, 2> {};
template <>
struct Codec<PortableServer::ServantRetentionPolicyValue>
    : Enum<PortableServer::ServantRetentionPolicyValue, 2> {};
template <>
struct Codec<PortableServer::RequestProcessingPolicyValue>
    : Enum<PortableServer::RequestProcessingPolicyValue, 3> {};

}  // namespace tenon::gen

template <>
struct IDL::traits<tenon::ObjectDemuxPolicy> : tenon::gen::LocalInterfaceTraits<tenon::ObjectDemuxPolicy> {};
template <>
struct IDL::traits<PortableServer::ThreadPolicy>
    : tenon::gen::LocalInterfaceTraits<PortableServer::ThreadPolicy> {};
template <>
struct IDL::traits<PortableServer::LifespanPolicy>
    : tenon::gen::LocalInterfaceTraits<PortableServer::LifespanPolicy> {};
template <>
struct IDL::traits<PortableServer::IdUniquenessPolicy>
    : tenon::gen::LocalInterfaceTraits<PortableServer::IdUniquenessPolicy> {};
template <>
struct IDL::traits<PortableServer::IdAssignmentPolicy>
    : tenon::gen::LocalInterfaceTraits<PortableServer::IdAssignmentPolicy> {};
template <>
struct IDL::traits<PortableServer::ImplicitActivationPolicy>
    : tenon::gen::LocalInterfaceTraits<PortableServer::ImplicitActivationPolicy> {};
template <>
struct IDL::traits<PortableServer::ServantRetentionPolicy>
    : tenon::gen::LocalInterfaceTraits<PortableServer::ServantRetentionPolicy> {};
template <>
struct IDL::traits<PortableServer::RequestProcessingPolicy>
    : tenon::gen::LocalInterfaceTraits<PortableServer::RequestProcessingPolicy> {};
