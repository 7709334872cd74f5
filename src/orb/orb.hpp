// SPDX-License-Identifier: Apache-2.0
//
// The ORB core: protocols, endpoints, references, connections, and the life from create() to destroy(). It moves messages and
// never sees a type. C++ programs use it through CORBA::ORB in mapping/cpp11.
//
// Threads: everything may be called from any thread unless said otherwise.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/function_ref.hpp"
#include "base/ref.hpp"
#include "base/thread_annotations.hpp"
#include "orb/client/call_policies.hpp"
#include "orb/client/endpoint.hpp"
#include "orb/options.hpp"
#include "orb/parts.hpp"
#include "orb/reference.hpp"
#include "orb/server/adapter.hpp"
#include "orb/threads/main_work.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Attendant;
class Bidirectional;
class CallObserver;
class Collocation;
class Endpoints;
class OutgoingLimit;
class Reactor;
class Server;
class Sweeps;

/// A component for profiles that this process publishes.
struct ExtraComponent {
  std::optional<std::uint32_t> profile;  ///< only for profiles with this tag
  ior::TaggedComponent component;
};

class Orb final : public RefCounted, public protocol::Dispatcher, public protocol::ConnectionClock {
 public:
  Orb(Options&& options, Parts&& parts);
  ~Orb() override;

  /// Options::serving is one of the ways of serving that this ORB has, if it has any.
  const Options& options() const noexcept { return options_; }
  /// What this ORB consists of. The protocols have been told the options; they are those that it was made with (current_protocols.hpp).
  const Parts& parts() const noexcept { return parts_; }

  // --- protocols ---
  protocol::TransportPlugin* transport_named(std::string_view name) const noexcept;
  protocol::TransportPlugin* transport_for(std::uint32_t profile_tag) const noexcept;
  protocol::Messaging& messaging_of(const protocol::TransportPlugin& transport) const noexcept;

  // --- server side ---
  /// Opens the endpoints of the options (once) and starts to serve them. False: `why` names the endpoint and the reason.
  bool listen(std::string& why) TENON_EXCLUDES(mutex_);
  void set_adapter(Adapter* adapter) noexcept;
  Adapter* adapter() const noexcept { return adapter_.load(std::memory_order_acquire); }
  /// A reference to an object of this process: one profile for each protocol it listens on. Listens first if need be; an error
  /// (INITIALIZE, the reason in the log and in `why`, which may be null) when that fails.
  Result<Ref<Reference>> create_reference(std::string_view type_id, ByteView object_key,
                                          std::span<const ExtraComponent> extra = {},
                                          std::string* why = nullptr);
  /// As it listens now; listens first if need be. An error as create_reference().
  Result<const Server*> listening(std::string* why);
  /// The protocols that it has now, by their names, in order.
  std::vector<std::string> protocol_names() const;
  /// Endpoint texts with real ports, as it listens now.
  std::vector<std::string> endpoints() const;
  /// Whether one of the endpoints would be the same in a later process with the same options. True if the ORB does not listen.
  bool has_fixed_endpoint() const noexcept;

  // --- references ---
  Ref<Reference> reference(ior::Ior&& ior);
  /// The same for one that was given as text, and so will be called soon: the transports are told of its addresses.
  Ref<Reference> expected_reference(ior::Ior&& ior);

  // --- calls ---
  /// The cached connections to one address; null after shutdown, if there is no memory for them, and if the transport's protocol has been
  /// removed. `properties`, `bidirectional`: as in
  /// LinkKey.
  Ref<Endpoint> endpoint(protocol::TransportPlugin& transport, std::string_view address,
                         std::string_view properties, bool bidirectional) TENON_EXCLUDES(mutex_);
  /// False: there is no memory for so many.
  bool all_endpoints(EndpointList& into) const TENON_EXCLUDES(mutex_);
  /// How many addresses it has connections to, or has failed to connect to.
  std::size_t addresses_known() const;
  bool is_local(const UsableProfile& profile) const noexcept;
  /// Its calls to objects of its own that need no socket; null: the options forbid them, or it has no such part.
  Collocation* collocation() const noexcept { return collocation_.get(); }

  // --- bidirectional connections (CORBA 3.4 part 2 §9.8) ---
  /// POAs with the policy BOTH, and the options, ask for this. False: this ORB has no such part, and nothing has changed.
  [[nodiscard]] bool become_bidirectional(bool offer, bool accept) noexcept;
  /// Whether connections for calls over this reference shall carry requests in both directions.
  bool is_bidirectional(const Reference& reference) noexcept;
  /// Null: this ORB has no such part.
  const std::shared_ptr<Bidirectional>& bidirectional_of(
      const protocol::TransportPlugin& transport) const noexcept;

  /// The policies of calls where thread and object have none.
  CallPolicies call_policies() const;
  void set_call_policies(const CallPolicies& policies);
  /// Keeps time, and serves asynchronous calls if it has that part; started by the first call of this function. Null: it has none, no
  /// thread could be made, or the ORB has been shut down.
  Attendant* attendant() TENON_EXCLUDES(mutex_);
  /// Accepted and opened ones, as far as the options ask for it.
  void close_idle_connections() noexcept;
  /// Calls Endpoint::rest() of all endpoints.
  bool rest_connections(Attendant* attendant, bool late) noexcept;
  /// Called before a call, since the thread that keeps time may be busy or absent (Sweeps::in_time()).
  void sweep_in_time() noexcept;

  // --- observers (interception.hpp), which live as long as the ORB; set before its first call ---
  void set_call_observer(std::unique_ptr<CallObserver> observer) noexcept;
  CallObserver* call_observer() const noexcept { return call_observer_.get(); }
  /// Requests go to the observer instead of the adapter; it passes them on by serve().
  void set_request_observer(std::unique_ptr<RequestEntry> observer) noexcept;
  bool requests_are_observed() const noexcept { return request_observer_ != nullptr; }
  /// Passes the call to the adapter, or refuses it if there is none.
  void serve(protocol::IncomingCall& call);
  /// The ORB is usable, and its calls have no observer.
  bool calls_are_plain() const noexcept { return calls_are_plain_.load(std::memory_order_acquire); }

  // --- life (CORBA 3.4 part 1 §8.2.3) ---
  /// Returns when shutdown() has finished and no upcall runs any more. The main thread does its work meanwhile.
  void run();
  /// Does one piece of work that there is for this thread, if there is any. Does not wait.
  void perform_work();
  bool work_pending() noexcept;
  /// Readable while perform_work() on the main thread would find something to do, until destroy(). -1: it could not be made.
  int work_descriptor() noexcept;
  /// The reactor, if the ORB serves with a single thread; null: the ORB has threads of its own.
  Reactor* reactor() const noexcept { return reactor_.get(); }
  /// The work that only the main thread may do. run() does it, or perform_work() in a program that has a loop of its own.
  MainWork& main_work() noexcept { return main_work_; }
  /// If it does not wait, requests that run are still answered, and then their connections close. BAD_INV_ORDER (would_deadlock) if it is
  /// to wait inside an upcall.
  Status shutdown(bool wait_for_completion) TENON_EXCLUDES(mutex_);
  bool is_shut_down() const noexcept {
    return state_.load(std::memory_order_acquire) >= State::shutting_down;
  }
  /// OBJECT_NOT_EXIST after destroy(), BAD_INV_ORDER after shutdown(): what a call on a dead ORB is told.
  Status usable() const noexcept {
    return state_.load(std::memory_order_acquire) < State::shut_down ? Status() : why_not_usable();
  }
  /// As shutdown(true), and for good. All descriptors are closed, even while references to the ORB remain; if another thread is the single
  /// one that serves, it closes them when it leaves run() or perform_work().
  Status destroy() TENON_EXCLUDES(mutex_);
  /// Called by destroy(), or by the reactor when that closes: gives back the descriptors that are watched.
  void close_descriptors() noexcept;
  /// For the reactor: Attendant::end_those_due().
  void end_those_due();

  /// An object that a library above keeps with this ORB, found by the address `key`. If there is none, it is what `make` returns, which is
  /// called with a lock held and must not throw; null: there is still none. Null after destroy(), which lets go of it when no upcall runs
  /// any more.
  std::shared_ptr<void> attachment(const void* key, FunctionRef<std::shared_ptr<void>()> make);

  // --- buffered oneways ---
  /// Sends all of them. Returns the first failure, after all connections have been tried; NO_MEMORY: there is no memory for their list.
  Status flush_oneways(Deadline deadline);
  /// How many were lost with a connection before they were sent.
  std::uint64_t oneways_lost() const noexcept { return oneways_lost_.load(std::memory_order_relaxed); }

  // --- protocol::ConnectionClock ---
  bool remind(protocol::Connection& connection, Deadline when) noexcept override;
  bool watch(protocol::Connection& connection, Deadline when) noexcept override;
  bool attend(protocol::Connection& connection) noexcept override;
  Room wait_for_room(protocol::Connection& connection, Deadline deadline) noexcept override;
  void used(protocol::Connection& connection) noexcept override;
  void count_lost(std::size_t oneways) noexcept override {
    oneways_lost_.fetch_add(oneways, std::memory_order_relaxed);
  }

  // --- protocol::Dispatcher ---
  void dispatch(protocol::IncomingCall& call) override;
  std::string_view explanation(const Error& why) const noexcept override {
    return options_.exception_detail == ExceptionDetail::none ? std::string_view() : describe(why);
  }
  protocol::LocateStatus locate(ByteView object_key, ior::Ior& forward) override;
  /// As above; its waits end with the deadline (TIMEOUT).
  Result<protocol::LocateStatus> locate(ByteView object_key, ior::Ior& forward, Deadline deadline);

  /// True on a thread that is making an upcall for this ORB, or runs what follows an asynchronous call.
  bool in_upcall() const noexcept;

 private:
  friend class ProtocolChanges;
  enum class State : std::uint8_t { running, shutting_down, shut_down, destroyed };
  Status why_not_usable() const noexcept;
  const Protocol& protocol_of(const protocol::TransportPlugin& transport) const noexcept;
  void divert_calls() noexcept TENON_REQUIRES(mutex_);
  std::unique_ptr<Server> make_server(std::string& why);
  bool open(Server& server, const std::string& endpoint, std::string& why);
  using TellConnection = void (protocol::Connection::*)() noexcept;
  bool tell(protocol::Connection& connection, Deadline when, TellConnection what) noexcept;
  void wait_for_shutdown();
  void stop_attending() noexcept;

  // Small ones first, whose addresses are then short in code.
  std::atomic<RequestEntry*> entry_{nullptr};  // the observer, else the adapter
  std::atomic<Adapter*> adapter_{nullptr};
  std::atomic<Attendant*> attending_{nullptr};  // attendant_, once it has started; stays until the ORB goes
  std::atomic<Server*> listening_{nullptr};     // server_, once it serves; stays until the ORB goes
  std::atomic<std::uint64_t> oneways_lost_{0};
  std::atomic<bool> calls_are_plain_{true};
  std::atomic<State> state_{State::running};
  enum class Ways : std::uint8_t { unsaid, one, both };
  std::atomic<Ways> ways_policy_{Ways::unsaid};    // what call_policies_ says
  std::atomic<bool> offers_bidirectional_{false};  // where no policy says otherwise
  std::atomic<bool> wants_bidirectional_{false};   // some reference does
  Options options_;
  Parts parts_;
  std::unique_ptr<CallObserver> call_observer_;
  std::unique_ptr<RequestEntry> request_observer_;
  MainWork main_work_;
  // Null where the ORB has no such part:
  std::unique_ptr<Reactor> reactor_;
  std::unique_ptr<OutgoingLimit> outgoing_;  // where it is no part: null until a call looks for an endpoint
  std::unique_ptr<Sweeps> sweeps_;
  std::unique_ptr<Collocation> collocation_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::unique_ptr<Endpoints> endpoints_ TENON_GUARDED_BY(mutex_);  // null: no call has looked for one
  struct Attachment {
    const void* key = nullptr;
    std::shared_ptr<void> object;
    std::unique_ptr<Attachment> next;
  };
  std::unique_ptr<Attachment> attachments_ TENON_GUARDED_BY(mutex_);
  std::unique_ptr<Server> server_ TENON_GUARDED_BY(mutex_);
  CallPolicies call_policies_ TENON_GUARDED_BY(mutex_);
  struct Release {
    void operator()(Attendant* attendant) const noexcept;
  };
  std::unique_ptr<Attendant, Release> attendant_ TENON_GUARDED_BY(mutex_);
};

}  // namespace tenon::orb
