// SPDX-License-Identifier: Apache-2.0
//
// Rules of access stand behind interceptors: these see what is refused, and by whom it was called.
#include <unistd.h>

#include <tenon/access.hpp>
#include <tenon/peer.hpp>

#include "base/minor_codes.hpp"
#include "world.hpp"

namespace tenon::spied {
namespace {

/// What each point of a server sees of the caller.
class RefusalSpy final : public ServerRequestInterceptor {
 public:
  std::string name() override { return "refusals"; }
  void receive_request_service_contexts(ServerInfoRef) override { note("arrived"); }
  void receive_request(ServerInfoRef) override { note("found"); }
  void send_reply(ServerInfoRef) override { note("replied"); }
  void send_exception(ServerInfoRef) override { note("refused"); }

  Words seen;

 private:
  void note(const std::string& point) {
    seen.push_back(point + " " + std::string(tenon::peer().kind.empty() ? "unknown" : tenon::peer().kind));
  }
};

struct Protocol {
  const char* endpoint;
  const char* collocated;
  const char* kind;
};

TEST(RefusedCalls, AreSeenByInterceptorsWithTheirCaller) {
  const std::string socket = "uiop://" + ::testing::TempDir() + "tenon_refused_" + std::to_string(::getpid());
  for (const Protocol& over :
       {Protocol{"iiop://127.0.0.1", "yes", "self"}, Protocol{"iiop://127.0.0.1", "no", "unknown"},
        Protocol{socket.c_str(), "no", "unix"}}) {
    const auto spy = CORBA::make_reference<RefusalSpy>();
    Diary diary;
    const OrbRef orb = make_orb([&](ORBInitInfo& info) { info.add_server_request_interceptor(spy); },
                                {"-ORBListenEndpoints", over.endpoint, "-ORBCollocation", over.collocated});
    const auto target = IDL::traits<Spied::Target>::unchecked_narrow(
        publish(orb, CORBA::make_reference<TargetServant>(diary, "only")));
    tenon::set_access_rules(*orb, std::string("allow operation=who kind=") + over.kind);
    EXPECT_EQ(target->who(), "only");
    const std::string by = std::string(" ") + over.kind;
    EXPECT_EQ(spy->seen, Words({"arrived" + by, "found" + by, "replied" + by}));
    spy->seen.clear();
    try {
      target->add(1, 2);
      ADD_FAILURE() << over.endpoint;
    } catch (const CORBA::NO_PERMISSION& refused) {
      EXPECT_EQ(refused.minor(), errors::access_refused.minor);
      EXPECT_EQ(refused.completed(), CORBA::CompletionStatus::COMPLETED_NO);
    }
    EXPECT_EQ(spy->seen, Words({"arrived" + by, "refused" + by}));
    orb->destroy();
  }
}

}  // namespace
}  // namespace tenon::spied
