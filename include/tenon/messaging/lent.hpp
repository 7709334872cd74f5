// SPDX-License-Identifier: Apache-2.0
//
// Arguments that an asynchronous call reads where they are, instead of taking a copy along (docs/messaging.md).
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace tenon {

namespace gen {
class PendingCall;
class StartedCall;
}  // namespace gen

/// Lends an argument to the next asynchronous call that this thread starts with it (tenon::async(), sendc_, sendp_):
///
///   const tenon::Lent lent(image, [&] { free_images.put(&image); });
///   auto stored = tenon::async(archive).store(image);
///
/// The ORB owns nothing of it: the argument must neither change nor end until `returned` has been called. That is done once, whatever
/// becomes of the call, and never under a lock:
///  - on a thread of the ORB, one of those that run reply handlers, when the call is over, before its reply or exception is there for
///    anybody. The call may be sent again until then, elsewhere (forwards, connections that close);
///  - on the calling thread, when the call could not be started, before that raises;
///  - where this object is destroyed, when no such call has taken the argument. Synchronous calls and oneways take none: they have sent it,
///    or have copied it to be sent later, when they return.
/// `returned` may make calls, and holds up the outcome of its own call for as long as it runs. What it throws is dropped, with a warning in
/// the log.
///
/// An argument is known by its address, so it is a variable that an `in` parameter refers to. One that is passed by value (numbers, enums,
/// references) or goes both ways is copied all the same. An automatic variable of one thread, which ends before those that were there before
/// it; where a coroutine may wait in its scope, a call has taken the argument before that. May throw std::bad_alloc.
class Lent {
 public:
  template <typename T>
  Lent(const T& argument, std::function<void()> returned)
      : Lent(std::move(returned), std::addressof(argument)) {}
  template <typename T>
  Lent(const T&& argument, std::function<void()> returned) = delete;  // it ends too soon
  ~Lent();
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  /// Whether a call has taken the argument.
  bool taken() const noexcept { return argument_ == nullptr; }

 private:
  friend class gen::StartedCall;

  Lent(std::function<void()>&& returned, const void* argument) noexcept;
  /// True: the argument is lent, to this call from now on.
  static bool take(const void* argument, gen::PendingCall& call);
  void leave() noexcept;

  const void* argument_;
  std::function<void()> returned_;
  Lent* outer_;  // this thread's, before this one
};

}  // namespace tenon
