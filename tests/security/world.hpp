// SPDX-License-Identifier: Apache-2.0
//
// ORBs with CSIv2 over iiop, ssliop and uiop, a server that says who has called it, and passwords.
#pragma once

#include <tenon/csi.hpp>

#include "plugins/uiop/uiop.hpp"
#include "tests/ssliop/world.hpp"

namespace tenon::suite {

struct CsiOrb : TlsOrb {
  explicit CsiOrb(const Words& options) : TlsOrb(options, uiop_with_csi()) {}

 private:
  static orb::Protocols uiop_with_csi() {
    csi::enable();
    orb::Protocols protocols;
    protocols.push_back({uiop::make_plugin(), giop::make_messaging()});
    return protocols;
  }
};

/// alice, secret; gateway, key.
inline csi::Target bank() {
  csi::Target target;
  target.domain = "bank";
  target.accepts = [](const csi::Login& login) {
    return (login.user == "alice" && login.password == "secret") ||
           (login.user == "gateway" && login.password == "key");
  };
  return target;
}
inline csi::Target bank_in_clear() {
  csi::Target target = bank();
  target.in_clear = true;
  return target;
}

inline csi::Credentials alice(const std::string& password = "secret") {
  return {.user = "alice", .password = password};
}
inline csi::Credentials alice_in_clear(const std::string& password = "secret") {
  return {.user = "alice", .password = password, .in_clear = true};
}

/// who(): "user alice, unix".
class CallerServant final : public TestServant {
 public:
  explicit CallerServant(CORBA::ORB& orb) : TestServant(orb) {}
  std::string who() override {
    ++upcalls;
    const Identity peer = tenon::peer();
    const std::string way = !peer["version"].empty() ? "tls" : peer ? std::string(peer.kind) : "clear";
    return csi::caller().text() + ", " + way;
  }
  void noop() override { ++upcalls; }
  void note(std::int32_t number) override {
    ++upcalls;
    TestServant::note(number);
  }
  std::atomic<int> upcalls{0};
};

inline constexpr const char* on_tcp = "iiop://127.0.0.1";
inline constexpr const char* on_tls = "ssliop://127.0.0.1";

struct CsiServer : CsiOrb {
  CsiServer(const csi::Target& target, const std::string& endpoints, const Words& more = {},
            const std::string& serving = "pool")
      : CsiOrb([&] {
          Words all = tls("server", {"-ORBServing", serving, "-ORBListenEndpoints", endpoints});
          all.insert(all.end(), more.begin(), more.end());
          return all;
        }()) {
    csi::set_target(*orb, target);
    servant = CORBA::make_reference<CallerServant>(*orb);
    test = tenon::publish<Suite::Test_skeleton>(orb, servant);
    text = orb->object_to_string(test);
    main = std::thread([this] { outcome_of([this] { orb->run(); }); });
  }
  ~CsiServer() {
    outcome_of([this] { orb->shutdown(true); });
    main.join();
  }
  CsiServer(const CsiServer&) = delete;
  CsiServer& operator=(const CsiServer&) = delete;

  CORBA::servant_reference<CallerServant> servant;
  TestRef test;
  std::string text;
  std::thread main;
};

/// A client with these credentials.
struct CsiClient : CsiOrb {
  explicit CsiClient(const csi::Credentials& own, const Words& more = {}, const std::string& certificate = "")
      : CsiOrb(tls(certificate, more)) {
    csi::set_credentials(*orb, own);
  }
};

inline std::string who(const TestRef& test) {
  std::string said;
  const std::string failed = message_of([&] { said = test->who(); });
  return failed.empty() ? said : failed;
}

}  // namespace tenon::suite
