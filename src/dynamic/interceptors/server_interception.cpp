// SPDX-License-Identifier: Apache-2.0
//
// The server's interception points (CORBA 3.4 part 1 §16.3.8): receive_request_service_contexts before the object adapter hears of
// the request, receive_request before the servant runs, the ending points before the reply goes.
#include <optional>
#include <thread>

#include "cdr/exception_body.hpp"
#include "dynamic/interceptors/interception_chain.hpp"
#include "orb/orb.hpp"
#include "orb/server/serving.hpp"
#include "poa/poa.hpp"
#include "poa/refuse.hpp"

namespace tenon::dynamic {

namespace {

using PortableInterceptor::ServerRequestInfo;

class ServedRequest : public orb::WatchedRequest {
 public:
  ServedRequest(orb::Orb& orb, const Chain& chain, protocol::IncomingCall& call)
      : WatchedRequest(orb, call),
        state_(chain, orb, *this),
        info_(CORBA::make_reference<ServerRequestInfo>(state_)),
        local_(chain.server_modes.any() && call.collocated()) {}
  ~ServedRequest() override {
    give_thread_its_slots();
    if (info_) info_->_over();
  }

 protected:
  /// Goes on with a request that has been taken out of its upcall.
  ServedRequest(ServedRequest& spent, protocol::IncomingCall& taken)
      : WatchedRequest(spent, taken),
        state_(std::move(spent.state_), *this),
        info_(std::move(spent.info_)),
        local_(spent.local_),
        depth_(std::exchange(spent.depth_, 0)) {
    info_->_go_on(state_);
    state_.request_slots = spent.give_slots_up();
  }

  const Chain& chain() const noexcept { return state_.chain; }

  orb::Verdict arrived() noexcept final {
    return guarded([this] { return arrive(); });
  }
  orb::Verdict servant_found() noexcept final {
    return guarded([this] { return find_servant(); });
  }
  orb::Verdict replying(protocol::ReplyStatus status, cdr::Reader body) noexcept final {
    return guarded([&] {
      orb::Verdict verdict = reply(status, body);
      state_.reply_contexts.view();
      return verdict;
    });
  }

  orb::Verdict arrive() {
    for (const auto& each : chain().server) {
      if (!concerns(depth_)) {
        ++depth_;
        continue;
      }
      state_.point = Point::receive_request_service_contexts;
      const OwnSlots own(chain());
      orb::Verdict verdict = run_point(true, [&] { each->receive_request_service_contexts(info_); });
      if (!verdict.goes_on()) return verdict;
      ++depth_;
    }
    state_.point = Point::none;
    if (chain().slot_count != 0) {
      handed_ = state_.request_slots;
      std::swap(state_.request_slots, chain().thread_slots());
      serving_ = true;
      thread_ = std::this_thread::get_id();
    }
    state_.with_thread = true;
    return {};
  }

  virtual orb::Verdict find_servant() {
    // With MAIN_THREAD_MODEL this is not the thread that has read the request.
    if (serving_ && std::this_thread::get_id() != thread_) {
      std::swap(handed_, chain().thread_slots());
      elsewhere_ = true;
    }
    state_.frame = poa::current_frame;
    if (chain().known.has_operations() && state_.frame != nullptr) {
      state_.signature = chain().known.operation(state_.frame->servant->_most_derived_id(), operation);
      if (state_.signature != nullptr) state_.request = arguments;
    }
    state_.point = Point::receive_request;
    for (std::size_t i = 0; i < chain().server.size(); ++i) {
      if (!concerns(i)) continue;
      orb::Verdict verdict = run_point(true, [&] { chain().server[i]->receive_request(info_); });
      if (!verdict.goes_on()) return verdict;
    }
    state_.point = Point::none;
    return {};
  }

  virtual orb::Verdict reply(protocol::ReplyStatus status, const cdr::Reader& body) {
    state_.body = &body;
    read_outcome(status, body);
    orb::Verdict last;
    while (depth_ != 0) {
      PortableInterceptor::ServerRequestInterceptor& each = *chain().server[--depth_];
      if (!concerns(depth_)) continue;
      state_.point = ending_point();
      orb::Verdict verdict = run_point(state_.point != Point::send_reply, [&] {
        switch (state_.point) {
          case Point::send_reply: return each.send_reply(info_);
          case Point::send_exception: return each.send_exception(info_);
          default: return each.send_other(info_);
        }
      });
      if (verdict.goes_on()) continue;
      state_.apply(verdict);
      last = std::move(verdict);
    }
    state_.point = Point::none;
    state_.frame = nullptr;
    state_.body = nullptr;
    give_servants_thread_its_slots();
    return last;
  }

  ServerState state_;

 private:
  std::unique_ptr<WatchedRequest> go_on_with(std::unique_ptr<protocol::IncomingCall> taken) noexcept override;

  void give_thread_its_slots() {
    if (std::exchange(serving_, false)) std::swap(state_.request_slots, chain().thread_slots());
  }
  void give_servants_thread_its_slots() {
    if (std::exchange(elsewhere_, false)) std::swap(handed_, chain().thread_slots());
  }
  /// Returns the request's slots, as the servant has left them, and gives this thread its own slots back. On the servant's thread.
  Slots give_slots_up() {
    if (elsewhere_) {
      give_servants_thread_its_slots();
      return std::move(handed_);
    }
    give_thread_its_slots();
    return std::move(state_.request_slots);
  }

  std::span<const protocol::ServiceContext> reply_contexts() noexcept override {
    return state_.reply_contexts.seen();
  }

  void read_outcome(protocol::ReplyStatus status, const cdr::Reader& body) {
    switch (status) {
      case protocol::ReplyStatus::no_exception: state_.status = PortableInterceptor::SUCCESSFUL; break;
      case protocol::ReplyStatus::user_exception:
        state_.status = PortableInterceptor::USER_EXCEPTION;
        state_.error = errors::unlisted_user_exception.with(Completion::yes);
        break;
      case protocol::ReplyStatus::system_exception: {
        cdr::Reader in(body);
        state_.apply({cdr::read_system_exception(in).error, nullptr});
        break;
      }
      case protocol::ReplyStatus::location_forward:
      case protocol::ReplyStatus::location_forward_perm:
      case protocol::ReplyStatus::needs_addressing_mode: {
        cdr::Reader in(body);
        ior::Ior to;
        ior::read_ior(in, to);
        state_.apply({{}, orb().reference(std::move(to))});
        break;
      }
    }
  }

  Point ending_point() const noexcept {
    switch (state_.status) {
      case PortableInterceptor::SUCCESSFUL: return Point::send_reply;
      case PortableInterceptor::SYSTEM_EXCEPTION:
      case PortableInterceptor::USER_EXCEPTION: return Point::send_exception;
      default: return Point::send_other;
    }
  }

  bool concerns(std::size_t place) const noexcept { return chain().server_modes.concern(place, local_); }

  CORBA::object_reference<ServerRequestInfo> info_;
  const bool local_;       // the caller is in this process; false where no interceptor asks for that
  std::size_t depth_ = 0;  // interceptors whose starting point returned
  std::thread::id thread_;
  Slots handed_;            // the request's slots, copied for another thread; meanwhile that thread's own
  bool serving_ = false;    // this thread's slots are the request's, and its own are in the state
  bool elsewhere_ = false;  // the servant's thread has `handed_`
};

/// A request that has left its upcall. Its points run on the thread that completes it.
class TakenRequest final : public ServedRequest {
 public:
  /// `id`: a copy of the frame's.
  TakenRequest(ServedRequest& spent, std::unique_ptr<protocol::IncomingCall> taken, const poa::Frame* frame,
               poa::ObjectId id)
      : ServedRequest(spent, *taken), orb_(&orb()), taken_(std::move(taken)) {
    if (frame != nullptr) state_.frame = &kept_.emplace(*frame, std::move(id)).frame;
  }

 private:
  /// What the points can see of the object: the frame of the upcall without its servant.
  struct KeptFrame {
    KeptFrame(const poa::Frame& of, poa::ObjectId its_id) : poa(of.poa), id(std::move(its_id)) {}

    const Ref<poa::Poa> poa;
    const poa::ObjectId id;
    const poa::Frame frame{poa.get(), nullptr, nullptr, id, nullptr};
  };
  /// While one exists, this thread works for the request's ORB and has the request's slots.
  class OnThisThread {
   public:
    explicit OnThisThread(TakenRequest& of) : of_(of), scope_(of.orb()) { swap_slots(); }
    ~OnThisThread() { swap_slots(); }
    OnThisThread(const OnThisThread&) = delete;
    OnThisThread& operator=(const OnThisThread&) = delete;

   private:
    void swap_slots() {
      if (of_.chain().slot_count != 0) std::swap(of_.state_.request_slots, of_.chain().thread_slots());
    }
    TakenRequest& of_;
    const orb::OrbScope scope_;
  };

  [[gnu::cold]] orb::Verdict find_servant() override {
    const OnThisThread here(*this);
    return ServedRequest::find_servant();
  }

  [[gnu::cold]] orb::Verdict reply(protocol::ReplyStatus status, const cdr::Reader& body) override {
    const auto interceptors = keep_interceptors(orb());
    if (interceptors == nullptr) return {};
    const OnThisThread here(*this);
    return ServedRequest::reply(status, body);
  }

  const Ref<orb::Orb> orb_;
  const std::unique_ptr<protocol::IncomingCall> taken_;
  std::optional<KeptFrame> kept_;
};

std::unique_ptr<orb::WatchedRequest> ServedRequest::go_on_with(
    std::unique_ptr<protocol::IncomingCall> taken) noexcept {
  const poa::Frame* const frame = state_.frame;
  std::unique_ptr<orb::WatchedRequest> made;
  static_cast<void>(run_point(false, [&] {
    // What may fail comes before anything of this request is moved.
    poa::ObjectId id;
    if (frame != nullptr) id.assign(frame->id.begin(), frame->id.end());
    made = std::make_unique<TakenRequest>(*this, std::move(taken), frame, std::move(id));
  }));
  return made;
}

class Entry final : public orb::RequestEntry {
 public:
  Entry(orb::Orb& orb, std::shared_ptr<const Chain> chain) : orb_(orb), chain_(std::move(chain)) {}
  void upcall(protocol::IncomingCall& call) noexcept override {
    try {  // around both, since an std::optional of it would be cleared first; serve() throws nothing
      ServedRequest request(orb_, *chain_, call);
      request.serve();
    } catch (...) {
      poa::refuse(call, verdict_of_current_exception(false).error);
    }
  }

 private:
  orb::Orb& orb_;
  const std::shared_ptr<const Chain> chain_;
};

}  // namespace

std::unique_ptr<orb::RequestEntry> make_request_observer(orb::Orb& orb, std::shared_ptr<const Chain> chain) {
  return std::make_unique<Entry>(orb, std::move(chain));
}

}  // namespace tenon::dynamic
