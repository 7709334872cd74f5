// SPDX-License-Identifier: Apache-2.0
//
// Service contexts between our interceptors and omniORB's, both ways, in each GIOP version.
#ifdef TENON_OMNIORB_SPY

#include <cstdio>

#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

/// The peer program; what it prints.
class Peer {
 public:
  explicit Peer(const std::string& arguments)
      : pipe_(::popen(("exec timeout 60 " + std::string(TENON_OMNIORB_SPY) + " " + arguments).c_str(), "r")) {
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer() {
    if (pipe_ != nullptr) ::pclose(pipe_);
  }
  std::string line() {
    std::string text;
    for (int c = std::fgetc(pipe_); c != EOF && c != '\n'; c = std::fgetc(pipe_))
      text += static_cast<char>(c);
    return text;
  }
  /// Waits for its end.
  int status() { return ::pclose(std::exchange(pipe_, nullptr)); }

 private:
  std::FILE* pipe_;
};

class OmniOrb : public Spies, public ::testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    server_options = {"-ORBGIOPVersion", GetParam()};
    client_options = server_options;
    start();
  }
  std::string peer_options() const { return " -ORBmaxGIOPVersion " + GetParam(); }
};

CORBA::OctetSeq octets(std::string_view text) { return {text.begin(), text.end()}; }

TEST_P(OmniOrb, ServesOurCalls) {
  Peer peer("server" + peer_options());
  const auto object = client->string_to_object(peer.line());
  ASSERT_TRUE(object);
  const auto other = IDL::traits<Spied::Target>::unchecked_narrow(object);
  CORBA::OctetSeq returned;
  c1->code["send_request"] = [](ClientRequestInfo& info) {
    info.add_request_service_context({there, octets("from us")}, false);
  };
  // omniORB puts no contexts into replies of GIOP 1.1.
  if (GetParam() != "1.1") {
    c1->code["receive_reply"] = c1->code["receive_exception"] = [&](ClientRequestInfo& info) {
      returned = info.get_reply_service_context(back).context_data();
    };
  }
  const CORBA::OctetSeq expected = GetParam() != "1.1" ? octets("from us!") : CORBA::OctetSeq();
  EXPECT_EQ(other->who(), "omniORB got from us");
  EXPECT_EQ(other->scale(1.25), 2.5);
  EXPECT_EQ(returned, expected);
  returned.clear();
  EXPECT_THROW(other->fail(), CORBA::TRANSIENT);
  EXPECT_EQ(returned, expected);
  other->note(-1);
  EXPECT_EQ(peer.status(), 0);
}

TEST_P(OmniOrb, CallsUs) {
  std::mutex mutex;
  CORBA::OctetSeq brought;
  s1->code["receive_request"] = [&](ServerRequestInfo& info) {
    const std::lock_guard lock(mutex);
    brought = info.get_request_service_context(there).context_data();
  };
  s1->code["send_reply"] = s1->code["send_exception"] = [&](ServerRequestInfo& info) {
    info.add_reply_service_context({back, octets("from us")}, false);
  };
  const auto servant = CORBA::make_reference<TargetServant>(diary, "ours");
  Peer peer("client " + server->object_to_string(tenon::publish(server, servant, "ours")) + peer_options());
  EXPECT_EQ(peer.line(), "from us 2.5");
  EXPECT_EQ(peer.line(), "from us 7");
  EXPECT_EQ(peer.status(), 0);
  const std::lock_guard lock(mutex);
  EXPECT_EQ(brought, octets("from omniORB"));
}

INSTANTIATE_TEST_SUITE_P(Versions, OmniOrb, ::testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& version) { return "v" + std::string(1, version.param[2]); });

}  // namespace
}  // namespace tenon::spied

#endif
