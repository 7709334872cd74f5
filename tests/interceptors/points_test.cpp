// SPDX-License-Identifier: Apache-2.0
//
// Interception points that no call reaches, and components of a reference by their number.
#include <tenon/peer.hpp>

#include "base/minor_codes.hpp"
#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

class PollSpy final : public ClientRequestInterceptor {
 public:
  std::string name() override { return "poll"; }
  void send_request(ClientInfoRef) override { ++requests; }
  void send_poll(ClientInfoRef) override { ++polls; }

  std::atomic<int> requests{0}, polls{0};
};

TEST(Points, PollsAskNoServer) {
  const auto spy = CORBA::make_reference<PollSpy>();
  const OrbRef orb = make_orb([&](ORBInitInfo& info) { info.add_client_request_interceptor(spy); },
                              {"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBCollocation", "no"});
  Diary diary;
  const auto target =
      IDL::traits<Spied::Target>::narrow(publish(orb, CORBA::make_reference<TargetServant>(diary, "only")));
  const auto poller = target->sendp_add(1, 2);
  EXPECT_TRUE(poller->is_ready(60'000));
  std::int32_t sum = 0;
  poller->add(0, sum);
  EXPECT_EQ(sum, 3);
  EXPECT_GE(spy->requests, 1);
  EXPECT_EQ(spy->polls, 0);
  orb->destroy();
}

class CallerSpy final : public ServerRequestInterceptor {
 public:
  std::string name() override { return "caller"; }
  void receive_request_service_contexts(ServerInfoRef) override { note(); }
  void receive_request(ServerInfoRef) override { note(); }
  void send_reply(ServerInfoRef) override { note(); }

  Words seen;

 private:
  void note() { seen.push_back(tenon::peer().text()); }
};

TEST(Points, OfServersKnowTheCaller) {
  const auto spy = CORBA::make_reference<CallerSpy>();
  Diary diary;
  for (const bool collocated : {true, false}) {
    const OrbRef orb =
        make_orb([&](ORBInitInfo& info) { info.add_server_request_interceptor(spy); },
                 {"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBCollocation", collocated ? "yes" : "no"});
    const auto target =
        IDL::traits<Spied::Target>::narrow(publish(orb, CORBA::make_reference<TargetServant>(diary, "only")));
    spy->seen.clear();
    EXPECT_EQ(target->who(), "only");
    Identity self;
    protocol::identify_this_process(self);
    EXPECT_EQ(spy->seen, Words(3, collocated ? self.text() : "unknown"));
    orb->destroy();
  }
}

TEST_F(Spies, ComponentsByNumber) {
  start();
  std::size_t code_sets = 0;
  std::uint32_t unknown = 0;
  c1->code["send_request"] = [&](ClientRequestInfo& info) {
    code_sets = info.get_effective_components(1).size();
    unknown = minor_of<CORBA::BAD_PARAM>([&] { info.get_effective_components(0x54450099); });
  };
  EXPECT_EQ(target->add(1, 1), 2);
  EXPECT_EQ(code_sets, 1u);
  EXPECT_EQ(unknown, errors::no_such_component.minor);
}

class TemplateSpy final : public IORInterceptor {
 public:
  std::string name() override { return "templates"; }
  void establish_components(CORBA::object_reference<IORInfo>) override {}
  void adapter_state_changed(const ObjectReferenceTemplateSeq& templates, AdapterState state) override {
    EXPECT_EQ(state, NON_EXISTENT);
    told.insert(told.end(), templates.begin(), templates.end());
  }

  ObjectReferenceTemplateSeq told;
};

TEST_F(Spies, TemplatesNameTheAdapter) {
  const auto spy = CORBA::make_reference<TemplateSpy>();
  ior_interceptors.push_back(spy);
  start();
  const auto root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  root->create_POA("short", nullptr, {})->destroy(false, true);
  ASSERT_EQ(spy->told.size(), 1u);
  EXPECT_EQ(spy->told[0]->server_id(), "spied server");
  EXPECT_EQ(spy->told[0]->orb_id(), server->id());
  EXPECT_EQ(spy->told[0]->adapter_name(), (AdapterName{"RootPOA", "short"}));
}

TEST(IorInterceptors, HaveNoPolicies) {
  const auto spy = CORBA::make_reference<TemplateSpy>();
  const OrbRef orb = make_orb([&](ORBInitInfo& info) {
    auto& newer = dynamic_cast<ORBInitInfo_3_1&>(info);
    const CORBA::PolicyList local{CORBA::make_reference<ProcessingModePolicy>(LOCAL_ONLY)};
    EXPECT_THROW(newer.add_ior_interceptor_with_policy(spy, local), CORBA::PolicyError);
    newer.add_ior_interceptor_with_policy(spy, {});
    EXPECT_THROW(info.add_ior_interceptor(spy), ORBInitInfo::DuplicateName);
  });
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  root->create_POA("short", nullptr, {})->destroy(false, true);
  EXPECT_EQ(spy->told.size(), 1u);
  EXPECT_TRUE(spy->_is_a("IDL:omg.org/PortableInterceptor/IORInterceptor_3_0:1.0"));
  const CORBA::object_reference<Interceptor> base = spy;
  EXPECT_EQ(base->name(), "templates");
  orb->destroy();
}

}  // namespace
}  // namespace tenon::spied
