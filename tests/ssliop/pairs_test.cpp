// SPDX-License-Identifier: Apache-2.0
//
// GIOP over TLS under the suite that every pair passes. Both sides have certificates, and each asks for the other's.
#include <cstdlib>

#include "plugins/giop/giop.hpp"
#include "plugins/ssliop/certificates_test_support.hpp"
#include "plugins/ssliop/ssliop.hpp"
#include "tests/conformance/pair_suite.hpp"
#include "tests/orb/more_protocols.hpp"

namespace tenon::conformance {
namespace {

constexpr const char* folder_variable = "TENON_SSLIOP_SUITE";

/// Peers that are other processes use the certificates of the process that has started them.
std::string folder() {
  if (const char* const parents = std::getenv(folder_variable)) return parents;
  static const ssliop::World world;
  ::setenv(folder_variable, world.folder.path("").c_str(), 1);
  return world.folder.path("");
}

void add_ssliop(orb::Protocols& protocols) {
  const std::string path = folder();
  auto plugin = ssliop::make_plugin();
  std::string why;
  for (const auto& [name, value] : {std::pair{"certificate", path + "server.pem"},
                                    {"key", path + "server.key"},
                                    {"authorities", path + "ca.pem"},
                                    {"verify", "required"}})
    EXPECT_TRUE(plugin->set_option(name, value, why)) << name << ": " << why;
  protocols.push_back({std::move(plugin), giop::make_messaging()});
}

[[maybe_unused]] const bool added = (suite::use_more_protocols(add_ssliop), true);

TENON_INSTANTIATE_PAIR_SUITE(Ssliop, (PairUnderTest{.protocol = "ssliop"}));

}  // namespace
}  // namespace tenon::conformance
