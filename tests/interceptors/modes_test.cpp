// SPDX-License-Identifier: Apache-2.0
//
// ORBInitInfo_3_1: interceptors that are called for calls within the process only, or for all but these.
#include <tenon/gen/any.hpp>

#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

using InfoRef = CORBA::object_reference<ORBInitInfo_3_1>;

CORBA::PolicyList mode(ProcessingMode value) { return {CORBA::make_reference<ProcessingModePolicy>(value)}; }

InfoRef newer(ORBInitInfo& info) {
  return IDL::traits<ORBInitInfo_3_1>::narrow(CORBA::object_reference<CORBA::Object>(&info));
}

/// One ORB that serves and calls, with an interceptor of each mode at both sides, and a second one that calls it over a socket.
class Modes : public ::testing::Test {
 protected:
  void TearDown() override {
    caller->destroy();
    orb->destroy();
  }
  /// The points that ran, without their interceptors' names.
  Words ran(const TargetRef& of) {
    static_cast<void>(diary.take());
    EXPECT_EQ(of->add(1, 2), 3);
    Words all = diary.take();
    std::erase(all, "servant");
    return all;
  }

  Diary diary;
  OrbRef orb = make_orb(
      [this](ORBInitInfo& info) {
        const InfoRef all = newer(info);
        for (const ProcessingMode each : {LOCAL_AND_REMOTE, REMOTE_ONLY, LOCAL_ONLY}) {
          const std::string name = std::to_string(each);
          all->add_client_request_interceptor_with_policy(CORBA::make_reference<ClientSpy>(diary, "c" + name),
                                                          mode(each));
          all->add_server_request_interceptor_with_policy(CORBA::make_reference<ServerSpy>(diary, "s" + name),
                                                          mode(each));
        }
      },
      {"-ORBListenEndpoints", "iiop://127.0.0.1"});
  OrbRef caller = make_orb({});
  TargetRef here = tenon::publish(orb, CORBA::make_reference<TargetServant>(diary, "here"), "here");
};

TEST_F(Modes, LocalCalls) {
  for (int i = 0; i < 2; ++i) {
    const Words expected{"c0.send_request",    "c2.send_request",    "s0.contexts",   "s2.contexts",
                         "s0.receive_request", "s2.receive_request", "s2.send_reply", "s0.send_reply",
                         "c2.receive_reply",   "c0.receive_reply"};
    EXPECT_EQ(ran(here), expected);
  }
}

TEST_F(Modes, RemoteCalls) {
  const auto remote =
      IDL::traits<Spied::Target>::unchecked_narrow(caller->string_to_object(orb->object_to_string(here)));
  const Words served{"s0.contexts",        "s1.contexts",   "s0.receive_request",
                     "s1.receive_request", "s1.send_reply", "s0.send_reply"};
  EXPECT_EQ(ran(remote), served);
  // The other way: this ORB calls an object of another one.
  const OrbRef other = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1"}, "modes elsewhere");
  const auto there = tenon::publish(other, CORBA::make_reference<TargetServant>(diary, "there"), "there");
  const auto target =
      IDL::traits<Spied::Target>::unchecked_narrow(orb->string_to_object(other->object_to_string(there)));
  Words called = ran(target);
  std::erase_if(called, [](const std::string& each) { return each.starts_with("s"); });
  const Words expected{"c0.send_request", "c1.send_request", "c1.receive_reply", "c0.receive_reply"};
  EXPECT_EQ(called, expected);
  other->destroy();
}

TEST_F(Modes, WhatIsRefused) {
  const auto refused = [this](const CORBA::PolicyList& policies) -> std::string {
    std::string why;
    const OrbRef made = make_orb([&](ORBInitInfo& info) {
      try {
        newer(info)->add_client_request_interceptor_with_policy(
            CORBA::make_reference<ClientSpy>(diary, "refused"), policies);
      } catch (const CORBA::PolicyError& error) {
        why = error.what();
      }
    });
    made->destroy();
    return why;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  EXPECT_EQ(refused({}), "");
  has(refused(mode(3)), "BAD_POLICY_VALUE): ProcessingModePolicy: there is no value 3");
  has(refused({mode(1)[0], mode(1)[0]}), "ProcessingModePolicy: given twice");
  has(refused({PortableServer::POA::create_lifespan_policy(PortableServer::LifespanPolicyValue::TRANSIENT)}),
      "LifespanPolicy: a request interceptor has");
  CORBA::Any two;
  two <<= std::int16_t{LOCAL_ONLY};
  const auto made = orb->create_policy(PROCESSING_MODE_POLICY_TYPE, two);
  EXPECT_EQ(IDL::traits<ProcessingModePolicy>::narrow(made)->processing_mode(), LOCAL_ONLY);
}

}  // namespace
}  // namespace tenon::spied
