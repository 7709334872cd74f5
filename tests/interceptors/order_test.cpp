// SPDX-License-Identifier: Apache-2.0
//
// Which interception points run, in which order, and what interceptors that raise or redirect bring about (CORBA 3.4 part 1 §16.3).
#include <algorithm>

#include "base/hex.hpp"
#include "base/minor_codes.hpp"
#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

class Order : public Spies {};

TEST_F(Order, OfAnOrdinaryCall) {
  start();
  EXPECT_EQ(target->add(2, 40), 42);
  const Words expected{"c1.send_request",    "c2.send_request",    "s1.contexts",     "s2.contexts",
                       "s1.receive_request", "s2.receive_request", "servant",         "s2.send_reply",
                       "s1.send_reply",      "c2.receive_reply",   "c1.receive_reply"};
  EXPECT_EQ(diary.take(), expected);
}

TEST_F(Order, OfUserAndSystemExceptions) {
  start();
  s1->code["send_exception"] = [&](ServerRequestInfo& info) {
    diary.note(info.reply_status() == USER_EXCEPTION ? "user" : "system");
  };
  c1->code["receive_exception"] = [&](ClientRequestInfo& info) { diary.note(info.received_exception_id()); };
  EXPECT_THROW(target->refuse(), Spied::Refused);
  const Words refused{"c1.send_request",      "c2.send_request",      "s1.contexts",
                      "s2.contexts",          "s1.receive_request",   "s2.receive_request",
                      "s2.send_exception",    "s1.send_exception",    "user",
                      "c2.receive_exception", "c1.receive_exception", "IDL:Spied/Refused:1.0"};
  EXPECT_EQ(diary.take(), refused);
  EXPECT_EQ(minor_of<CORBA::TRANSIENT>([&] { target->fail(); }), 7u);
  const Words failed = diary.take();
  EXPECT_EQ(failed[8], "system");
  EXPECT_EQ(failed.back(), "IDL:omg.org/CORBA/TRANSIENT:1.0");
}

TEST_F(Order, OfAOneway) {
  start();
  c1->code["receive_other"] = [&](ClientRequestInfo& info) {
    EXPECT_EQ(info.reply_status(), SUCCESSFUL);
    EXPECT_FALSE(info.response_expected());
  };
  s1->code["receive_request"] = [&](ServerRequestInfo& info) {
    EXPECT_EQ(info.response_expected(), info.operation() != "note");
  };
  target->note(5);
  EXPECT_EQ(target->noted(), 5);  // behind the oneway, on the same connection
  const Words all = diary.take();
  const auto count = [&](const std::string& entry) { return std::ranges::count(all, entry); };
  EXPECT_EQ(count("c1.receive_other"), 1);
  EXPECT_EQ(count("c1.receive_reply"), 1);
  EXPECT_EQ(count("s1.receive_request"), 2);
  EXPECT_EQ(count("s1.send_reply"), 2);
}

TEST_F(Order, OfARequestForNoObject) {
  start();
  const auto nobody = IDL::traits<Spied::Target>::unchecked_narrow(
      client->string_to_object(tenon::corbaloc(server, "nobody")));
  s1->code["send_exception"] = [&](ServerRequestInfo& info) {
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.object_id(); }), errors::not_in_this_binding.minor);
  };
  EXPECT_THROW(nobody->add(1, 1), CORBA::OBJECT_NOT_EXIST);
  const Words expected{"c1.send_request",      "c2.send_request",     "s1.contexts",
                       "s2.contexts",          "s2.send_exception",   "s1.send_exception",
                       "c2.receive_exception", "c1.receive_exception"};
  EXPECT_EQ(diary.take(), expected);
}

TEST_F(Order, RaisedInSendRequestTheCallNeverLeaves) {
  start();
  c2->code["send_request"] = [](ClientRequestInfo&) { throw CORBA::NO_PERMISSION(5); };
  EXPECT_EQ(minor_of<CORBA::NO_PERMISSION>([&] { target->add(1, 1); }), 5u);
  const Words expected{"c1.send_request", "c2.send_request", "c1.receive_exception"};
  EXPECT_EQ(diary.take(), expected);
}

TEST_F(Order, RaisedOnTheWayBackTheOthersSeeTheException) {
  start();
  c2->code["receive_reply"] = [](ClientRequestInfo&) {
    throw CORBA::NO_PERMISSION(6, CORBA::CompletionStatus::COMPLETED_YES);
  };
  EXPECT_EQ(minor_of<CORBA::NO_PERMISSION>([&] { target->add(1, 1); }), 6u);
  const Words all = diary.take();
  EXPECT_EQ(all.back(), "c1.receive_exception");
  EXPECT_EQ(all[all.size() - 2], "c2.receive_reply");
}

TEST_F(Order, RaisedBeforeTheAdapterTheServantNeverRuns) {
  start();
  s2->code["contexts"] = [](ServerRequestInfo&) { throw CORBA::NO_PERMISSION(7); };
  EXPECT_EQ(minor_of<CORBA::NO_PERMISSION>([&] { target->add(1, 1); }), 7u);
  const Words expected{"c1.send_request",   "c2.send_request",      "s1.contexts",         "s2.contexts",
                       "s1.send_exception", "c2.receive_exception", "c1.receive_exception"};
  EXPECT_EQ(diary.take(), expected);
}

TEST_F(Order, RaisedBeforeTheServantAllEndingPointsRun) {
  start();
  s1->code["receive_request"] = [](ServerRequestInfo&) { throw CORBA::NO_PERMISSION(8); };
  EXPECT_EQ(minor_of<CORBA::NO_PERMISSION>([&] { target->add(1, 1); }), 8u);
  const Words expected{"c1.send_request",   "c2.send_request",      "s1.contexts",
                       "s2.contexts",       "s1.receive_request",   "s2.send_exception",
                       "s1.send_exception", "c2.receive_exception", "c1.receive_exception"};
  EXPECT_EQ(diary.take(), expected);
}

TEST_F(Order, RaisedInSendReplyTheCallerGetsIt) {
  start();
  s2->code["send_reply"] = [](ServerRequestInfo&) {
    throw CORBA::NO_PERMISSION(9, CORBA::CompletionStatus::COMPLETED_YES);
  };
  EXPECT_EQ(minor_of<CORBA::NO_PERMISSION>([&] { target->add(1, 1); }), 9u);
  const Words all = diary.take();
  EXPECT_EQ(all[7], "s2.send_reply");
  EXPECT_EQ(all[8], "s1.send_exception");
}

TEST_F(Order, WhatIsNoSystemExceptionIsUnknown) {
  start();
  c1->code["send_request"] = [](ClientRequestInfo&) { throw 5; };
  EXPECT_EQ(minor_of<CORBA::UNKNOWN>([&] { target->add(1, 1); }), errors::interceptor_raised.minor);
  c1->code.clear();
  s1->code["receive_request"] = [](ServerRequestInfo&) { throw Spied::Refused("no"); };
  EXPECT_EQ(minor_of<CORBA::UNKNOWN>([&] { target->add(1, 1); }), errors::interceptor_raised.minor);
}

TEST_F(Order, WithoutMemoryTheCallerIsToldSo) {
  start();
  const auto told = [&] { return minor_of<CORBA::NO_MEMORY>([&] { target->add(1, 1); }); };
  c1->code["send_request"] = [](ClientRequestInfo&) { throw std::bad_alloc(); };
  EXPECT_EQ(told(), errors::out_of_memory.minor);
  c1->code.clear();
  c1->code["receive_reply"] = [](ClientRequestInfo&) { throw std::bad_alloc(); };
  EXPECT_EQ(told(), errors::out_of_memory.minor);
  c1->code.clear();
  for (const char* point : {"contexts", "receive_request", "send_reply"}) {
    s1->code[point] = [](ServerRequestInfo&) { throw std::bad_alloc(); };
    EXPECT_EQ(told(), errors::out_of_memory.minor) << point;
    s1->code.clear();
  }
  EXPECT_EQ(target->add(1, 1), 2);
}

/// The object by an address where nothing listens, and then by its own.
CORBA::object_reference<CORBA::Object> behind_a_dead_address(CORBA::ORB& orb, const TargetRef& target,
                                                             int dead_port) {
  const auto& profile = target->_reference()->profiles().front().view;
  std::string url =
      "corbaloc::127.0.0.1:" + std::to_string(dead_port) + ",:" + profile.addresses.front().text + "/";
  for (const std::uint8_t octet : profile.object_key) url += "%" + hex_number(octet, 2);
  return orb.string_to_object(url);
}

TEST_F(Order, WhatInterceptorsTryInVainIsNotSaidOfTheCall) {
  start();
  int dead_port = 0;
  for (const char* point : {"receive_reply", "send_request"}) {
    bool first = true;
    c1->code = {{point, [&](ClientRequestInfo&) {
                   if (!std::exchange(first, false)) return;
                   EXPECT_FALSE(behind_a_dead_address(*client, target, ++dead_port)->_non_existent());
                   throw CORBA::NO_PERMISSION(1);
                 }}};
    try {
      target->who();
      ADD_FAILURE();
    } catch (const CORBA::NO_PERMISSION& exception) {
      EXPECT_EQ(std::string_view(exception.what()).find("tried"), std::string_view::npos) << exception.what();
    }
  }
}

TEST_F(Order, ForwardBySendRequestGoesThroughAllAgainAndForThisCallOnly) {
  start();
  const TargetRef second = publish("second");
  bool redirect = true;
  c2->code["send_request"] = [&](ClientRequestInfo& info) {
    if (std::exchange(redirect, false)) throw ForwardRequest(second);
    diary.note(info.effective_target()->_is_equivalent(second) ? "to second" : "to first");
  };
  c1->code["receive_other"] = [&](ClientRequestInfo& info) {
    EXPECT_EQ(info.reply_status(), LOCATION_FORWARD);
    EXPECT_TRUE(info.forward_reference()->_is_equivalent(second));
    EXPECT_TRUE(info.target()->_is_equivalent(target));
  };
  EXPECT_EQ(target->who(), "second");
  Words all = diary.take();
  all.resize(6);
  const Words expected{"c1.send_request", "c2.send_request", "c1.receive_other",
                       "c1.send_request", "c2.send_request", "to second"};
  EXPECT_EQ(all, expected);
  EXPECT_EQ(target->who(), "first");
}

TEST_F(Order, ForwardByTheServerReachesClientsAsReceiveOther) {
  start();
  const TargetRef second = publish("second");
  bool redirect = true;
  s1->code["receive_request"] = [&](ServerRequestInfo&) {
    if (std::exchange(redirect, false)) throw ForwardRequest(second);
  };
  s2->code["send_other"] = [&](ServerRequestInfo& info) {
    EXPECT_EQ(info.reply_status(), LOCATION_FORWARD);
    EXPECT_TRUE(info.forward_reference()->_is_equivalent(second));
  };
  c1->code["receive_other"] = [&](ClientRequestInfo& info) {
    EXPECT_TRUE(info.forward_reference()->_is_equivalent(second));
  };
  EXPECT_EQ(target->who(), "second");
  const Words all = diary.take();
  EXPECT_EQ(all[5], "s2.send_other");
  EXPECT_EQ(all[6], "s1.send_other");
  EXPECT_EQ(all[7], "c2.receive_other");
  EXPECT_EQ(all[8], "c1.receive_other");
  EXPECT_EQ(all.back(), "c1.receive_reply");
}

TEST_F(Order, ReceiveExceptionMayTryAnotherObject) {
  start();
  const TargetRef second = publish("second");
  c1->code["receive_exception"] = [&](ClientRequestInfo&) { throw ForwardRequest(second); };
  bool first = true;
  s1->code["receive_request"] = [&](ServerRequestInfo&) {
    if (std::exchange(first, false)) throw CORBA::NO_PERMISSION(1);
  };
  EXPECT_EQ(target->who(), "second");
}

TEST_F(Order, ForwardsThatNeverEndAreCutShort) {
  start();
  c1->code["send_request"] = [&](ClientRequestInfo&) { throw ForwardRequest(target); };
  EXPECT_EQ(minor_of<CORBA::TRANSIENT>([&] { target->who(); }), errors::too_many_forwards.minor);
}

TEST_F(Order, OfACallInsideAnUpcallNests) {
  // The server's ORB calls itself; only its server side is spied on.
  start();
  EXPECT_EQ(target->ask(target), "first");
  const Words expected{"c1.send_request",    "c2.send_request",    "s1.contexts",      "s2.contexts",
                       "s1.receive_request", "s2.receive_request", "s1.contexts",      "s2.contexts",
                       "s1.receive_request", "s2.receive_request", "s2.send_reply",    "s1.send_reply",
                       "s2.send_reply",      "s1.send_reply",      "c2.receive_reply", "c1.receive_reply"};
  EXPECT_EQ(diary.take(), expected);
}

TEST_F(Order, DestroyIsTold) {
  start();
  client->destroy();
  const Words expected{"c1.destroy", "c2.destroy"};
  EXPECT_EQ(diary.take(), expected);
  client = nullptr;
}

/// Client and server in one ORB: no socket between them.
TEST(Collocated, CallsAreInterceptedToo) {
  Diary diary;
  const auto c = CORBA::make_reference<ClientSpy>(diary, "c");
  const auto s = CORBA::make_reference<ServerSpy>(diary, "s");
  const OrbRef orb = make_orb(
      [&](ORBInitInfo& info) {
        info.add_client_request_interceptor(c);
        info.add_server_request_interceptor(s);
        info.allocate_slot_id();
      },
      {"-ORBListenEndpoints", "iiop://127.0.0.1"});
  c->code["send_request"] = [](ClientRequestInfo& info) {
    info.add_request_service_context({0x54450001, {1, 2}}, false);
  };
  s->code["contexts"] = [](ServerRequestInfo& info) {
    EXPECT_EQ(info.get_request_service_context(0x54450001).context_data(), (CORBA::OctetSeq{1, 2}));
    info.add_reply_service_context({0x54450002, {3}}, false);
  };
  c->code["receive_reply"] = [](ClientRequestInfo& info) {
    EXPECT_EQ(info.get_reply_service_context(0x54450002).context_data(), CORBA::OctetSeq{3});
  };
  const auto target = IDL::traits<Spied::Target>::narrow(
      tenon::publish(orb, CORBA::make_reference<TargetServant>(diary, "here"), "here"));
  EXPECT_EQ(target->add(1, 2), 3);
  const Words expected{"c.send_request", "s.contexts",   "s.receive_request",
                       "servant",        "s.send_reply", "c.receive_reply"};
  EXPECT_EQ(diary.take(), expected);
  orb->destroy();
}

}  // namespace
}  // namespace tenon::spied
