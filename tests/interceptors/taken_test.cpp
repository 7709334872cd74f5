// SPDX-License-Identifier: Apache-2.0
//
// Requests that interceptors see and that are taken out of their upcall (IncomingCall::take()): their ending points run where they are
// completed. From another ORB, and in one process.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <thread>

#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "orb/server/refuse.hpp"
#include "protocol/incoming_call.hpp"
#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

using namespace std::chrono_literals;
using protocol::ReplyStatus;
using Call = std::unique_ptr<protocol::IncomingCall>;

/// Takes all calls of add(), refuse() and note(), which get its number for their slot.
class TakingTarget final : public CORBA::servant_traits<Spied::Target>::base_type {
 public:
  TakingTarget() { _serve(taking, this); }
  std::string who() override { return "taking"; }
  std::int32_t add(std::int32_t a, std::int32_t b) override { return a + b; }
  double scale(double by) override { return by; }
  void refuse() override {}
  void fail() override {}
  void note(std::int32_t) override {}
  std::int32_t noted() override { return 0; }
  std::int32_t exchange_slot(std::int32_t) override { return number_of(current->get_slot(0)); }
  std::string ask(TargetRef) override { return {}; }

  Call next() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, 30s, [this] { return !calls_.empty(); })) return nullptr;
    Call call = std::move(calls_.front());
    calls_.pop_front();
    return call;
  }

  CORBA::object_reference<Current> current;
  std::function<void(TakingTarget&)> after_take;
  std::atomic<std::thread::id> thread;  ///< of the last upcall

 private:
  bool take(gen::Upcall& call) {
    const std::string_view name = call.operation();
    if (name != "add" && name != "refuse" && name != "note")
      return gen::dispatch_inherited<CORBA::servant_traits<Spied::Target>::base_type>(*this, call);
    thread = std::this_thread::get_id();
    current->set_slot(0, number_in_any(number_of(current->get_slot(0), 0) + 1));
    Call taken = call.incoming().take();
    EXPECT_NE(taken, nullptr);
    EXPECT_TRUE(call.incoming().replied());
    EXPECT_FALSE(current->get_slot(0).has_value());  // the request has left with its slots
    {
      const std::lock_guard lock(mutex_);
      calls_.push_back(std::move(taken));
      changed_.notify_all();
    }
    if (after_take) after_take(*this);
    return true;
  }
  static const gen::Skeleton taking;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Call> calls_;
};

const gen::Skeleton TakingTarget::taking{_skeleton.ids, _skeleton.numbering, _skeleton.heir_of,
                                         [](void* self, gen::Upcall& call, const gen::Skeleton&) {
                                           return static_cast<TakingTarget*>(self)->take(call);
                                         }};

void answer(Call call) {
  ASSERT_NE(call, nullptr);
  const auto a = call->arguments.get<std::int32_t>();
  const auto b = call->arguments.get<std::int32_t>();
  call->begin_reply(ReplyStatus::no_exception).put(a + b);
  EXPECT_TRUE(call->finish_reply());
}

enum class From : std::uint8_t { other_orb, same_orb };

class Taken : public ::testing::TestWithParam<From> {
 protected:
  void SetUp() override {
    const auto spies_of_server = [this](ORBInitInfo& info) {
      info.add_server_request_interceptor(s1);
      info.add_server_request_interceptor(s2);
      slot = info.allocate_slot_id();
    };
    const auto spy_of_client = [this](ORBInitInfo& info) { info.add_client_request_interceptor(c); };
    const bool same = GetParam() == From::same_orb;
    server = make_orb(
        [&](ORBInitInfo& info) {
          spies_of_server(info);
          if (same) spy_of_client(info);
        },
        {"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBServing", "pool"});
    client = same ? server : make_orb(spy_of_client);
    servant = CORBA::make_reference<TakingTarget>();
    servant->current = current();
    target = at_client(tenon::publish(server, servant, "taking"));
    s1->code["contexts"] = [this](ServerRequestInfo& info) { info.set_slot(slot, number_in_any(10)); };
  }
  void TearDown() override {
    target = nullptr;
    servant = nullptr;
    if (client) client->destroy();
    if (server) server->destroy();
  }
  CORBA::object_reference<Current> current() {
    return IDL::traits<Current>::narrow(server->resolve_initial_references("PICurrent"));
  }
  TargetRef at_client(const CORBA::object_reference<CORBA::Object>& object) {
    return IDL::traits<Spied::Target>::unchecked_narrow(
        client->string_to_object(server->object_to_string(object)));
  }
  /// What the diary has of the server's side.
  Words server_points() {
    Words points = diary.take();
    std::erase_if(points, [](const std::string& each) { return each.starts_with("c."); });
    return points;
  }

  Diary diary;
  CORBA::object_reference<ClientSpy> c = CORBA::make_reference<ClientSpy>(diary, "c");
  CORBA::object_reference<ServerSpy> s1 = CORBA::make_reference<ServerSpy>(diary, "s1");
  CORBA::object_reference<ServerSpy> s2 = CORBA::make_reference<ServerSpy>(diary, "s2");
  OrbRef server, client;
  CORBA::servant_reference<TakingTarget> servant;
  TargetRef target;
  SlotId slot = 99;
};
INSTANTIATE_TEST_SUITE_P(All, Taken, ::testing::Values(From::other_orb, From::same_orb),
                         [](const auto& each) {
                           return std::string(each.param == From::same_orb ? "same_orb" : "other_orb");
                         });

const Words starts{"s1.contexts", "s2.contexts", "s1.receive_request", "s2.receive_request"};
Words and_then(Words more) {
  more.insert(more.begin(), starts.begin(), starts.end());
  return more;
}

TEST_P(Taken, EndsWithItsCompletionOnThatThread) {
  std::uint32_t begun_as = 0;
  s2->code["receive_request"] = [&](ServerRequestInfo& info) { begun_as = info.request_id(); };
  std::vector<std::thread::id> threads;
  s2->code["send_reply"] = [&](ServerRequestInfo& info) {
    threads.push_back(std::this_thread::get_id());
    EXPECT_EQ(info.request_id(), begun_as);
    EXPECT_EQ(info.operation(), "add");
    EXPECT_EQ(info.reply_status(), SUCCESSFUL);
    EXPECT_TRUE(info.response_expected());
    EXPECT_EQ(info.adapter_name(), AdapterName{"RootPOA"});
    EXPECT_FALSE(info.object_id().empty());
    EXPECT_FALSE(info.adapter_id().empty());
    EXPECT_EQ(info.get_request_service_context(there).context_data(), (CORBA::OctetSeq{1, 2}));
    EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { info.get_request_service_context(back); }),
              errors::no_such_service_context.minor);
    info.add_reply_service_context({back, {3}}, false);
  };
  c->code["send_request"] = [](ClientRequestInfo& info) {
    info.add_request_service_context({there, {1, 2}}, false);
  };
  c->code["receive_reply"] = [](ClientRequestInfo& info) {
    EXPECT_EQ(info.get_reply_service_context(back).context_data(), CORBA::OctetSeq{3});
  };
  std::thread other([&] { answer(servant->next()); });
  const std::thread::id completes = other.get_id();
  EXPECT_EQ(target->add(2, 40), 42);
  other.join();
  EXPECT_EQ(server_points(), and_then({"s2.send_reply", "s1.send_reply"}));
  EXPECT_EQ(threads, std::vector{completes});
}

TEST_P(Taken, EndsInItsUpcall) {
  servant->after_take = [](TakingTarget& taking) { answer(taking.next()); };
  s1->code["send_reply"] = [&](ServerRequestInfo&) {
    EXPECT_EQ(std::this_thread::get_id(), servant->thread.load());
  };
  EXPECT_EQ(target->add(2, 40), 42);
  EXPECT_EQ(server_points(), and_then({"s2.send_reply", "s1.send_reply"}));
}

// The request scope is the request's on whatever thread; that thread's own slots are as they were (§16.6.4).
TEST_P(Taken, BringsItsSlotsAlong) {
  std::vector<std::int32_t> seen;
  const auto see = [&](ServerRequestInfo& info) {
    seen.push_back(number_of(info.get_slot(slot)));
    seen.push_back(number_of(current()->get_slot(slot)));
    info.set_slot(slot, number_in_any(12));
  };
  s2->code["send_reply"] = see;
  s1->code["send_reply"] = see;
  std::thread other([&] {
    current()->set_slot(slot, number_in_any(5));
    answer(servant->next());
    EXPECT_EQ(number_of(current()->get_slot(slot)), 5);
  });
  EXPECT_EQ(target->add(2, 40), 42);
  other.join();
  EXPECT_EQ(seen, (std::vector<std::int32_t>{11, 11, 12, 12}));  // the servant has added one
  EXPECT_EQ(target->exchange_slot(0), 10);
  EXPECT_FALSE(current()->get_slot(slot).has_value());
}

TEST_P(Taken, EndsWithExceptions) {
  s1->code["send_exception"] = [&](ServerRequestInfo& info) {
    diary.note(info.reply_status() == USER_EXCEPTION ? "user" : "system");
  };
  c->code["receive_exception"] = [&](ClientRequestInfo& info) { diary.note(info.received_exception_id()); };
  std::thread other([&] {
    Call call = servant->next();
    cdr::Writer& out = call->begin_reply(ReplyStatus::user_exception);
    out.put_raw_string("IDL:Spied/Refused:1.0");
    out.put_string("not now");
    EXPECT_TRUE(call->finish_reply());
    call = servant->next();
    orb::refuse(*call, errors::no_thread_left.with(Completion::yes));
  });
  EXPECT_THROW(target->refuse(), Spied::Refused);
  EXPECT_EQ(server_points(),
            and_then({"s2.send_exception", "s1.send_exception", "user", "IDL:Spied/Refused:1.0"}));
  EXPECT_EQ(minor_of<CORBA::TRANSIENT>([&] { target->add(1, 1); }), errors::no_thread_left.minor);
  other.join();
  EXPECT_EQ(server_points(), and_then({"s2.send_exception", "s1.send_exception", "system",
                                       "IDL:omg.org/CORBA/TRANSIENT:1.0"}));
}

TEST_P(Taken, EndsWithAForward) {
  s1->code["send_other"] = [&](ServerRequestInfo& info) {
    EXPECT_EQ(info.reply_status(), LOCATION_FORWARD);
    EXPECT_TRUE(info.forward_reference());
  };
  const auto plain = CORBA::make_reference<TargetServant>(diary, "plain");
  const auto to = tenon::publish(server, plain, "plain");
  std::thread other([&] {
    const Call call = servant->next();
    ior::write_ior(call->begin_reply(ReplyStatus::location_forward), to->_reference()->ior());
    EXPECT_TRUE(call->finish_reply());
  });
  EXPECT_EQ(target->add(2, 40), 42);
  other.join();
  Words points = server_points();
  points.resize(6);
  EXPECT_EQ(points, and_then({"s2.send_other", "s1.send_other"}));
}

TEST_P(Taken, EndsAsItsInterceptorsWant) {
  s2->code["send_reply"] = [](ServerRequestInfo&) {
    throw CORBA::NO_PERMISSION(9, CORBA::CompletionStatus::COMPLETED_YES);
  };
  std::thread other([&] { answer(servant->next()); });
  EXPECT_EQ(minor_of<CORBA::NO_PERMISSION>([&] { target->add(1, 1); }), 9u);
  other.join();
  EXPECT_EQ(server_points(), and_then({"s2.send_reply", "s1.send_exception"}));
}

// An interceptor's own call at an ending point, on a thread that serves nothing.
TEST_P(Taken, LetsItsInterceptorsCall) {
  const auto plain = CORBA::make_reference<TargetServant>(diary, "plain");
  const TargetRef there_too = at_client(tenon::publish(server, plain, "plain"));
  s1->code["send_reply"] = [&](ServerRequestInfo& info) {
    if (info.operation() != "add") return;
    EXPECT_EQ(there_too->who(), "plain");
  };
  std::thread other([&] { answer(servant->next()); });
  EXPECT_EQ(target->add(1, 1), 2);
  other.join();
}

TEST_P(Taken, EndsAfterTheCallersTime) {
  {
    const TimeoutScope brief(100ms);
    EXPECT_THROW(target->add(1, 1), CORBA::TIMEOUT);
  }
  EXPECT_EQ(server_points(), starts);
  answer(servant->next());
  const Words late{"s2.send_reply", "s1.send_reply"};
  EXPECT_EQ(server_points(), late);
}

TEST_P(Taken, WithoutAnEnd) {
  {
    const TimeoutScope brief(100ms);
    EXPECT_THROW(target->add(1, 1), CORBA::TIMEOUT);
  }
  servant->next().reset();
  EXPECT_EQ(server_points(), starts);
}

TEST_P(Taken, Oneways) {
  target->note(3);
  const Call call = servant->next();
  EXPECT_EQ(call->arguments.get<std::int32_t>(), 3);
  EXPECT_FALSE(call->response_expected);
  static_cast<void>(call->begin_reply(ReplyStatus::no_exception));
  EXPECT_TRUE(call->finish_reply());
  EXPECT_EQ(server_points(), and_then({"s2.send_reply", "s1.send_reply"}));
}

TEST_P(Taken, Twice) {
  std::thread other([&] {
    Call first = servant->next();
    Call second = first->take();
    first.reset();
    answer(std::move(second));
  });
  EXPECT_EQ(target->add(1, 1), 2);
  other.join();
  EXPECT_EQ(server_points(), and_then({"s2.send_reply", "s1.send_reply"}));
}

// Behind the end of the ORB no point runs: the interceptors have been told of it.
TEST_P(Taken, BeyondTheEndOfTheOrb) {
  target->note(3);
  const Call call = servant->next();
  target = nullptr;
  client->destroy();
  server->destroy();
  EXPECT_EQ(server_points(), starts);
  static_cast<void>(call->begin_reply(ReplyStatus::no_exception));
  static_cast<void>(call->finish_reply());
  EXPECT_EQ(server_points(), Words{});
}

TEST_P(Taken, OnTheMainThread) {
  const auto root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  const auto poa = root->create_POA(
      "main", root->the_POAManager(),
      {PortableServer::POA::create_thread_policy(PortableServer::ThreadPolicyValue::MAIN_THREAD_MODEL)});
  const TargetRef at_main = at_client(poa->id_to_reference(poa->activate_object(servant)));
  std::vector<std::int32_t> seen;
  s1->code["send_reply"] = [&](ServerRequestInfo& info) {
    EXPECT_EQ(info.adapter_name(), (AdapterName{"RootPOA", "main"}));
    seen.push_back(number_of(info.get_slot(slot)));
  };
  std::thread main([&] { server->run(); });
  std::thread other([&] {
    answer(servant->next());
    answer(servant->next());
  });
  EXPECT_EQ(at_main->add(1, 1), 2);
  EXPECT_EQ(at_main->add(2, 2), 4);
  other.join();
  server->shutdown(false);
  main.join();
  EXPECT_EQ(seen, (std::vector<std::int32_t>{11, 11}));
}

/// For the thread sanitizer.
TEST_P(Taken, OfManyThreadsAtOnce) {
  constexpr int callers = 4, each = 50;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < callers * each / 2; ++i) answer(servant->next());
    });
  }
  for (int t = 0; t < callers; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) EXPECT_EQ(target->add(t, i), t + i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tenon::spied
