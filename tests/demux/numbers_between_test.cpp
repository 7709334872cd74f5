// SPDX-License-Identifier: Apache-2.0
//
// Operations by number where something stands between stub and skeleton: forwards, other servants, lost connections, policies,
// interceptors, locators, the same process.
#include <cstdio>

#include <tenon/dynamic.hpp>
#include <tenon/messaging.hpp>
#include <tenon/portable_interceptor.hpp>

#include "orb/client/endpoint.hpp"
#include "tests/demux/numbers_world.hpp"

namespace tenon::numbers {
namespace {

PortableServer::ObjectId id_of(const std::string& text) { return {text.begin(), text.end()}; }

PoaRef poa_with(const World& world, const std::string& name, const CORBA::PolicyList& policies) {
  return world.root->create_POA(name, world.root->the_POAManager(), policies);
}

TEST(OperationNumbers, ForwardsDecideAnew) {
  const World world;
  const auto numbered = CORBA::make_reference<Left>();
  const auto plain = CORBA::make_reference<PlainLeft>();
  const auto both = CORBA::make_reference<Both>();
  // By number to the first, which sends the caller to one without numbers, and that to one with other numbers.
  numbered->forward = world.root->servant_to_reference(plain);
  const LeftRef left = world.serve<Numbers::Left>(numbered);
  EXPECT_EQ(left->one(10), 11);
  EXPECT_EQ(left->two(10), 12);
  EXPECT_EQ(world.ear.heard(), (Words{"#0", "one", "two"}));
  plain->forward = world.root->servant_to_reference(both);
  EXPECT_EQ(left->one(10), 11);
  EXPECT_EQ(left->two(10), 12);
  EXPECT_EQ(world.ear.heard(), (Words{"one", "#0", "#1"}));
}

TEST(OperationNumbers, AnotherServantOfTheObjectSaysWhatItUnderstands) {
  const World world;
  const PoaRef poa = poa_with(
      world, "named",
      {PortableServer::POA::create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  const auto id = id_of("one of several");
  const auto become = [&](const ServantRef& servant) {
    poa->deactivate_object(id);
    poa->activate_object_with_id(id, servant);
  };
  poa->activate_object_with_id(id, CORBA::make_reference<Left>());
  const LeftRef left = world.at_client<Numbers::Left>(poa->id_to_reference(id));
  EXPECT_EQ(left->two(10), 12);
  // Both is a Left, and understands the numbers of one.
  become(CORBA::make_reference<Both>());
  EXPECT_EQ(left->two(10), 12);
  EXPECT_EQ(world.ear.heard(), (Words{"#1", "#1"}));

  const LeftRef of_both = world.at_client<Numbers::Left>(poa->id_to_reference(id));
  EXPECT_EQ(of_both->two(10), 12);
  // Apart has those of Right first: without the check, two() would be four().
  become(CORBA::make_reference<Apart>());
  EXPECT_EQ(of_both->two(10), 12);
  EXPECT_EQ(of_both->two(10), 12);
  EXPECT_EQ(world.ear.heard(), (Words{"#1", "#1", "#4", "#4"}));
  become(CORBA::make_reference<PlainLeft>());
  EXPECT_EQ(of_both->two(10), 12);
  EXPECT_EQ(of_both->two(10), 12);
  EXPECT_EQ(world.ear.heard(), (Words{"#4", "two", "two"}));
}

/// Answers everything with 1, and writes down what that was.
class Dynamic final : public PortableServer::DynamicImplementation {
 public:
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    names.push_back(request->operation());
    const auto arguments = CORBA::make_reference<CORBA::NVList>();
    CORBA::Any number;
    number <<= std::int32_t{0};
    arguments->add_value("a", number, CORBA::ARG_IN);
    request->arguments(arguments);
    CORBA::Any one;
    one <<= std::int32_t{1};
    request->set_result(one);
  }
  std::string _primary_interface(const PortableServer::ObjectId&, const PoaRef&) const override {
    return std::string(Numbers::Left::_static_id);
  }
  Words names;  // by one request after the other
};

TEST(OperationNumbers, DynamicServantsSeeNames) {
  const World world;
  const PoaRef poa = poa_with(
      world, "named",
      {PortableServer::POA::create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  const auto id = id_of("one of two");
  poa->activate_object_with_id(id, CORBA::make_reference<Left>());
  const LeftRef left = world.at_client<Numbers::Left>(poa->id_to_reference(id));
  EXPECT_EQ(left->one(10), 11);
  poa->deactivate_object(id);
  const auto dynamic = CORBA::make_reference<Dynamic>();
  poa->activate_object_with_id(id, dynamic);
  EXPECT_EQ(left->one(10), 1);
  EXPECT_EQ(dynamic->names, Words{"one"});
  EXPECT_EQ(world.ear.heard(), (Words{"#0", "#0", "one"}));
}

TEST(OperationNumbers, OverAnotherConnection) {
  const World world;
  const LeftRef left = world.serve<Numbers::Left>(CORBA::make_reference<Left>());
  EXPECT_EQ(left->one(10), 11);
  const auto taken = left->_reference()->binding()->endpoint->take(Deadline::never());
  ASSERT_TRUE(taken);
  taken->connection->abort();
  EXPECT_EQ(left->two(10), 12);
  EXPECT_EQ(world.ear.heard(), (Words{"#0", "#1"}));
}

TEST(OperationNumbers, NotWhereForwardsMayNotBeFollowed) {
  const World world;
  const LeftRef left = world.serve<Numbers::Left>(CORBA::make_reference<Left>());
  const auto with = [&](Messaging::RebindMode mode) {
    return IDL::traits<Numbers::Left>::unchecked_narrow(
        left->_set_policy_overrides({create_rebind_policy(mode)}, CORBA::SetOverrideType::ADD_OVERRIDE));
  };
  const LeftRef bound = with(Messaging::NO_REBIND);
  const LeftRef free = with(Messaging::TRANSPARENT);
  EXPECT_EQ(bound->one(10), 11);  // the call that binds may do anything
  EXPECT_EQ(bound->one(10), 11);
  EXPECT_EQ(free->one(10), 11);
  EXPECT_EQ(free->one(10), 11);
  EXPECT_EQ(world.ear.heard(), (Words{"#0", "one", "#0", "#0"}));
}

TEST(OperationNumbers, WithASingleThread) {
  const World world({}, {"-ORBServing", "single-thread"});
  const LeftRef left = world.serve<Numbers::Left>(CORBA::make_reference<Left>());
  EXPECT_EQ(left->one(10), 11);
  EXPECT_EQ(left->two(10), 12);
  EXPECT_EQ(world.ear.heard(), (Words{"#0", "#1"}));
}

TEST(OperationNumbers, NotInTheSameProcess) {
  const World world;
  const auto servant = CORBA::make_reference<Left>();
  const LeftRef left = servant->_this();
  EXPECT_TRUE(offered_by(left));
  EXPECT_EQ(left->two(10), 12);
  EXPECT_THROW(left->refuse(1), Numbers::Refused);
  EXPECT_EQ(world.ear.heard(), Words{});
}

TEST(OperationNumbers, WhichReferencesOfferThem) {
  using PortableServer::POA;
  const World world;
  const auto servant = CORBA::make_reference<Left>();
  const auto id = world.root->activate_object(servant);
  EXPECT_TRUE(offered_by(world.root->id_to_reference(id)));
  EXPECT_TRUE(offered_by(world.root->servant_to_reference(servant)));
  EXPECT_TRUE(offered_by(servant->_this()));
  // Only an id is known.
  EXPECT_FALSE(offered_by(world.root->create_reference(std::string(Numbers::Left::_static_id))));
  // Another process may answer, with other numbers.
  const PoaRef lasting = poa_with(
      world, "lasting", {POA::create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT)});
  EXPECT_FALSE(offered_by(lasting->id_to_reference(lasting->activate_object(CORBA::make_reference<Left>()))));
  const auto offered = offered_by(servant->_this());
  ASSERT_TRUE(offered);
  ASSERT_EQ(offered->interfaces.size(), 1u);
  EXPECT_EQ(offered->interfaces[0].first, 0);
  // Other machines and other releases agree on it.
  EXPECT_EQ(offered->interfaces[0].fingerprint, 0x864eb5aecad64fb8);
  const auto of_apart = offered_by(world.root->servant_to_reference(CORBA::make_reference<Apart>()));
  ASSERT_TRUE(of_apart);
  ASSERT_EQ(of_apart->interfaces.size(), 3u);
  EXPECT_EQ(of_apart->interfaces[0].first, 9);  // its own
  EXPECT_EQ(of_apart->find(offered->interfaces[0].fingerprint)->first, 3);
}

/// Lends the same servant for every request, and refers to it from there.
class Locator final : public PortableServer::ServantLocator {
 public:
  ServantRef preinvoke(const PortableServer::ObjectId&, PoaRef, const std::string& operation,
                       Cookie&) override {
    names.push_back(operation);
    return servant;
  }
  void postinvoke(const PortableServer::ObjectId&, PoaRef, const std::string&, Cookie, ServantRef) override {}
  Words names;  // by one request after the other
  CORBA::servant_reference<Left> servant = CORBA::make_reference<Left>();
};

TEST(OperationNumbers, LocatorsSeeNames) {
  using PortableServer::POA;
  const World world;
  const PoaRef poa =
      poa_with(world, "located",
               {POA::create_servant_retention_policy(PortableServer::ServantRetentionPolicyValue::NON_RETAIN),
                POA::create_request_processing_policy(
                    PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  const auto locator = CORBA::make_reference<Locator>();
  poa->set_servant_manager(locator);
  const LeftRef left =
      world.at_client<Numbers::Left>(poa->create_reference(std::string(Numbers::Left::_static_id)));
  // What a servant makes of itself in such a POA offers no numbers either.
  struct Own : Left {
    std::int32_t two(std::int32_t) override { return offered_by(_this()) ? 1 : 0; }
  };
  locator->servant = CORBA::make_reference<Own>();
  EXPECT_EQ(left->one(10), 11);
  EXPECT_EQ(left->two(10), 0);
  EXPECT_EQ(locator->names, (Words{"one", "two"}));
}

#ifdef TENON_OMNIORB_CLIENT
TEST(OperationNumbers, OmniOrbKeepsThemAndCallsByName) {
  const World world;
  const auto servant = CORBA::make_reference<Left>();
  const std::string ior = world.server->object_to_string(world.root->servant_to_reference(servant));
  const std::string command = "exec timeout 60 " TENON_OMNIORB_CLIENT " " + ior;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  ASSERT_TRUE(pipe);
  Words lines(1);
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += static_cast<char>(c);
    }
  }
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "11 12 7");
  EXPECT_EQ(lines[1], "refused 3");
  EXPECT_EQ(servant->noted, 5);
  EXPECT_TRUE(offered_by(world.client->string_to_object(ior)));
  EXPECT_EQ(offered_by(world.client->string_to_object(lines[2])),
            offered_by(world.client->string_to_object(ior)));
}
#endif

// --- interceptors ---

/// Both sides' operations, for the next ORB.
struct Watch {
  bool client = false;
  bool server = false;
  std::mutex mutex;
  Words seen;
  void note(const std::string& what) {
    const std::lock_guard lock(mutex);
    seen.push_back(what);
  }
};
Watch watch;

class Client final : public PortableInterceptor::ClientRequestInterceptor {
 public:
  std::string name() override { return ""; }
  void send_request(PortableInterceptor::ClientInfoRef info) override {
    watch.note("c " + info->operation());
  }
};
class Server final : public PortableInterceptor::ServerRequestInterceptor {
 public:
  std::string name() override { return ""; }
  void receive_request_service_contexts(PortableInterceptor::ServerInfoRef info) override {
    watch.note("s " + info->operation());
  }
};
class Initializer final : public PortableInterceptor::ORBInitializer {
 public:
  void pre_init(CORBA::object_reference<PortableInterceptor::ORBInitInfo> info) override {
    if (watch.client) info->add_client_request_interceptor(CORBA::make_reference<Client>());
    if (watch.server) info->add_server_request_interceptor(CORBA::make_reference<Server>());
    watch.client = watch.server = false;
  }
};

/// An ORB whose calls or requests are watched.
OrbRef watched(bool client, bool server) {
  static const bool registered = [] {
    PortableInterceptor::register_orb_initializer(CORBA::make_reference<Initializer>());
    return true;
  }();
  EXPECT_TRUE(registered);
  static int made = 0;
  watch.client = client;
  watch.server = server;
  watch.seen.clear();
  return CORBA::ORB_init(server ? Words{"-ORBListenEndpoints", "iiop://127.0.0.1"} : Words{},
                         "numbers-watched-" + std::to_string(++made));
}

TEST(OperationNumbers, ClientInterceptorsSeeNames) {
  const World world;
  const OrbRef observed = watched(true, false);
  const ObjectRef object = world.root->servant_to_reference(CORBA::make_reference<Left>());
  const auto left = IDL::traits<Numbers::Left>::unchecked_narrow(
      observed->string_to_object(world.server->object_to_string(object)));
  EXPECT_EQ(left->two(10), 12);
  EXPECT_EQ(left->two(10), 12);
  EXPECT_EQ(watch.seen, (Words{"c two", "c two"}));
  EXPECT_EQ(world.ear.heard(), (Words{"two", "two"}));
  observed->destroy();
}

TEST(OperationNumbers, ServerInterceptorsSeeNames) {
  const World world;
  const OrbRef observed = watched(false, true);
  const auto left = IDL::traits<Numbers::Left>::unchecked_narrow(world.client->string_to_object(
      observed->object_to_string(tenon::publish(observed, CORBA::make_reference<Left>()))));
  EXPECT_FALSE(offered_by(left));
  EXPECT_EQ(left->two(10), 12);
  EXPECT_EQ(watch.seen, Words{"s two"});
  observed->destroy();
}

}  // namespace
}  // namespace tenon::numbers
