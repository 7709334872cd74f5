// SPDX-License-Identifier: Apache-2.0
//
// ORBs with iiop and ssliop, and certificates for them.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <tenon/peer.hpp>

#include "ior/object_url.hpp"
#include "plugins/giop/giop.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/ssliop/certificates_test_support.hpp"
#include "plugins/ssliop/profile.hpp"
#include "plugins/ssliop/ssliop.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {

inline const ssliop::World& certificates() {
  static const ssliop::World only;
  return only;
}

inline Words tls(const std::string& name, const Words& more = {}) {
  const auto& folder = certificates().folder;
  Words options{"-ORBProtocolOption", "ssliop.authorities=" + certificates().ca_file()};
  if (!name.empty()) {
    options.insert(options.end(), {"-ORBProtocolOption", "ssliop.certificate=" + folder.path(name + ".pem"),
                                   "-ORBProtocolOption", "ssliop.key=" + folder.path(name + ".key")});
  }
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

/// An ORB with iiop and ssliop, and what else it is given.
struct TlsOrb {
  explicit TlsOrb(const Words& options, orb::Protocols&& also = {}) {
    static std::atomic<int> made{0};
    orb::Protocols protocols;
    protocols.push_back({iiop::make_plugin(), giop::make_messaging()});
    protocols.push_back({ssliop::make_plugin(), giop::make_messaging()});
    for (orb::Protocol& each : also) protocols.push_back(std::move(each));
    orb = tenon::init_orb(options, std::move(protocols), "tls-" + std::to_string(made.fetch_add(1)));
  }
  ~TlsOrb() { orb->destroy(); }
  TlsOrb(const TlsOrb&) = delete;
  TlsOrb& operator=(const TlsOrb&) = delete;
  OrbRef orb;
};

class NamingServant final : public TestServant {
 public:
  using TestServant::TestServant;
  std::string who() override { return tenon::peer().text(); }
};

struct TlsServer : TlsOrb {
  explicit TlsServer(const Words& options, const std::string& serving = "pool")
      : TlsOrb([&] {
          Words all{"-ORBServing", serving};
          all.insert(all.end(), options.begin(), options.end());
          return all;
        }()),
        servant(CORBA::make_reference<NamingServant>(*orb)),
        test(tenon::publish<Suite::Test_skeleton>(orb, servant)),
        main([this] { outcome_of([this] { orb->run(); }); }) {}
  ~TlsServer() {
    servant->gate.open(1000);
    outcome_of([this] { orb->shutdown(true); });
    main.join();
  }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  std::string text() const { return orb->object_to_string(test); }
  ior::Ior ior() const { return *ior::parse_ior(text()); }

  CORBA::servant_reference<NamingServant> servant;
  TestRef test;
  std::thread main;
};

inline TestRef at(const TlsOrb& client, const std::string& text) {
  return IDL::traits<Suite::Test>::unchecked_narrow(client.orb->string_to_object(text));
}

inline std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const CORBA::SystemException& failed) {
    return failed.what();
  }
  return "";
}

}  // namespace tenon::suite
