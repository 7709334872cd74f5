// SPDX-License-Identifier: Apache-2.0
//
// PICurrent: from the thread that calls to the call, from the request to the servant's thread (CORBA 3.4 part 1 §16.6).
#include <thread>

#include "base/minor_codes.hpp"
#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

class Slots : public Spies {
 protected:
  CORBA::object_reference<Current> current_of(const OrbRef& orb) {
    return IDL::traits<Current>::narrow(orb->resolve_initial_references("PICurrent"));
  }
};

TEST_F(Slots, TheObjectThatHasThemKnowsItsInterfaces) {
  start();
  const auto current = current_of(client);
  EXPECT_TRUE(current->_is_a("IDL:omg.org/PortableInterceptor/Current:1.0"));
  EXPECT_TRUE(current->_is_a("IDL:omg.org/CORBA/Current:1.0"));
  EXPECT_FALSE(current->_is_a("IDL:omg.org/PortableServer/Current:2.3"));
}

TEST_F(Slots, OfAThreadAreItsOwnAndReachItsCalls) {
  start();
  const auto current = current_of(client);
  std::vector<std::int32_t> seen;
  c1->code["send_request"] = [&](ClientRequestInfo& info) {
    seen.push_back(number_of(info.get_slot(client_slot)));
    // The interceptor's own scope is another one, and what it puts there stays inside.
    EXPECT_FALSE(current->get_slot(client_slot).has_value());
    current->set_slot(client_slot, number_in_any(99));
  };
  c1->code["receive_reply"] = [&](ClientRequestInfo& info) {
    seen.push_back(number_of(info.get_slot(client_slot)));
  };
  EXPECT_FALSE(current->get_slot(client_slot).has_value());
  current->set_slot(client_slot, number_in_any(5));
  EXPECT_EQ(target->add(1, 1), 2);
  std::thread other([&] {
    EXPECT_FALSE(current->get_slot(client_slot).has_value());
    current->set_slot(client_slot, number_in_any(6));
    EXPECT_EQ(target->add(1, 1), 2);
  });
  other.join();
  EXPECT_EQ(seen, (std::vector<std::int32_t>{5, 5, 6, 6}));
  EXPECT_EQ(number_of(current->get_slot(client_slot)), 5);
}

TEST_F(Slots, OfARequestReachTheServantAndComeBack) {
  start();
  int arrivals = 0;
  s1->code["contexts"] = [&](ServerRequestInfo& info) {
    EXPECT_FALSE(info.get_slot(server_slot).has_value());
    info.set_slot(server_slot, number_in_any(100 + ++arrivals));
  };
  const auto current = current_of(server);
  std::vector<std::int32_t> seen;
  s1->code["receive_request"] = [&](ServerRequestInfo& info) {
    seen.push_back(number_of(info.get_slot(server_slot)));
    seen.push_back(number_of(current->get_slot(server_slot)));
  };
  s1->code["send_reply"] = [&](ServerRequestInfo& info) {
    seen.push_back(number_of(info.get_slot(server_slot)));
  };
  EXPECT_EQ(target->exchange_slot(7), 101);
  EXPECT_EQ(target->exchange_slot(8), 102);  // nothing is left of the first request on the server's thread
  EXPECT_EQ(seen, (std::vector<std::int32_t>{101, 101, 7, 102, 102, 8}));
}

TEST_F(Slots, ThatWereNotAllocatedAreInvalid) {
  start();
  const auto current = current_of(client);
  EXPECT_THROW(current->get_slot(client_slot + 1), InvalidSlot);
  EXPECT_THROW(current->set_slot(client_slot + 1, number_in_any(1)), InvalidSlot);
  c1->code["send_request"] = [&](ClientRequestInfo& info) {
    EXPECT_THROW(info.get_slot(client_slot + 1), InvalidSlot);
  };
  EXPECT_EQ(target->add(1, 1), 2);
}

/// The way out of endless recursion that the standard has in mind (§16.6.4.4).
TEST_F(Slots, TellACallOfAnInterceptorFromOthers) {
  start();
  const auto current = current_of(client);
  int outer = 0, inner = 0;
  c1->code["send_request"] = [&](ClientRequestInfo& info) {
    if (info.get_slot(client_slot).has_value()) {
      ++inner;
      return;
    }
    ++outer;
    current->set_slot(client_slot, number_in_any(1));
    EXPECT_EQ(target->who(), "first");
  };
  EXPECT_EQ(target->add(1, 1), 2);
  EXPECT_EQ(outer, 1);
  EXPECT_EQ(inner, 1);
  EXPECT_FALSE(current->get_slot(client_slot).has_value());
}

TEST_F(Slots, ReachServantsOnTheMainThread) {
  start();
  s1->code["contexts"] = [&](ServerRequestInfo& info) { info.set_slot(server_slot, number_in_any(11)); };
  std::vector<std::int32_t> seen;
  s1->code["send_reply"] = [&](ServerRequestInfo& info) {
    seen.push_back(number_of(info.get_slot(server_slot)));
  };
  const auto root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  const auto poa = root->create_POA(
      "main", root->the_POAManager(),
      {PortableServer::POA::create_thread_policy(PortableServer::ThreadPolicyValue::MAIN_THREAD_MODEL)});
  const auto servant = CORBA::make_reference<TargetServant>(diary, "main");
  servant->current = current_of(server);
  const auto id = poa->activate_object(servant);
  const TargetRef at_main = at_client(poa->id_to_reference(id));
  EXPECT_EQ(target->who(), "first");
  s1->code["receive_request"] = [](ServerRequestInfo& info) {
    EXPECT_EQ(info.adapter_name(), (AdapterName{"RootPOA", "main"}));
  };
  seen.clear();
  std::thread main([&] { server->run(); });
  EXPECT_EQ(at_main->exchange_slot(12), 11);
  EXPECT_EQ(at_main->exchange_slot(13), 11);
  server->shutdown(false);
  main.join();
  EXPECT_EQ(seen, (std::vector<std::int32_t>{12, 13}));
}

/// For the thread sanitizer, and for what many calls at once mix up.
TEST_F(Slots, OfManyThreadsAtOnce) {
  server_options = {"-ORBServing", "pool"};
  start();
  const auto current = current_of(client);
  c1->code["send_request"] = [&](ClientRequestInfo& info) {
    const auto number = static_cast<std::uint8_t>(number_of(info.get_slot(client_slot)));
    info.add_request_service_context({0x54450001, {number}}, false);
  };
  s1->code["contexts"] = [&](ServerRequestInfo& info) {
    const auto data = info.get_request_service_context(0x54450001).context_data();
    info.set_slot(server_slot, number_in_any(data.at(0)));
  };
  s1->code["send_reply"] = [&](ServerRequestInfo& info) {
    const auto number = static_cast<std::uint8_t>(number_of(info.get_slot(server_slot)));
    info.add_reply_service_context({0x54450002, {number}}, false);
  };
  c1->code["receive_reply"] = [&](ClientRequestInfo& info) {
    const auto number = static_cast<std::uint8_t>(number_of(info.get_slot(client_slot)) + 1);
    EXPECT_EQ(info.get_reply_service_context(0x54450002).context_data(), CORBA::OctetSeq{number});
  };
  std::vector<std::thread> callers;
  for (std::int32_t me = 0; me < 4; ++me) {
    callers.emplace_back([&, me] {
      current->set_slot(client_slot, number_in_any(me));
      for (int i = 0; i < 50; ++i) EXPECT_EQ(target->exchange_slot(me + 1), me);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace tenon::spied
