// SPDX-License-Identifier: Apache-2.0
//
// Portable interceptors (CORBA 3.4 part 1 §16) in the IDL to C++11 mapping: derive from an interceptor, and from ORBInitializer to
// add it to the ORBs that are initialised afterwards. docs/interceptors.md has an example.
//
// Threads: an interceptor is called by every thread that calls or serves, several at a time.
#pragma once

#include "tenon/corba/current.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/interceptors/request_info.hpp"

namespace tenon::dynamic {
class Chain;
}

namespace PortableInterceptor {
inline namespace cpp11 {

using ClientInfoRef = CORBA::object_reference<ClientRequestInfo>;
using ServerInfoRef = CORBA::object_reference<ServerRequestInfo>;

class Interceptor : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/Interceptor:1.0";
  /// Must differ from the names of other interceptors of its kind, or be empty.
  virtual std::string name() = 0;
  /// Called by ORB::destroy(). What it throws is dropped.
  virtual void destroy() {}

 private:
  tenon::gen::OwnId<Interceptor> own_id_{*this};
};

// Twice because clients and servers have points of their own, of the same shape.
/// Each point may throw a system exception; send_request, receive_exception and receive_other also ForwardRequest.
class ClientRequestInterceptor : public virtual Interceptor {
 public:
  static constexpr std::string_view _static_id =
      "IDL:omg.org/PortableInterceptor/ClientRequestInterceptor:1.0";
  virtual void send_request(ClientInfoRef) {}
  /// For polls that ask the server; this ORB makes none.
  virtual void send_poll(ClientInfoRef) {}
  virtual void receive_reply(ClientInfoRef) {}
  virtual void receive_exception(ClientInfoRef) {}
  virtual void receive_other(ClientInfoRef) {}

 private:
  tenon::gen::OwnId<ClientRequestInterceptor> own_id_{*this};
};

/// Each point may throw a system exception; all but send_reply also ForwardRequest.
class ServerRequestInterceptor : public virtual Interceptor {
 public:
  static constexpr std::string_view _static_id =
      "IDL:omg.org/PortableInterceptor/ServerRequestInterceptor:1.0";
  virtual void receive_request_service_contexts(ServerInfoRef) {}
  virtual void receive_request(ServerInfoRef) {}
  virtual void send_reply(ServerInfoRef) {}
  virtual void send_exception(ServerInfoRef) {}
  virtual void send_other(ServerInfoRef) {}

 private:
  tenon::gen::OwnId<ServerRequestInterceptor> own_id_{*this};
};

/// PICurrent: values that go from a thread to the calls that it makes, and from a request to the thread that serves it (§16.6).
/// Also the initial reference "PICurrent".
class Current : public virtual CORBA::Current {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/Current:1.0";

  CORBA::Any get_slot(SlotId id);
  void set_slot(SlotId id, const CORBA::Any& data);

  explicit Current(std::shared_ptr<const tenon::dynamic::Chain> chain) noexcept;
  ~Current() override;

 private:
  const std::shared_ptr<const tenon::dynamic::Chain> chain_;
  tenon::gen::OwnId<Current> own_id_{*this};
};

/// Makes policies of a type that this ORB does not know (§16.8).
class PolicyFactory : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/PolicyFactory:1.0";
  virtual CORBA::object_reference<CORBA::Policy> create_policy(CORBA::PolicyType type,
                                                               const CORBA::Any& value) = 0;

 private:
  tenon::gen::OwnId<PolicyFactory> own_id_{*this};
};

class IORInterceptor;

using ProcessingMode = std::int16_t;
inline constexpr ProcessingMode LOCAL_AND_REMOTE = 0;
inline constexpr ProcessingMode REMOTE_ONLY = 1;  ///< not for calls to objects of this process
inline constexpr ProcessingMode LOCAL_ONLY = 2;   ///< for these only
inline constexpr CORBA::PolicyType PROCESSING_MODE_POLICY_TYPE = 61;

/// For which calls a request interceptor is called; for ORBInitInfo_3_1.
class ProcessingModePolicy final
    : public tenon::gen::ValuePolicy<ProcessingModePolicy, ProcessingMode, PROCESSING_MODE_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/ProcessingModePolicy:1.0";
  using ValuePolicy::ValuePolicy;
  ProcessingMode processing_mode() const noexcept { return value(); }
};

/// By this an ORB initializer asks about the ORB and adds interceptors (§16.9.2). OBJECT_NOT_EXIST once ORB_init has returned.
class ORBInitInfo : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/ORBInitInfo:1.0";
  using ObjectId = std::string;

  class DuplicateName final : public tenon::gen::PlainException {
   public:
    static constexpr std::string_view _static_id =
        "IDL:omg.org/PortableInterceptor/ORBInitInfo/DuplicateName:1.0";
    DuplicateName() noexcept : PlainException(tenon::gen::class_with_members<DuplicateName>) {}
    explicit DuplicateName(std::string taken)
        : PlainException(tenon::gen::class_with_members<DuplicateName>), name_(std::move(taken)) {}
    const std::string& name() const noexcept { return name_; }
    [[noreturn]] void _raise() const override { throw *this; }
    void _put(tenon::cdr::Writer& out) const override { out.put_string(name_); }
    void _get(tenon::cdr::Reader& in) { in.get_string(name_); }
    const char* _members() const noexcept override { return "name:s"; }

   private:
    std::string name_;
  };
  class InvalidName final : public tenon::gen::PlainException {
   public:
    static constexpr std::string_view _static_id =
        "IDL:omg.org/PortableInterceptor/ORBInitInfo/InvalidName:1.0";
    InvalidName() noexcept : PlainException(tenon::gen::plain_class<InvalidName>) {}
    /// `why`: as in CORBA::ORB::InvalidName.
    explicit InvalidName(const std::string& why)
        : PlainException(tenon::gen::plain_class<InvalidName>, why) {}
  };

  /// What ORB_init was given, its own options included.
  std::vector<std::string> arguments();
  std::string orb_id();
  CORBA::object_reference<IOP::CodecFactory> codec_factory();
  void register_initial_reference(const ObjectId& id, const CORBA::object_reference<CORBA::Object>& obj);
  /// May be called in post_init() only.
  CORBA::object_reference<CORBA::Object> resolve_initial_references(const ObjectId& id);
  void add_client_request_interceptor(const CORBA::object_reference<ClientRequestInterceptor>& interceptor);
  void add_server_request_interceptor(const CORBA::object_reference<ServerRequestInterceptor>& interceptor);
  void add_ior_interceptor(const CORBA::object_reference<IORInterceptor>& interceptor);
  SlotId allocate_slot_id();
  /// BAD_INV_ORDER (OMG minor 16) when there is one for that type, or the ORB makes policies of that type itself: those of POAs, of calls and
  /// of interceptors that it has. A type of the standard that it does not have may have a factory.
  void register_policy_factory(CORBA::PolicyType type,
                               const CORBA::object_reference<PolicyFactory>& policy_factory);

  // --- the ORB's own ---
  ORBInitInfo(CORBA::ORB& orb, std::vector<std::string> arguments,
              std::shared_ptr<tenon::dynamic::Chain> chain);
  ~ORBInitInfo() override;
  enum class Phase { pre, post, over };
  void _phase(Phase phase) noexcept { phase_ = phase; }

 protected:
  tenon::dynamic::Chain& chain() const;

 private:
  CORBA::ORB& orb_;
  const std::vector<std::string> arguments_;
  const std::shared_ptr<tenon::dynamic::Chain> chain_;
  Phase phase_ = Phase::pre;
  tenon::gen::OwnId<ORBInitInfo> own_id_{*this};
};

/// What initializers get: narrow an ORBInitInfo to it. The policies of a request interceptor are ProcessingModePolicy; an IOR interceptor has
/// none. PolicyError for others, and for two; what() names the policy.
class ORBInitInfo_3_1 final : public ORBInitInfo {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/ORBInitInfo_3_1:1.0";
  using ORBInitInfo::ORBInitInfo;

  void add_client_request_interceptor_with_policy(
      const CORBA::object_reference<ClientRequestInterceptor>& interceptor,
      const CORBA::PolicyList& policies);
  void add_server_request_interceptor_with_policy(
      const CORBA::object_reference<ServerRequestInterceptor>& interceptor,
      const CORBA::PolicyList& policies);
  void add_ior_interceptor_with_policy(const CORBA::object_reference<IORInterceptor>& interceptor,
                                       const CORBA::PolicyList& policies);

 private:
  tenon::gen::OwnId<ORBInitInfo_3_1> own_id_{*this};
};

class ORBInitializer : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/ORBInitializer:1.0";
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the mapping's signature
  virtual void pre_init(CORBA::object_reference<ORBInitInfo>) {}
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the mapping's signature
  virtual void post_init(CORBA::object_reference<ORBInitInfo>) {}

 private:
  tenon::gen::OwnId<ORBInitializer> own_id_{*this};
};

/// Registers an initializer for every ORB that is initialised from now on.
void register_orb_initializer(const CORBA::object_reference<ORBInitializer>& init);

}  // namespace cpp11
}  // namespace PortableInterceptor

namespace tenon {
/// Makes the type of a user exception known, so that received_exception() and sending_exception() of this ORB show such exceptions of
/// compiled stubs and skeletons with their members: tenon::show_exception_to_interceptors(*orb, Bank::_tc_Overdrawn). Any thread, at any
/// time. BAD_PARAM (OMG minor 21) for a type that is no exception's.
void show_exception_to_interceptors(const CORBA::ORB& orb, const CORBA::TypeCodeRef& type);
}  // namespace tenon

template <>
struct IDL::traits<PortableInterceptor::Interceptor>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::Interceptor> {};
template <>
struct IDL::traits<PortableInterceptor::ClientRequestInterceptor>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::ClientRequestInterceptor> {};
template <>
struct IDL::traits<PortableInterceptor::ServerRequestInterceptor>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::ServerRequestInterceptor> {};
template <>
struct IDL::traits<PortableInterceptor::Current>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::Current> {};
template <>
struct IDL::traits<PortableInterceptor::PolicyFactory>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::PolicyFactory> {};
template <>
struct IDL::traits<PortableInterceptor::ORBInitInfo>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::ORBInitInfo> {};
template <>
struct IDL::traits<PortableInterceptor::ORBInitInfo_3_1>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::ORBInitInfo_3_1> {};
template <>
struct IDL::traits<PortableInterceptor::ProcessingModePolicy>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::ProcessingModePolicy> {};
template <>
struct IDL::traits<PortableInterceptor::ORBInitializer>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::ORBInitializer> {};
