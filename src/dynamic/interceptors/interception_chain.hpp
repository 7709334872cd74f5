// SPDX-License-Identifier: Apache-2.0
//
// The interceptors of one ORB, and the state of one call while they run. Private to src/dynamic.
//
// A chain is filled inside ORB_init and never changes afterwards, but for what it knows of exceptions, so it is read without a lock. A state lives on the stack of one
// call, or with a request that was taken out of its upcall; the slots of a thread are thread-local.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "base/minor_codes.hpp"
#include "dynamic/interceptors/known_operations.hpp"
#include "mapping/cpp11/calls/stub_call.hpp"
#include "orb/client/call_policies.hpp"
#include "orb/interception.hpp"
#include "poa/current.hpp"
#include "tenon/interceptors/interceptors.hpp"
#include "tenon/interceptors/ior_interceptors.hpp"

namespace tenon::dynamic {

using Slots = std::vector<CORBA::Any>;

/// For which calls the interceptors of a list are called.
class Modes {
 public:
  void set(std::size_t place, PortableInterceptor::ProcessingMode mode) {
    if (mode == PortableInterceptor::LOCAL_AND_REMOTE) return;
    if (modes_.size() <= place) modes_.resize(place + 1, PortableInterceptor::LOCAL_AND_REMOTE);
    modes_[place] = mode;
  }
  /// Whether it matters if a call stays in this process.
  bool any() const noexcept { return !modes_.empty(); }
  bool concern(std::size_t place, bool local) const noexcept {
    return place >= modes_.size() || modes_[place] == PortableInterceptor::LOCAL_AND_REMOTE ||
           (modes_[place] == PortableInterceptor::LOCAL_ONLY) == local;
  }

 private:
  std::vector<PortableInterceptor::ProcessingMode> modes_;
};

class Chain {
 public:
  Chain();

  const std::uint64_t serial;  ///< differs from those of all other chains of this process
  std::string orb_id;
  std::string server_id;
  std::vector<CORBA::object_reference<PortableInterceptor::ClientRequestInterceptor>> client;
  std::vector<CORBA::object_reference<PortableInterceptor::ServerRequestInterceptor>> server;
  std::vector<CORBA::object_reference<PortableInterceptor::IORInterceptor>> ior;
  Modes client_modes, server_modes;
  std::map<CORBA::PolicyType, CORBA::object_reference<PortableInterceptor::PolicyFactory>> policy_factories;
  mutable KnownTypes known;  ///< also grows later
  PortableInterceptor::SlotId slot_count = 0;
  bool ready = false;  ///< the ORB's initialisation is over

  void check(PortableInterceptor::SlotId id) const {
    if (id >= slot_count) throw PortableInterceptor::InvalidSlot();
  }
  /// What the current thread has put into this chain's slots; later ones may be missing.
  Slots& thread_slots() const;
};

CORBA::Any slot(const Slots& slots, PortableInterceptor::SlotId id);
void set_slot(Slots& slots, PortableInterceptor::SlotId id, const CORBA::Any& data);

/// Hides the thread's slots, as interceptors have a thread scope of their own (§16.6.4.4).
class OwnSlots {
 public:
  explicit OwnSlots(const Chain& chain) : chain_(chain) {
    if (chain_.slot_count != 0) std::swap(kept_, chain_.thread_slots());
  }
  ~OwnSlots() {
    if (chain_.slot_count != 0) std::swap(kept_, chain_.thread_slots());
  }
  OwnSlots(const OwnSlots&) = delete;
  OwnSlots& operator=(const OwnSlots&) = delete;

 private:
  const Chain& chain_;
  Slots kept_;
};

enum class Point : std::uint8_t {
  send_request,
  send_poll,
  receive_reply,
  receive_exception,
  receive_other,
  receive_request_service_contexts,
  receive_request,
  send_reply,
  send_exception,
  send_other,
  none,
};

struct OwnedContext {
  std::uint32_t id;
  std::vector<std::uint8_t> data;
};

/// A list that add_..._service_context() adds to; `views` is for the code that sends it.
struct OwnedContexts {
  std::vector<OwnedContext> all;
  std::vector<protocol::ServiceContext> views;

  const OwnedContext* find(std::uint32_t id) const noexcept;
  void add(const IOP::ServiceContext& context, bool replace);
  /// Of those that there are; see seen().
  std::span<const protocol::ServiceContext> view();
  /// What view() has returned last.
  std::span<const protocol::ServiceContext> seen() const noexcept { return views; }
};

struct RequestState {
  RequestState(const Chain& of, std::string_view called, bool responds, protocol::Sync scope);
  virtual ~RequestState() = default;
  RequestState(RequestState&&) = default;
  RequestState(const RequestState&) = delete;
  RequestState& operator=(const RequestState&) = delete;
  virtual ByteView request_context(std::uint32_t of) const noexcept = 0;
  virtual Slots& slots() = 0;
  // What is known of the values. By default not_known().
  virtual Dynamic::ParameterList arguments() const;
  virtual CORBA::Any result() const;
  virtual Dynamic::ExceptionList exceptions() const;
  /// NO_RESOURCES (OMG minor 1): nothing says of what types they are.
  [[noreturn]] void not_known() const;
  /// The exception of the call: a system exception, a user exception whose type is known, else UNKNOWN (OMG minor 1).
  virtual CORBA::Any exception() const;
  /// The user exception that begins at `body`, if its type is in `listed` or known; else an Any without a type.
  CORBA::Any user_exception(cdr::Reader body, std::span<const types::TypeRef> listed) const;

  /// Sets the outcome that an interceptor wants instead.
  void apply(const orb::Verdict& verdict);

  const Chain& chain;
  const std::uint32_t id;
  std::string_view operation;
  const bool response_expected;
  const protocol::Sync sync;
  Point point = Point::none;
  PortableInterceptor::ReplyStatus status = PortableInterceptor::UNKNOWN;
  Error error;
  std::string exception_id;
  Ref<orb::Reference> forward;
  OwnedContexts reply_contexts;
};

/// The profile that a call to the object uses, or would try first; null: none can be used.
const orb::UsableProfile* effective_profile(orb::Reference& target);

struct ClientState final : RequestState {
  ClientState(const Chain& of, orb::Reference& called, orb::Reference& effective,
              const protocol::CallSpec& spec, const protocol::CallDescription* description);
  ByteView request_context(std::uint32_t of) const noexcept override;
  Slots& slots() override { return request_slots; }
  Dynamic::ParameterList arguments() const override;
  CORBA::Any result() const override;
  Dynamic::ExceptionList exceptions() const override;
  CORBA::Any exception() const override;

  /// Of the stub's operation; null: not known.
  KnownTypes::Found signature() const;

  const DynamicCall* const dynamic;  ///< the call, if it is one of DII
  const gen::StubCall* const stub;   ///< the same for a stub
  const cdr::Reader* body =
      nullptr;  ///< of a reply without exception or with a user exception, at its ending points
  orb::Reference& original;
  orb::Reference& target;
  std::optional<orb::CallPolicies> thread_policies;  ///< of the thread that calls; none: it has none
  orb::OwnPoliciesRef own_policies_of_thread;        ///< the same for types of the program
  OwnedContexts request_contexts;
  Slots request_slots;
};

struct ServerState final : RequestState {
  ServerState(const Chain& of, orb::Orb& of_orb, const protocol::IncomingCall& incoming)
      : RequestState(of, incoming.operation, incoming.response_expected, incoming.sync),
        orb(of_orb),
        call(incoming) {}
  /// Goes on with a request that has been taken out of its upcall.
  ServerState(ServerState&& spent, const protocol::IncomingCall& taken)
      : RequestState(std::move(spent)),
        orb(spent.orb),
        call(taken),
        signature(std::move(spent.signature)),
        with_thread(spent.with_thread) {
    operation = call.operation;
  }
  ByteView request_context(std::uint32_t of) const noexcept override { return call.context(of); }
  /// Once the request has been given to a thread, its slots are that thread's.
  Slots& slots() override { return with_thread ? chain.thread_slots() : request_slots; }
  Dynamic::ParameterList arguments() const override;
  CORBA::Any result() const override;
  Dynamic::ExceptionList exceptions() const override;
  CORBA::Any exception() const override;

  orb::Orb& orb;
  const protocol::IncomingCall& call;
  const poa::Frame* frame = nullptr;  ///< once a servant has been found
  const cdr::Reader* body = nullptr;  ///< of the reply, at its ending points
  KnownTypes::Found signature;        ///< of the skeleton's operation; null: not known
  std::optional<cdr::Reader>
      request;  ///< its arguments, where the signature is known, until it leaves its upcall
  bool with_thread = false;
  Slots request_slots;
};

/// What the exception that is being handled decides: its error; where a point may forward, the object of a ForwardRequest.
[[gnu::cold]] orb::Verdict verdict_of_current_exception(bool may_forward) noexcept;

/// Runs one interception point.
template <typename Run>
orb::Verdict run_point(bool may_forward, Run run) noexcept {
  try {
    run();
    return {};
  } catch (...) {
    return verdict_of_current_exception(may_forward);
  }
}

/// Runs what an observer does around its points, since no exception may reach the ORB's core: the verdict that `run` returns, or what it
/// threw, such as NO_MEMORY.
template <typename Run>
orb::Verdict guarded(Run run) noexcept {
  try {
    return run();
  } catch (...) {
    return verdict_of_current_exception(false);
  }
}

/// The value of a system exception's type (part 1 §A.2).
CORBA::Any exception_value(const Error& error);

/// The chain of an ORB; one without interceptors where none was registered.
std::shared_ptr<const Chain> chain_of(orb::Orb& orb);
/// While the pointer is held, the interceptors of the ORB are not destroyed. Null: they have been.
std::shared_ptr<const void> keep_interceptors(orb::Orb& orb);

// The observers that call the interceptors of a chain.
std::unique_ptr<orb::CallObserver> make_call_observer(std::shared_ptr<const Chain> chain);
std::unique_ptr<orb::RequestEntry> make_request_observer(orb::Orb& orb, std::shared_ptr<const Chain> chain);

}  // namespace tenon::dynamic
