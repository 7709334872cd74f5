// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous calls, typed: what tenon-idl --ami generates calls start_call() and returns a Reply. A program awaits the Reply in a
// coroutine, turns it into a std::future, gives it a function to run, or asks it now and then (docs/messaging.md).
//
// A Reply belongs to one thread at a time. What follows a call runs on a thread of the ORB (-ORBCompletionThreads).
#pragma once

#include <array>
#include <chrono>
#include <coroutine>
#include <future>
#include <memory>
#include <tuple>

#include "mapping/cpp11/messaging/started_call.hpp"

namespace tenon {

template <typename T>
class Reply;

namespace gen {

/// Begins a call of operation `which` of the interface. `arguments`: the address of each in and inout parameter; they are copied.
template <typename T>
Reply<T> start_call(CORBA::Object& self, const AsyncInterface& interface, unsigned which,
                    const void* const* arguments) {
  return Reply<T>(start_call(self, interface, which, arguments));
}

/// The addresses where a reply's results go: that of the single result, or of each member of a tuple.
template <typename T>
std::array<void*, 1> addresses_of(T& result) noexcept {
  return {&result};
}
template <typename... T>
std::array<void*, sizeof...(T)> addresses_of(std::tuple<T...>& results) noexcept {
  return std::apply([](T&... each) { return std::array<void*, sizeof...(T)>{&each...}; }, results);
}

/// Specialised by generated code: the class with the asynchronous calls of an interface.
template <typename Interface>
struct AsyncOf;

}  // namespace gen

/// The outcome of a call, once it is there: its results, or what it raises. The call goes on even if this is destroyed.
/// T: void, the one result, or a std::tuple of the return value, inout and out parameters in order.
template <typename T>
class [[nodiscard]] Reply {
 public:
  explicit Reply(Ref<gen::StartedCall> call) noexcept : call_(std::move(call)) {}

  bool ready() const { return call_->ready(); }
  template <typename Rep, typename Period>
  bool wait_for(std::chrono::duration<Rep, Period> time) const {
    return call_->wait_until(Deadline::after_ns(std::chrono::nanoseconds(time).count()));
  }
  /// Waits, and moves the results out, or raises. May be called once.
  T get() {
    call_->wait_until(Deadline::never());
    call_->rethrow();
    if constexpr (!std::is_void_v<T>) {
      T results{};
      call_->take_results(gen::addresses_of(results).data());
      return results;
    }
  }
  /// The call ends soon, with TRANSIENT (minor OMG 3) unless its reply has come. The server may execute it nevertheless.
  void cancel() noexcept { call_->cancel(); }

  /// `handler(reply)` runs when the reply is there, on a thread of the ORB, or here if it is there already. It must not throw.
  template <typename Handler>
  void then(Handler handler) && {
    gen::StartedCall& call = *call_;
    auto shared = std::make_shared<Handler>(std::move(handler));
    if (!call.when_ready([call = call_, shared] { (*shared)(Reply(call)); })) (*shared)(Reply(call_));
  }

  operator std::future<T>() && {  // NOLINT(google-explicit-constructor): that is the point
    auto promise = std::make_shared<std::promise<T>>();
    std::future<T> future = promise->get_future();
    std::move(*this).then([promise](Reply reply) {
      try {
        if constexpr (std::is_void_v<T>) {
          reply.get();
          promise->set_value();
        } else {
          promise->set_value(reply.get());
        }
      } catch (...) {
        promise->set_exception(std::current_exception());
      }
    });
    return future;
  }

  // co_await: the coroutine goes on when the reply is there, on a thread of the ORB unless it was there already.
  bool await_ready() const { return ready(); }
  bool await_suspend(std::coroutine_handle<> waiting) {
    // The coroutine may go on, and end this object, before when_ready() returns.
    const Ref<gen::StartedCall> call = call_;
    return call->when_ready([waiting] { waiting.resume(); });
  }
  T await_resume() { return get(); }

 private:
  Ref<gen::StartedCall> call_;
};

/// The asynchronous calls of an object's interface: co_await tenon::async(calculator).add(1, 2).
template <typename Interface>
typename gen::AsyncOf<Interface>::type async(const CORBA::object_reference<Interface>& object) {
  return typename gen::AsyncOf<Interface>::type(object);
}

}  // namespace tenon
