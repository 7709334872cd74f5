// SPDX-License-Identifier: Apache-2.0
//
// For tests of adapters and skeletons: a request that has no connection and keeps its reply, and a servant that counts.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cdr/exception_body.hpp"
#include "poa/refuse.hpp"
#include "poa/whole_adapter.hpp"

namespace tenon::poa::test {

class FakeCall final : public protocol::IncomingCall {
 public:
  FakeCall(std::string operation_name, Octets key) : name_(std::move(operation_name)), key_(std::move(key)) {
    operation = name_;
    object_key = key_;
    arguments = cdr::Reader(request.bytes(), request.format());
  }
  /// After arguments have been written into `request`.
  FakeCall& with_arguments() {
    arguments = cdr::Reader(request.bytes(), request.format());
    return *this;
  }

  ByteView context(std::uint32_t) const noexcept override { return {}; }
  cdr::Writer& begin_reply(protocol::ReplyStatus with) override {
    status = with;
    reply.reset(reply.format());
    return reply;
  }
  Status finish_reply() override {
    ++replies;
    return reply.error();
  }
  bool replied() const noexcept override { return replies != 0; }
  void detach() override {}
  std::unique_ptr<protocol::IncomingCall> take() override { return nullptr; }

  /// The exception in the reply; none when it carries another status.
  Error error() const {
    if (replies != 1 || status != protocol::ReplyStatus::system_exception) return {};
    cdr::Reader in(reply.bytes(), reply.format());
    return cdr::read_system_exception(in).error;
  }
  bool succeeded() const noexcept { return replies == 1 && status == protocol::ReplyStatus::no_exception; }

  cdr::Writer request;
  cdr::Writer reply;
  protocol::ReplyStatus status = protocol::ReplyStatus::needs_addressing_mode;
  int replies = 0;

 private:
  std::string name_;
  Octets key_;
};

/// Replies without results, after doing what the test asks for. Starts with one reference, of its maker.
class CountingServant final : public Servant {
 public:
  struct Counts {
    std::atomic<int> calls{0};
    std::atomic<int> running{0};
    std::atomic<int> most_running{0};
    std::atomic<int> destroyed{0};
    std::atomic<int> destroyed_while_running{0};
  };
  explicit CountingServant(Counts& counts, std::function<void(protocol::IncomingCall&)> body = {})
      : counts_(counts), body_(std::move(body)) {}

  void upcall(protocol::IncomingCall& call) override {
    const int now = counts_.running.fetch_add(1) + 1;
    mine_.fetch_add(1);
    int most = counts_.most_running.load();
    while (now > most && !counts_.most_running.compare_exchange_weak(most, now)) {}
    ++counts_.calls;
    if (body_) body_(call);
    if (!call.replied()) {
      call.begin_reply(protocol::ReplyStatus::no_exception);
      static_cast<void>(call.finish_reply());
    }
    mine_.fetch_sub(1);
    counts_.running.fetch_sub(1);
  }
  Implemented _implemented() const noexcept override { return {"IDL:Test/Counting:1.0\0"}; }
  void _hold() noexcept override { references_.fetch_add(1); }
  void _drop() noexcept override {
    if (references_.fetch_sub(1) == 1) delete this;
  }

 private:
  ~CountingServant() {
    if (mine_.load() != 0) ++counts_.destroyed_while_running;
    ++counts_.destroyed;
  }

  Counts& counts_;
  std::function<void(protocol::IncomingCall&)> body_;
  std::atomic<int> references_{1};
  std::atomic<int> mine_{0};
};

/// A servant whose only reference is the one returned here.
inline Ref<CountingServant> make_servant(CountingServant::Counts& counts,
                                         std::function<void(protocol::IncomingCall&)> body = {}) {
  return Ref<CountingServant>::adopt(new CountingServant(counts, std::move(body)));
}

/// An adapter that ends with the test.
struct Adapter {
  Ref<WholeAdapter> root = make_ref<WholeAdapter>();
  Ref<WholePoa> poa = *root->root_poa();

  Adapter() {
    enable_thread_policies();
    static_cast<void>(poa->manager().activate());
  }
  ~Adapter() { root->shut_down(true); }

  Ref<WholePoa> child(std::string_view name, const Policies& policies) const {
    return *poa->create_child(name, Ref<Manager>(&poa->manager()), policies);
  }
  Error call(const Octets& key) const {
    FakeCall call("noop", key);
    root->upcall(call);
    return call.error();
  }
};

inline Octets octets(std::string_view text) { return Octets(text.begin(), text.end()); }

inline Policies user_ids() {
  Policies policies;
  policies.assignment = Assignment::user_id;
  return policies;
}
inline Policies persistent_ids() {
  Policies policies = user_ids();
  policies.lifespan = Lifespan::persistent;
  return policies;
}

}  // namespace tenon::poa::test
