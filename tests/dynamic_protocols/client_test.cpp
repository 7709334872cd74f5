// SPDX-License-Identifier: Apache-2.0
//
// Protocols of an ORB that calls: added, removed and changed while calls run on them and on others.
#include <future>

#include <sys/resource.h>

#include "orb/orb.hpp"
#include "plugins/shmiop/plugin.hpp"
#include "tenon/parts.hpp"
#include "tenon/protocols.hpp"
#include "tests/dynamic_protocols/world.hpp"
#include "work_async.hpp"

namespace tenon::changing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Words on_both() {
  return {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBListenEndpoints", new_uiop_endpoint()};
}

TEST(ClientProtocolsThatChange, OneThatIsAddedIsUsedByReferencesThatWereThereBefore) {
  const Served server(on_both());
  const ScopedOrb client({"-ORBProtocol", "iiop"});
  const WorkRef there = server.seen_by(client);
  EXPECT_EQ(there->add(1, 2), 3);
  add_protocol(*client, "uiop");
  EXPECT_EQ(protocol_names(*client), (Words{"iiop", "uiop"}));
  EXPECT_EQ(there->add(1, 2), 3);
  EXPECT_EQ(connections(client), "iiop");  // the call has a connection, and stays with it
  remove_protocol(*client, "iiop");
  EXPECT_EQ(protocol_names(*client), (Words{"uiop"}));
  EXPECT_EQ(there->add(1, 2), 3);
  EXPECT_EQ(connections(client), "uiop");
}

TEST(ClientProtocolsThatChange, OneThatIsAddedIsUsedByNewReferences) {
  const Served server({"-ORBListenEndpoints", new_uiop_endpoint()});
  const ScopedOrb client({"-ORBProtocol", "iiop"});
  EXPECT_EQ(error_of([&] { server.seen_by(client)->add(1, 2); }), errors::no_usable_profile_implemented);
  add_protocol(*client, "uiop");
  EXPECT_EQ(server.seen_by(client)->add(1, 2), 3);
}

TEST(ClientProtocolsThatChange, AReferenceThatLedNowhereLeadsThereOnceItsProtocolIsAdded) {
  const Served server({"-ORBListenEndpoints", new_uiop_endpoint()});
  const ScopedOrb client({"-ORBProtocol", "iiop"});
  const WorkRef there = server.seen_by(client);
  EXPECT_EQ(error_of([&] { there->add(1, 2); }), errors::no_usable_profile_implemented);
  add_protocol(*client, "uiop");
  EXPECT_EQ(there->add(1, 2), 3);
}

TEST(ClientProtocolsThatChange, ThatOneIsAddedDisturbsNoCall) {
  const Served server(on_both());
  const ScopedOrb client({"-ORBProtocol", "iiop"});
  Callers calling(server.seen_by(client), 3);
  for (int i = 0; i < 30; ++i) {
    add_protocol(*client, "uiop");
    EXPECT_EQ(over(server.seen_by(client), {uiop_tag})->add(i, 1), i + 1);
    remove_protocol(*client, "uiop");
    calling.go_on(3);
  }
  EXPECT_EQ(calling.stop(), "");
}

TEST(ClientProtocolsThatChange, ThatOneIsRemovedDisturbsNoCallWhereThereIsAnotherProfile) {
  const Served server(on_both());
  const ScopedOrb client;
  const WorkRef there = server.seen_by(client);
  Callers over_tcp(over(there, {iiop_tag}), 2);
  Callers over_any(over(there, {uiop_tag, any_protocol}), 3);
  for (int i = 0; i < 20; ++i) {
    over_any.go_on(5);
    remove_protocol(*client, "uiop");
    over_any.go_on(5);
    add_protocol(*client, "uiop");
    EXPECT_EQ(over(there, {uiop_tag})->add(i, 1), i + 1);
  }
  EXPECT_EQ(over_any.stop(), "");
  EXPECT_EQ(over_tcp.stop(), "");
}

TEST(ClientProtocolsThatChange, CallsInFlightEndNormallyAndOthersNoticeNothing) {
  const Served server(on_both());
  const ScopedOrb client;
  const WorkRef there = server.seen_by(client);
  const WorkRef over_unix = over(there, {uiop_tag});
  auto in_flight = std::async(std::launch::async, [&] { return over_unix->held(5); });
  server.worker->wait_until_held(1);
  const std::size_t before = protocol_names(*client).size();
  auto removal = std::async(std::launch::async, [&] { remove_protocol(*client, "uiop", seconds(60)); });
  while (protocol_names(*client).size() == before) std::this_thread::yield();
  EXPECT_EQ(error_of([&] { over_unix->add(1, 2); }), errors::no_protocol_of_policy);
  EXPECT_EQ(error_of([&] { over(server.seen_by(client), {uiop_tag})->add(1, 2); }),
            errors::no_protocol_of_policy);
  EXPECT_EQ(over(there, {iiop_tag})->add(1, 2), 3);
  EXPECT_EQ(there->add(1, 2), 3);
  EXPECT_EQ(removal.wait_for(milliseconds(50)), std::future_status::timeout);
  server.worker->let_go();
  EXPECT_EQ(in_flight.get(), 5);
  removal.get();
  EXPECT_EQ(connections(client), "iiop");
}

TEST(ClientProtocolsThatChange, AsynchronousCallsInFlightEndNormally) {
  const Served server(on_both());
  const ScopedOrb client;
  const WorkRef over_unix = over(server.seen_by(client), {uiop_tag});
  auto reply = tenon::async(over_unix).held(6);
  server.worker->wait_until_held(1);
  auto removal = std::async(std::launch::async, [&] { remove_protocol(*client, "uiop", seconds(60)); });
  EXPECT_EQ(removal.wait_for(milliseconds(50)), std::future_status::timeout);
  server.worker->let_go();
  EXPECT_EQ(reply.get(), 6);
  removal.get();
}

TEST(ClientProtocolsThatChange, CallsInFlightEndAtTheDeadline) {
  const Served server(on_both());
  const ScopedOrb client;
  const WorkRef over_unix = over(server.seen_by(client), {uiop_tag});
  auto in_flight =
      std::async(std::launch::async, [&] { return error_of([&] { over_unix->held(5); }).completed; });
  server.worker->wait_until_held(1);
  remove_protocol(*client, "uiop", milliseconds(30));
  EXPECT_EQ(in_flight.get(), Completion::maybe);
  server.worker->let_go();
}

TEST(ClientProtocolsThatChange, OnewaysThatAreBufferedAreSentBefore) {
  const Served server(on_both());
  const ScopedOrb client;
  const WorkRef there = server.seen_by(client);
  const WorkRef over_unix = IDL::traits<::Changing::Work>::unchecked_narrow(
      over(there, {uiop_tag})
          ->_set_policy_overrides({create_sync_scope_policy(Messaging::SYNC_NONE)},
                                  CORBA::SetOverrideType::ADD_OVERRIDE));
  for (int i = 0; i < 100; ++i) over_unix->note(i);
  remove_protocol(*client, "uiop");
  const WorkRef other = over(there, {iiop_tag});
  while (other->noted() != 100) std::this_thread::yield();
}

TEST(ClientProtocolsThatChange, TheOnlyOneGoesAndComesBack) {
  const Served server(on_both());
  const ScopedOrb client({"-ORBProtocol", "iiop"});
  const WorkRef there = server.seen_by(client);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(there->add(1, 2), 3);
    EXPECT_EQ(connections(client), "iiop");
    remove_protocol(*client, "iiop");
    EXPECT_EQ(protocol_names(*client), Words());
    EXPECT_EQ(connections(client), "");
    EXPECT_EQ(error_of([&] { there->add(1, 2); }), errors::no_usable_profile_implemented);
    EXPECT_EQ(error_of([&] { server.seen_by(client)->add(1, 2); }), errors::no_usable_profile_implemented);
    add_protocol(*client, "iiop");
  }
}

TEST(ClientProtocolsThatChange, RemovingLeavesNoDescriptorOpen) {
  const Served server(on_both());
  const ScopedOrb client;
  const WorkRef there = server.seen_by(client);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 120;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  for (int i = 0; i < 150; ++i) {
    EXPECT_EQ(over(there, {uiop_tag})->add(i, 1), i + 1);
    remove_protocol(*client, "uiop");
    add_protocol(*client, "uiop");
  }
  EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(ClientProtocolsThatChange, FromManyThreadsAtOnce) {
  const Served server(on_both());
  const ScopedOrb client;
  const std::size_t before = protocol_names(*client).size();
  Callers calling(over(server.seen_by(client), {iiop_tag, any_protocol}), 2);
  std::vector<std::thread> changing;
  for (const char* const name : {"uiop", "uiop", "shmiop"}) {
    changing.emplace_back([&client, name] {
      for (int i = 0; i < 30; ++i) {
        try {
          remove_protocol(*client, name);
        } catch (const CORBA::BAD_PARAM&) {  // another thread was quicker
        }
        try {
          add_protocol(*client, name);
        } catch (const CORBA::BAD_PARAM&) {  // likewise
        }
      }
    });
  }
  for (std::thread& each : changing) each.join();
  EXPECT_EQ(calling.stop(), "");
  EXPECT_EQ(protocol_names(*client).size(), before);
}

TEST(ClientProtocolsThatChange, APlugInOfTheProgram) {
  const Served server({"-ORBListenEndpoints", new_uiop_endpoint()});
  const ScopedOrb client({"-ORBProtocol", "iiop"});
  add_protocol(*client, {uiop::make_plugin(), giop::make_messaging()});
  EXPECT_EQ(server.seen_by(client)->add(1, 2), 3);
}

TEST(ClientProtocolsThatChange, OptionsOfOneThatIsInUse) {
  const ScopedOrb orb;
  const auto ring = [&] {
    return static_cast<const shmiop::Plugin&>(*orb->_core().transport_named("shmiop")).ring_octets();
  };
  set_protocol_option(*orb, "shmiop", "ring", "8K");
  EXPECT_EQ(ring(), 8192U);
  std::string said;
  EXPECT_EQ(error_of([&] { set_protocol_option(*orb, "shmiop", "ring", "9K"); }, &said),
            errors::bad_protocol_option);
  EXPECT_NE(said.find("power of two"), std::string::npos) << said;
  EXPECT_EQ(ring(), 8192U);
  EXPECT_EQ(error_of([&] { set_protocol_option(*orb, "shmiop", "rung", "9K"); }, &said),
            errors::bad_protocol_option);
  EXPECT_NE(said.find("it has ring, in_place, spin"), std::string::npos) << said;
  EXPECT_EQ(error_of([&] { set_protocol_option(*orb, "toy", "ring", "9K"); }, &said),
            errors::no_such_protocol);
  EXPECT_NE(said.find("it has iiop, uiop, shmiop"), std::string::npos) << said;
  remove_protocol(*orb, "shmiop");
  add_protocol(*orb, "shmiop", {.options = {{"ring", "4K"}}});
  EXPECT_EQ(ring(), 4096U);
}

/// A plug-in whose only option is for the time before it is used.
class Fixed final : public protocol::TransportPlugin {
 public:
  std::span<const protocol::PluginOption> own_options() const noexcept override {
    static constexpr protocol::PluginOption all[] = {{"pace", "n", "How fast."}};
    return all;
  }
  bool set_option(std::string_view, std::string_view value, std::string&) override {
    pace = value;
    return true;
  }
  std::string_view name() const noexcept override { return "fixed"; }
  std::uint32_t profile_tag() const noexcept override { return 0x54450077; }
  std::unique_ptr<protocol::Acceptor> listen(std::string_view, std::string& why) override {
    why = "not here";
    return nullptr;
  }
  Result<std::unique_ptr<protocol::Transport>> connect(std::string_view, Deadline) override {
    return errors::cannot_connect;
  }
  Result<protocol::ProfileView> read_profile(ByteView) const override { return errors::bad_profile; }
  ior::TaggedProfile make_profile(const protocol::ProfileView&) const override { return {}; }
  bool read_url_address(std::string_view, protocol::ProfileView&, std::string&) const override {
    return false;
  }
  std::string url_address(const protocol::ProfileView&, std::size_t) const override { return {}; }

  std::string pace;
};

TEST(ClientProtocolsThatChange, OptionsThatDoNotChangeInUse) {
  const ScopedOrb orb;
  auto plugin = std::make_unique<Fixed>();
  const Fixed& fixed = *plugin;
  add_protocol(*orb, {std::move(plugin), giop::make_messaging()}, {.options = {{"pace", "3"}}});
  EXPECT_EQ(fixed.pace, "3");
  std::string said;
  EXPECT_EQ(error_of([&] { set_protocol_option(*orb, "fixed", "pace", "4"); }, &said),
            errors::bad_protocol_option);
  EXPECT_NE(said.find("cannot change while the protocol is in use"), std::string::npos) << said;
  EXPECT_EQ(fixed.pace, "3");
}

TEST(ClientProtocolsThatChange, WhatIsWrongIsSaidAndChangesNothing) {
  const ScopedOrb orb;
  const Words before = protocol_names(*orb);
  std::string said;
  EXPECT_EQ(error_of([&] { add_protocol(*orb, "uiop"); }, &said), errors::protocol_is_there);
  EXPECT_NE(said.find("protocol uiop: the ORB has a protocol of that name already"), std::string::npos)
      << said;
  EXPECT_EQ(error_of([&] { add_protocol(*orb, "toy"); }, &said), errors::protocol_not_provided);
  EXPECT_NE(said.find("there are iiop, uiop, shmiop"), std::string::npos) << said;
  EXPECT_EQ(error_of([&] { add_protocol(*orb, "toy", {.library = "/no/such/file.so"}); }, &said),
            errors::protocol_not_provided);
  EXPECT_NE(said.find("/no/such/file.so"), std::string::npos) << said;
  EXPECT_EQ(error_of([&] { remove_protocol(*orb, "toy"); }, &said), errors::no_such_protocol);
  EXPECT_NE(said.find("it has iiop, uiop, shmiop"), std::string::npos) << said;
  EXPECT_EQ(error_of([&] { add_protocol(*orb, orb::Protocol()); }), errors::protocol_does_not_fit);
  EXPECT_EQ(protocol_names(*orb), before);

  remove_protocol(*orb, "shmiop");
  EXPECT_EQ(error_of([&] { remove_protocol(*orb, "shmiop"); }), errors::no_such_protocol);
  EXPECT_EQ(error_of([&] { add_protocol(*orb, "shmiop", {.options = {{"ring", "1"}}}); }),
            errors::bad_protocol_option);
  EXPECT_EQ(error_of([&] { add_protocol(*orb, "shmiop", {.endpoints = {"shmiop://a b"}}); }),
            errors::cannot_listen);
  EXPECT_EQ(protocol_names(*orb).size(), before.size() - 1);
}

TEST(ClientProtocolsThatChange, NotOfAnOrbWithoutThatPart) {
  Configuration configuration;
  configuration.id = "changing-without-part";
  const OrbRef orb = init_orb(std::move(configuration), {tenon::client});
  EXPECT_EQ(error_of([&] { add_protocol(*orb, {uiop::make_plugin(), giop::make_messaging()}); }),
            errors::protocols_do_not_change);
  EXPECT_EQ(protocol_names(*orb), Words{"iiop"});
  orb->destroy();
}

TEST(ClientProtocolsThatChange, NotOfAnOrbThatEnds) {
  const OrbRef orb = CORBA::ORB_init(Words{"test"}, "changing-ended");
  orb->shutdown(true);
  EXPECT_EQ(error_of([&] { remove_protocol(*orb, "uiop"); }), errors::orb_has_shut_down);
  EXPECT_EQ(error_of([&] { add_endpoint(*orb, "iiop://127.0.0.1:0"); }), errors::orb_has_shut_down);
  orb->destroy();
  EXPECT_THROW(remove_protocol(*orb, "uiop"), CORBA::OBJECT_NOT_EXIST);
}

}  // namespace
}  // namespace tenon::changing
