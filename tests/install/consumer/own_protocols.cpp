// SPDX-License-Identifier: Apache-2.0
// A program that names its protocols itself: there is IIOP, and nothing else.
#include <cstdio>
#include <string>

#include <tenon/protocols.hpp>

namespace {

tenon::orb::Protocols iiop_alone() {
  tenon::orb::Protocols protocols;
  protocols.push_back({tenon::iiop::make_plugin(), tenon::giop::make_messaging()});
  return protocols;
}

}  // namespace

int main(int argc, char** argv) {
  auto orb = tenon::init_orb(argc, argv, iiop_alone());
  const bool listens = orb->_endpoints().front().starts_with("iiop://");
  orb->destroy();
  bool refused = false;
  try {
    (void)tenon::init_orb({"-ORBListenEndpoints", "uiop:///tmp/none.sock"}, iiop_alone(), "other")
        ->_endpoints();
  } catch (const CORBA::SystemException& refusal) {
    refused = std::string(refusal.what()).find("uiop") != std::string::npos;
  }
  std::puts(listens && refused ? "iiop alone" : "not as asked");
  return listens && refused ? 0 : 1;
}
