// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client that does not wait for its calls, against the servers of echo.idl: many calls outstanding, replies in another order,
// cancelled calls, time-outs, forwards, large messages, and at last the death of the server. How long a call takes is up to the
// callbacks of this program, which the servers call: no check depends on a clock.
//
// Threads: main, and those of the ORB.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>

#include <tenon/portable_server.hpp>
#include <tenon/timeout.hpp>

#include "slow_async.hpp"
#include "slow_skel.hpp"
#include "tests/interop/tenon/program.hpp"
#include "tests/interop/tenon/report.hpp"

namespace {

using namespace Interop;
using namespace std::chrono_literals;
using checks::check;

using EchoRef = IDL::traits<Echo>::ref_type;
using CallbackRef = IDL::traits<Callback>::ref_type;
using BaseRef = IDL::traits<Base>::ref_type;
using HolderRef = CORBA::valuetype_reference<Messaging::ExceptionHolder>;
using StringReply = tenon::Reply<std::string>;

constexpr auto long_enough = 60s;

/// Holds calls whose text begins with "hold" until the check lets them go, each by its own text.
class Listener final : public CORBA::servant_traits<Callback>::base_type {
 public:
  std::string said(const std::string& text) override {
    if (text == "refuse") throw Plain();
    std::unique_lock lock(mutex_);
    if (text.starts_with("hold")) {
      held_.push_back(text);
      changed_.notify_all();
      changed_.wait_for(lock, long_enough, [&] { return all_may_go_ || may_go_ == text; });
    }
    return "client heard " + text;
  }
  void noted(std::int32_t) override {}
  std::uint32_t notes() override { return 0; }

  bool wait_for_held(const std::string& text) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, long_enough,
                             [&] { return std::find(held_.begin(), held_.end(), text) != held_.end(); });
  }
  bool wait_for_any() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, long_enough, [&] { return !held_.empty(); });
  }
  void hold_again() {
    const std::lock_guard lock(mutex_);
    all_may_go_ = false;
    may_go_.clear();
    held_.clear();
  }
  void let_go(const std::string& text) {
    const std::lock_guard lock(mutex_);
    may_go_ = text;
    changed_.notify_all();
  }
  void let_all_go() {
    const std::lock_guard lock(mutex_);
    all_may_go_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> held_;
  std::string may_go_;
  bool all_may_go_ = false;
};

std::string name_and_status(const CORBA::SystemException& e) {
  constexpr const char* statuses[] = {"YES", "NO", "MAYBE"};
  return std::string(e._name()) + " " + statuses[static_cast<int>(e.completed())];
}

/// How a call ended: what it returned, or which exception it raised.
std::string ending_of(StringReply& reply) {
  if (!reply.wait_for(long_enough)) return "does not end";
  try {
    return reply.get();
  } catch (const CORBA::SystemException& e) {
    return name_and_status(e);
  } catch (const Plain&) {
    return "Plain";
  }
}

std::string want(const std::string& got, const std::string& wanted) {
  return got == wanted ? "" : got + ", not " + wanted;
}

void many_calls(const EchoRef& echo, const CallbackRef& mine, Listener& servant) {
  check("slow_hundred_outstanding", [&]() -> std::string {
    servant.hold_again();
    constexpr int calls = 100;
    std::vector<StringReply> replies;
    for (int i = 0; i < calls; ++i)
      replies.emplace_back(tenon::async(echo).call_back(mine, "hold " + std::to_string(i)));
    if (!servant.wait_for_any()) return "no call arrives";
    const auto outstanding =
        std::count_if(replies.begin(), replies.end(), [](StringReply& each) { return !each.ready(); });
    servant.let_all_go();
    for (int i = 0; i < calls; ++i) {
      const std::string wrong =
          want(ending_of(replies[static_cast<std::size_t>(i)]), "client heard hold " + std::to_string(i));
      if (!wrong.empty()) return "call " + std::to_string(i) + ": " + wrong;
    }
    return outstanding == calls ? "" : std::to_string(outstanding) + " were outstanding";
  });
  check("slow_exceptions", [&] {
    auto reply = StringReply(tenon::async(echo).call_back(mine, "refuse"));
    return want(ending_of(reply), "Plain");
  });
}

/// Writes down what becomes of calls.
class Replies final : public CORBA::servant_traits<AMI_EchoHandler>::base_type {
 public:
  /// Sorted; those that there are after long enough.
  std::vector<std::string> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, long_enough, [&] { return told_.size() >= count; });
    std::vector<std::string> all = std::exchange(told_, {});
    std::sort(all.begin(), all.end());
    return all;
  }

  void noop() override { tell("noop"); }
  void call_back(const std::string& said) override { tell(said); }
  void make_blob(const OctetSeq& blob) override { tell(std::to_string(blob.size())); }
  void sum_blob(std::uint64_t sum) override { tell(std::to_string(sum)); }
  void forwarded(BaseRef) override { tell("forwarded"); }
  void gone(BaseRef) override { tell("gone"); }
  void noop_excep(HolderRef holder) override { raised(holder); }
  void call_back_excep(HolderRef holder) override { raised(holder); }
  void make_blob_excep(HolderRef holder) override { raised(holder); }
  void sum_blob_excep(HolderRef holder) override { raised(holder); }
  void forwarded_excep(HolderRef holder) override { raised(holder); }
  void gone_excep(HolderRef holder) override { raised(holder); }

 private:
  void tell(std::string text) {
    const std::lock_guard lock(mutex_);
    told_.push_back(std::move(text));
    changed_.notify_all();
  }
  void raised(const HolderRef& holder) {
    try {
      holder->raise_exception();
    } catch (const CORBA::SystemException& e) {
      tell(name_and_status(e));
    } catch (const Plain&) {
      tell("Plain");
    }
  }

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::string> told_;
};

std::string want_all(const std::vector<std::string>& got, const std::vector<std::string>& wanted) {
  if (got == wanted) return "";
  std::string all = std::to_string(got.size()) + " replies:";
  for (const std::string& each : got) all += " '" + each + "'";
  return all;
}

void handlers(const EchoRef& echo, const CallbackRef& mine, Listener& servant) {
  check("slow_handlers", [&]() -> std::string {
    servant.hold_again();
    const auto replies = CORBA::make_reference<Replies>();
    const auto handler = replies->_this();
    std::vector<std::string> wanted;
    for (char each = 'a'; each < 'u'; ++each) {
      echo->sendc_call_back(handler, mine, std::string("hold ") + each);
      wanted.push_back(std::string("client heard hold ") + each);
    }
    if (!servant.wait_for_any()) return "no call arrives";
    servant.let_all_go();
    std::string wrong = want_all(replies->wait_for(wanted.size()), wanted);
    if (!wrong.empty()) return wrong;
    echo->sendc_call_back(handler, mine, "refuse");
    echo->sendc_make_blob(handler, 1000);
    echo->sendc_noop(handler);
    return want_all(replies->wait_for(3), {"1000", "Plain", "noop"});
  });
  check("slow_pollers", [&]() -> std::string {
    servant.hold_again();
    auto poller = echo->sendp_call_back(mine, "hold polled");
    if (!servant.wait_for_held("hold polled")) return "the call does not arrive";
    std::string said;
    try {
      poller->call_back(0, said);
      return "ready too early";
    } catch (const CORBA::NO_RESPONSE&) {
      // as it should be
    }
    servant.let_all_go();
    poller->call_back(60'000, said);
    std::string wrong = want(said, "client heard hold polled");
    try {
      echo->sendp_call_back(mine, "refuse")->call_back(60'000, said);
      return wrong + " nothing was raised";
    } catch (const Plain&) {
      return wrong;
    }
  });
}

void order(const EchoRef& echo, const CallbackRef& mine, Listener& servant) {
  check("slow_replies_in_another_order", [&]() -> std::string {
    servant.hold_again();
    auto first = StringReply(tenon::async(echo).call_back(mine, "hold first"));
    if (!servant.wait_for_held("hold first")) return "the first call does not arrive";
    auto second = StringReply(tenon::async(echo).call_back(mine, "hold second"));
    if (!servant.wait_for_held("hold second")) return "the second call does not arrive";
    auto third = StringReply(tenon::async(echo).call_back(mine, "quick"));
    std::string wrong = want(ending_of(third), "client heard quick");
    servant.let_go("hold second");
    if (wrong.empty()) wrong = want(ending_of(second), "client heard hold second");
    if (first.ready()) wrong += " the first has ended early";
    servant.let_all_go();
    return wrong.empty() ? want(ending_of(first), "client heard hold first") : wrong;
  });
}

void given_up(const EchoRef& echo, const CallbackRef& mine, Listener& servant) {
  check("slow_cancelled", [&]() -> std::string {
    servant.hold_again();
    auto reply = StringReply(tenon::async(echo).call_back(mine, "hold cancelled"));
    if (!servant.wait_for_held("hold cancelled")) return "the call does not arrive";
    reply.cancel();
    const std::string wrong = want(ending_of(reply), "TRANSIENT MAYBE");
    servant.let_all_go();
    echo->noop();
    return wrong;
  });
  check("slow_time_out", [&]() -> std::string {
    servant.hold_again();
    std::vector<StringReply> replies;
    {
      const tenon::TimeoutScope brief(200ms);
      for (int i = 0; i < 10; ++i)
        replies.emplace_back(tenon::async(echo).call_back(mine, "hold late " + std::to_string(i)));
    }
    std::string wrong;
    for (StringReply& each : replies) wrong += want(ending_of(each), "TIMEOUT MAYBE");
    // The late replies belong to nobody, and calls go on.
    auto next = StringReply(tenon::async(echo).call_back(mine, "next"));
    servant.let_all_go();
    return wrong.empty() ? want(ending_of(next), "client heard next") : wrong;
  });
}

/// The server is still busy with the call that was given up, on the thread that reads its connection as a rule.
void behind_given_up(const EchoRef& echo, const CallbackRef& mine, Listener& servant) {
  check("slow_calls_behind_one_given_up", [&]() -> std::string {
    servant.hold_again();
    {
      const tenon::TimeoutScope brief(100ms);
      try {
        return echo->call_back(mine, "hold given up") + " came back";
      } catch (const CORBA::TIMEOUT&) {
        // as wanted
      }
    }
    std::string wrong;
    {
      const tenon::TimeoutScope enough(20s);
      try {
        for (int i = 0; i < 8; ++i) echo->noop();
      } catch (const CORBA::SystemException& e) {
        wrong = "then " + name_and_status(e);
      }
    }
    servant.let_all_go();
    return wrong;
  });
  check("slow_calls_behind_a_slow_one", [&]() -> std::string {
    servant.hold_again();
    auto slow = StringReply(tenon::async(echo).call_back(mine, "hold slow"));
    if (!servant.wait_for_held("hold slow")) return "the call does not arrive";
    std::vector<StringReply> quick;
    {
      const tenon::TimeoutScope enough(20s);
      for (int i = 0; i < 30; ++i) quick.emplace_back(tenon::async(echo).call_back(mine, "quick"));
    }
    std::string wrong;
    for (StringReply& each : quick) wrong += want(ending_of(each), "client heard quick");
    servant.let_all_go();
    return wrong.empty() ? want(ending_of(slow), "client heard hold slow") : wrong;
  });
}

void forwards_and_sizes(const EchoRef& echo, std::uint32_t bytes) {
  check("slow_forwarded", [&]() -> std::string {
    const auto passing = echo->forwarded();
    std::vector<StringReply> replies;
    for (int i = 0; i < 20; ++i) replies.emplace_back(tenon::async(passing).who());
    for (StringReply& each : replies) {
      const std::string wrong = want(ending_of(each), "diamond");
      if (!wrong.empty()) return wrong;
    }
    return "";
  });
  check("slow_gone", [&] {
    auto reply = StringReply(tenon::async(echo->gone()).who());
    return want(ending_of(reply), "OBJECT_NOT_EXIST NO");
  });
  check("slow_large_both_ways", [&]() -> std::string {
    OctetSeq blob(bytes, 1);
    auto sum = tenon::Reply<std::uint64_t>(tenon::async(echo).sum_blob(blob));
    auto made = tenon::Reply<OctetSeq>(tenon::async(echo).make_blob(bytes));
    auto small = tenon::Reply<OctetSeq>(tenon::async(echo).make_blob(3));
    if (small.get() != OctetSeq{7, 38, 69}) return "wrong small octets";
    if (sum.get() != bytes) return "wrong sum";
    const OctetSeq got = made.get();
    if (got.size() != bytes) return "length " + std::to_string(got.size());
    for (std::uint32_t i = 0; i < bytes; ++i) {
      if (got[i] != static_cast<std::uint8_t>((i * 31u + 7u) % 251u)) return "octet " + std::to_string(i);
    }
    return "";
  });
}

/// The last check: afterwards there is no server.
void death(const EchoRef& echo, const CallbackRef& mine, Listener& servant, int pid) {
  check("slow_server_dies", [&]() -> std::string {
    servant.hold_again();
    std::vector<StringReply> replies;
    for (int i = 0; i < 50; ++i)
      replies.emplace_back(tenon::async(echo).call_back(mine, "hold " + std::to_string(i)));
    if (!servant.wait_for_any()) return "no call arrives";
    kill(pid, SIGKILL);
    std::string wrong;
    for (StringReply& each : replies) wrong += want(ending_of(each), "COMM_FAILURE MAYBE");
    servant.let_all_go();
    // The system takes the server's connections away one after the other, and its listener, too.
    const auto limit = std::chrono::steady_clock::now() + long_enough;
    std::string after = "COMM_FAILURE MAYBE";
    while (after == "COMM_FAILURE MAYBE" && std::chrono::steady_clock::now() < limit) {
      auto reply = StringReply(tenon::async(echo).call_back(mine, "anybody"));
      after = ending_of(reply);
    }
    return wrong.empty() ? want(after, "TRANSIENT NO") : wrong;
  });
}

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  alarm(280);  // a client that hangs is a failure, not a guest
  for (const std::string& word :
       {std::string("-ORBListenEndpoints"), program::endpoint(options),
        // Callbacks of one connection are held side by side.
        std::string("-ORBServing"), std::string("pool"), std::string("-ORBPoolThreads"), std::string("8"),
        std::string("-ORBCallTimeout"), std::string("60000")}) {
    options.orb.push_back(word);
  }
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    const EchoRef echo =
        IDL::traits<Echo>::narrow(orb->string_to_object(program::read_reference(options.ior)));
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    const auto servant = CORBA::make_reference<Listener>();
    const CallbackRef mine = servant->_this();
    checks::select(options.only, options.skip);
    many_calls(echo, mine, *servant);
    handlers(echo, mine, *servant);
    order(echo, mine, *servant);
    given_up(echo, mine, *servant);
    behind_given_up(echo, mine, *servant);
    forwards_and_sizes(echo, options.big_bytes);
    if (options.server_pid != 0) death(echo, mine, *servant, options.server_pid);
    const int status = checks::summary();
    orb->destroy();
    return status;
  } catch (const CORBA::Exception& e) {
    std::printf("FAIL start %s\n", e.what());
    return 1;
  }
}
