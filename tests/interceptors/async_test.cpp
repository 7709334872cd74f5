// SPDX-License-Identifier: Apache-2.0
//
// Calls that are not waited for, past interceptors: their ending points run on a thread of the ORB, before the caller learns of the end.
#include <algorithm>

#include "spied_async.hpp"
#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

class Async : public Spies {};

TEST_F(Async, AnOrdinaryCall) {
  start();
  c1->code["send_request"] = [](ClientRequestInfo& info) {
    info.add_request_service_context({0x54450001, {1, 2}}, false);
  };
  s1->code["contexts"] = [](ServerRequestInfo& info) {
    CORBA::OctetSeq data = info.get_request_service_context(0x54450001).context_data();
    data.push_back(3);
    info.add_reply_service_context({0x54450002, data}, false);
  };
  c1->code["receive_reply"] = [](ClientRequestInfo& info) {
    EXPECT_EQ(info.get_reply_service_context(0x54450002).context_data(), (CORBA::OctetSeq{1, 2, 3}));
  };
  EXPECT_EQ(tenon::async(target).add(2, 40).get(), 42);
  const Words expected{"c1.send_request",    "c2.send_request",    "s1.contexts",     "s2.contexts",
                       "s1.receive_request", "s2.receive_request", "servant",         "s2.send_reply",
                       "s1.send_reply",      "c2.receive_reply",   "c1.receive_reply"};
  EXPECT_EQ(diary.take(), expected);
}

TEST_F(Async, Exceptions) {
  start();
  EXPECT_THROW(tenon::async(target).refuse().get(), Spied::Refused);
  EXPECT_EQ(diary.take().back(), "c1.receive_exception");
  EXPECT_THROW(tenon::async(target).fail().get(), CORBA::TRANSIENT);
  EXPECT_EQ(diary.take().back(), "c1.receive_exception");
  c2->code["send_request"] = [](ClientRequestInfo&) { throw CORBA::NO_PERMISSION(5); };
  EXPECT_THROW(tenon::async(target).who().get(), CORBA::NO_PERMISSION);
  const Words expected{"c1.send_request", "c2.send_request", "c1.receive_exception"};
  EXPECT_EQ(diary.take(), expected);
  c2->code["send_request"] = nullptr;
  c2->code.clear();
  c2->code["receive_reply"] = [](ClientRequestInfo&) { throw CORBA::NO_PERMISSION(6); };
  EXPECT_EQ(minor_of<CORBA::NO_PERMISSION>([&] { tenon::async(target).who().get(); }), 6u);
}

TEST_F(Async, Forwards) {
  start();
  const TargetRef second = publish("second");
  bool redirect = true;
  c2->code["send_request"] = [&](ClientRequestInfo&) {
    if (std::exchange(redirect, false)) throw ForwardRequest(second);
  };
  EXPECT_EQ(tenon::async(target).who().get(), "second");
  EXPECT_EQ(tenon::async(target).who().get(), "first");
  bool elsewhere = true;
  s1->code["receive_request"] = [&](ServerRequestInfo&) {
    if (std::exchange(elsewhere, false)) throw ForwardRequest(second);
  };
  diary.take();
  EXPECT_EQ(tenon::async(target).who().get(), "second");
  const Words all = diary.take();
  EXPECT_EQ(std::ranges::count(all, "c1.receive_other"), 1);
  EXPECT_EQ(all.back(), "c1.receive_reply");
}

/// For the thread sanitizer: calls that are cancelled at any time, each of which ends once.
TEST_F(Async, Cancelled) {
  start();
  std::atomic<int> begun{0}, ended{0};
  const auto end = [&](ClientRequestInfo&) { ++ended; };
  c1->code["send_request"] = [&](ClientRequestInfo&) { ++begun; };
  c1->code["receive_reply"] = c1->code["receive_exception"] = c1->code["receive_other"] = end;
  for (int i = 0; i < 100; ++i) {
    auto reply = tenon::async(target).add(i, 1);
    reply.cancel();
    try {
      EXPECT_EQ(reply.get(), i + 1);
    } catch (const CORBA::TRANSIENT&) {
      // it was cancelled in time
    }
  }
  client->shutdown(true);
  EXPECT_GE(begun.load(), 100);
  EXPECT_EQ(begun.load(), ended.load());
}

}  // namespace
}  // namespace tenon::spied
