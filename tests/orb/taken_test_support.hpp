// SPDX-License-Identifier: Apache-2.0
//
// A servant whose calls are taken out of their upcalls, and who calls it.
#pragma once

#include <chrono>
#include <deque>

#include "base/minor_codes.hpp"
#include "protocol/incoming_call.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {

using Call = std::unique_ptr<protocol::IncomingCall>;

inline const std::string timed_out = text_of(errors::reply_timed_out.with(Completion::maybe));

/// Takes every call of hold(), hold_note(), echo() and fail() out of its upcall.
class TakingServant final : public TestServant {
 public:
  explicit TakingServant(CORBA::ORB& its_orb) : TestServant(its_orb), orb(its_orb) { _serve(taking, this); }

  void noop() override {
    if (complete_in_noop) finish(next(), 1);
  }
  /// The next call that was taken, in order; null: none came in time.
  Call next(std::chrono::milliseconds within = std::chrono::seconds(30)) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, within, [this] { return !calls_.empty(); })) return nullptr;
    Call call = std::move(calls_.front());
    calls_.pop_front();
    return call;
  }
  /// Answers what hold() is to answer, and more.
  static void finish(Call call, std::int32_t more = 0) {
    ASSERT_NE(call, nullptr);
    const auto number = call->arguments.get<std::int32_t>();
    call->begin_reply(protocol::ReplyStatus::no_exception).put(number + more);
    EXPECT_TRUE(call->finish_reply());
    EXPECT_TRUE(call->replied());
  }

  CORBA::ORB& orb;
  std::function<void(TakingServant&)> after_take;  ///< still inside the upcall; set while none runs
  std::atomic<bool> complete_in_noop{false};
  std::atomic<int> upcalls_left{0};

 private:
  bool take(gen::Upcall& call) {
    const std::string_view name = call.operation();
    if (name != "hold" && name != "hold_note" && name != "echo" && name != "fail")
      return gen::dispatch_inherited<CORBA::servant_traits<Suite::Test>::base_type>(*this, call);
    Call taken = call.incoming().take();
    EXPECT_NE(taken, nullptr);
    EXPECT_TRUE(call.incoming().replied());
    {
      const std::lock_guard lock(mutex_);
      calls_.push_back(std::move(taken));
      changed_.notify_all();
    }
    if (after_take) after_take(*this);
    ++upcalls_left;
    return true;
  }
  static const gen::Skeleton taking;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Call> calls_;
};

inline const gen::Skeleton TakingServant::taking{_skeleton.ids, _skeleton.numbering, _skeleton.heir_of,
                                                 [](void* self, gen::Upcall& call, const gen::Skeleton&) {
                                                   return static_cast<TakingServant*>(self)->take(call);
                                                 }};

using TakingRef = CORBA::servant_reference<TakingServant>;

class Taken : public World {
 protected:
  void SetUp() override { start(); }
  void TearDown() override {
    test_ = nullptr;
    World::TearDown();
  }
  void start(const Words& options = {}) {
    pair = std::make_unique<Pair>(GetParam(), options, options);
    servant_ = CORBA::make_reference<TakingServant>(pair->server());
    test_ = pair->at_client(tenon::publish<Suite::Test_skeleton>(pair->server_orb->ref(), servant_));
  }
  bool is_collocated() const { return GetParam().protocol == "collocated"; }

  TakingRef servant_;
  TestRef test_;
};

}  // namespace tenon::suite
