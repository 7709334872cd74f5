// SPDX-License-Identifier: Apache-2.0
//
// References tried against servers that have the object, do not know it, say that it is elsewhere, are gone, or are none; and what is
// advised then.
#include "tools/ior/probe.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <thread>

#include "base/clock.hpp"
#include "base/minor_codes.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/named_profile.hpp"
#include "ior/omniorb_unix.hpp"
#include "net/listener.hpp"
#include "net/name_source_test_support.hpp"
#include "orb/orb.hpp"
#include "plugins/giop/giop.hpp"
#include "plugins/iiop/iiop.hpp"
#ifdef TENON_WITH_SHMIOP
#include "plugins/shmiop/shmiop.hpp"
#endif

namespace tenon::explain {
namespace {

/// Has the object "here", and knows that "moved" is elsewhere. No client calls any operation.
class KnowsKeys final : public orb::Adapter {
 public:
  void upcall(protocol::IncomingCall&) override { ADD_FAILURE() << "a call"; }
  Result<protocol::LocateStatus> locate(ByteView key, ior::Ior& forward, Deadline) override {
    const std::string name(key.begin(), key.end());
    if (name == "here") return protocol::LocateStatus::object_here;
    if (name != "moved") return protocol::LocateStatus::unknown_object;
    forward.type_id = "IDL:Elsewhere:1.0";
    forward.profiles = {{0x99, {1}}};
    return protocol::LocateStatus::object_forward;
  }
  bool owns(ByteView) const noexcept override { return false; }
  void shut_down(bool) override {}
};

/// Durations differ from run to run, so each one becomes a T.
std::string without_times(std::string text) {
  for (const char* unit : {" ms", " s"}) {
    for (std::size_t at = 0; (at = text.find(unit, at)) != std::string::npos;) {
      std::size_t from = at;
      while (from > 0 && text.find_last_of("0123456789.", from - 1) == from - 1) --from;
      if (from == at) {
        ++at;
        continue;
      }
      text.replace(from, at + std::string_view(unit).size() - from, "T");
      at = from;
    }
  }
  return text;
}

class Probe : public testing::Test {
 protected:
  void SetUp() override {
    orb::Options options;
    options.endpoints = {"iiop://127.0.0.1"};
    orb::Parts parts;
    parts.protocols.push_back({iiop::make_plugin(), giop::make_messaging()});
#ifdef TENON_WITH_SHMIOP
    options.endpoints.push_back("shmiop://@" + shared);
    parts.protocols.push_back({shmiop::make_plugin(), giop::make_messaging()});
#endif
    orb::all_parts(parts);
    server = make_ref<orb::Orb>(std::move(options), std::move(parts));
    server->set_adapter(&adapter);
    std::string why;
    ASSERT_TRUE(server->listen(why)) << why;
    const std::string endpoint = server->endpoints().front();
    port = endpoint.substr(endpoint.rfind(':'));
  }
  void TearDown() override { EXPECT_TRUE(server->destroy()); }

  struct Said {
    std::vector<Try> tries;
    std::string advice;
  };
  Said said_of(const std::string& url, std::int64_t timeout_ms = 60'000) {
    ior::Ior reference;
    std::string why;
    EXPECT_TRUE(read_reference(url, reference, why)) << why;
    Said said;
    said.tries = probe(reference, timeout_ms, names);
    said.advice = advice(reference, said.tries);
    return said;
  }
  /// For references with one address.
  Outcome outcome_of(const std::string& url, std::int64_t timeout_ms = 60'000) {
    const Said said = said_of(url, timeout_ms);
    EXPECT_EQ(said.tries.size(), 1U);
    return said.tries.empty() ? Outcome::not_tried : said.tries.front().outcome;
  }

  KnowsKeys adapter;
  Ref<orb::Orb> server;
  std::string port;  // ":40123"
  std::string shared = "tenon-probe-" + std::to_string(::getpid());
  std::shared_ptr<net::TestSource> source = std::make_shared<net::TestSource>();
  net::HostNames names{source};
};

TEST_F(Probe, FindsTheObject) {
  for (const char* version : {"", "1.0@", "1.1@", "1.2@"}) {
    const Said said = said_of(std::string("corbaloc::") + version + "127.0.0.1" + port + "/here");
    ASSERT_EQ(said.tries.size(), 1U);
    EXPECT_EQ(said.tries[0].outcome, Outcome::here) << version;
    EXPECT_EQ(said.advice, "");
    EXPECT_EQ(without_times(in_words(said.tries[0])),
              "127.0.0.1" + port + ": the object is here; connection T, answer T");
  }
}

TEST_F(Probe, TellsWhatTheServerSays) {
  EXPECT_EQ(outcome_of("corbaloc::127.0.0.1" + port + "/other"), Outcome::unknown_object);
  EXPECT_NE(said_of("corbaloc::127.0.0.1" + port + "/other").advice.find("PERSISTENT"), std::string::npos);
  const Said moved = said_of("corbaloc::1.2@127.0.0.1" + port + "/moved");
  ASSERT_EQ(moved.tries.size(), 1U);
  EXPECT_EQ(moved.tries[0].outcome, Outcome::elsewhere);
  ior::Ior forward;
  std::string why;
  ASSERT_TRUE(read_reference(moved.tries[0].forward, forward, why)) << why;
  EXPECT_EQ(forward.type_id, "IDL:Elsewhere:1.0");
}

TEST_F(Probe, TriesEveryAddressAndSaysThatTheFirstOnesCost) {
  net::Listener taken;  // a port of ours, given up again, so that no process listens there
  std::string why;
  ASSERT_TRUE(taken.open(*net::numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  const std::string free_port = std::to_string(taken.address().port());
  taken.shut_down();
  const Said said = said_of("corbaloc::127.0.0.1:" + free_port + ",:127.0.0.1" + port + "/here");
  ASSERT_EQ(said.tries.size(), 2U);
  EXPECT_EQ(said.tries[0].outcome, Outcome::not_connected);
  EXPECT_EQ(said.tries[1].outcome, Outcome::here);
  EXPECT_NE(in_words(said.tries[0]).find("errno"), std::string::npos);
  EXPECT_NE(said.advice.find("in order"), std::string::npos) << said.advice;
  EXPECT_NE(said.advice.find("publish"), std::string::npos) << said.advice;
}

TEST_F(Probe, LooksUpNamesAndTriesAllTheirAddresses) {
  source->answer("server.test", "127.0.0.1");
  const Said said = said_of("corbaloc::server.test" + port + "/here");
  ASSERT_EQ(said.tries.size(), 1U);
  EXPECT_EQ(without_times(in_words(said.tries[0])),
            "server.test" + port + " (127.0.0.1" + port +
                "): the object is here; look-up T, connection T, answer T");
  EXPECT_EQ(outcome_of("corbaloc::nobody.test/here"), Outcome::host_not_found);
  EXPECT_NE(
      in_words(said_of("corbaloc::nobody.test/here").tries[0]).find("no address for host 'nobody.test'"),
      std::string::npos);
  EXPECT_NE(said_of("corbaloc::nobody.test/here").advice.find("/etc/hosts"), std::string::npos);
  source->hold("stuck.test");
  EXPECT_EQ(outcome_of("corbaloc::stuck.test/here", 5), Outcome::look_up_too_slow);
  source->let_go("stuck.test");
}

TEST_F(Probe, AWildcardAddressWorksHereOnly) {
  const Said said = said_of("corbaloc::0.0.0.0" + port + "/here");
  ASSERT_EQ(said.tries.size(), 1U);
  EXPECT_NE(said.advice.find("publish="), std::string::npos) << said.advice;
}

TEST_F(Probe, TellsHowLongEachStepTook) {
  const std::int64_t began = steady_now();
  const Said said = said_of("corbaloc::127.0.0.1" + port + "/here");
  const std::int64_t all = steady_now() - began;
  ASSERT_EQ(said.tries.size(), 1U);
  EXPECT_GT(said.tries[0].connected_ns, 0);
  EXPECT_GT(said.tries[0].answered_ns, 0);
  EXPECT_LT(said.tries[0].connected_ns + said.tries[0].answered_ns, all);
  EXPECT_EQ(said.tries[0].looked_up_ns, -1);
}

TEST_F(Probe, KnowsWhoDoesNotSpeakGiop) {
  net::Listener other;
  std::string why;
  ASSERT_TRUE(other.open(*net::numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  // Takes the connection and says nothing.
  EXPECT_EQ(outcome_of("corbaloc::127.0.0.1:" + std::to_string(other.address().port()) + "/here", 50),
            Outcome::no_answer);
}

TEST_F(Probe, AddressesThatNobodyCanUse) {
  EXPECT_EQ(outcome_of("corbaloc:uiop:/no/such/socket.test|/here"), Outcome::not_connected);
  EXPECT_NE(said_of("corbaloc:uiop:/no/such/socket.test|/here").advice.find("within one machine"),
            std::string::npos);
  ior::Ior strange;
  strange.profiles = {{0x99, {1}}};
  EXPECT_TRUE(probe(strange, 1000, names).empty());
  EXPECT_NE(advice(strange, {}).find("IIOP"), std::string::npos);
  EXPECT_EQ(advice(ior::Ior(), {}), "");
}

#ifdef TENON_WITH_SHMIOP
TEST_F(Probe, TriesSharedMemory) {
  EXPECT_EQ(outcome_of("corbaloc:shmiop:1.2@" + shared + "/here"), Outcome::here);
  EXPECT_EQ(outcome_of("corbaloc:shmiop:" + shared + "/other"), Outcome::unknown_object);
  const Said nobody = said_of("corbaloc:shmiop:1.2@tenon-nobody.test/here");
  ASSERT_EQ(nobody.tries.size(), 1U);
  EXPECT_EQ(nobody.tries[0].outcome, Outcome::not_connected);
  EXPECT_NE(
      in_words(nobody.tries[0]).find("shared memory @tenon-nobody.test: no connection: Connection refused"),
      std::string::npos)
      << in_words(nobody.tries[0]);
  EXPECT_NE(nobody.advice.find("processes of one user"), std::string::npos) << nobody.advice;
}
#endif

TEST_F(Probe, SaysWhyAPlaceIsNotTried) {
  ior::Ior elsewhere;
  elsewhere.profiles = {ior::make_named_profile(ior::tag_tenon_shmiop, {2, "far/4:5/0", "@app", {'k'}, {}})};
  const auto tries = probe(elsewhere, 1000, names);
  ASSERT_EQ(tries.size(), 1U);
  EXPECT_TRUE(in_words(tries[0]).starts_with("shared memory @app: not tried: ")) << in_words(tries[0]);
#ifdef TENON_WITH_SHMIOP
  EXPECT_NE(in_words(tries[0]).find("another machine, in another container"), std::string::npos);
#endif
  EXPECT_NE(advice(elsewhere, tries).find("TCP"), std::string::npos);
  const Said inside = said_of("corbaloc:inproc:1.2@app/here");
  ASSERT_EQ(inside.tries.size(), 1U);
  EXPECT_EQ(in_words(inside.tries[0]),
            "inside one process, app: not tried: only ORBs of the server's own process use this address");
}

TEST_F(Probe, TriesOmniOrbsSocketsOfThisHost) {
  const auto places_of = [](const std::string& host, std::uint16_t tcp_port) {
    ior::Ior reference;
    reference.profiles = {ior::make_iiop_profile(
        {2, {"vm.test", tcp_port}, {'k'}, {ior::omniorb_unix_component(host, "/no/such/socket.test")}})};
    return places(reference);
  };
  const std::vector<Place> here = places_of(omniorb_host_here(), 0);
  ASSERT_EQ(here.size(), 1U);
  EXPECT_EQ(here[0].transport, Transport::uiop);
  EXPECT_EQ(here[0].path, "/no/such/socket.test");
  const std::vector<Place> also_tcp = places_of(omniorb_host_here(), 7);
  ASSERT_EQ(also_tcp.size(), 2U);
  EXPECT_EQ(also_tcp[0].transport, Transport::uiop);
  EXPECT_EQ(also_tcp[1].host.port, 7);
  const std::vector<Place> far = places_of("other.test", 0);
  ASSERT_EQ(far.size(), 1U);
  EXPECT_EQ(far[0].host.port, 0);
}

TEST(Advice, DependsOnWhereAnAddressIs) {
  const auto advised = [](const std::string& host, int os_error, bool loopback, bool private_network) {
    Try each;
    each.place.host = {host, 5};
    each.outcome = Outcome::not_connected;
    each.os_error = os_error;
    each.loopback = loopback;
    each.private_network = private_network;
    ior::Ior reference;
    reference.profiles.resize(1);
    return advice(reference, {each});
  };
  EXPECT_NE(advised("0.0.0.0", ECONNREFUSED, false, false).find("nobody can connect"), std::string::npos);
  EXPECT_NE(advised("127.0.0.1", ECONNREFUSED, true, false).find("on this machine"), std::string::npos);
  EXPECT_NE(advised("192.0.2.1", ECONNREFUSED, false, false).find("nobody listens"), std::string::npos);
  EXPECT_NE(advised("10.0.0.1", ETIMEDOUT, false, true).find("private network"), std::string::npos);
  EXPECT_NE(advised("192.0.2.1", ETIMEDOUT, false, false).find("firewall"), std::string::npos);
}

}  // namespace
}  // namespace tenon::explain
