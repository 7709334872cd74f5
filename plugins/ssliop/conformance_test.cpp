// SPDX-License-Identifier: Apache-2.0
//
// ssliop under the suite that every transport passes.
#include "plugins/ssliop/certificates_test_support.hpp"
#include "plugins/ssliop/ssliop.hpp"
#include "tests/conformance/transport_suite.hpp"

namespace tenon::conformance {
namespace {

/// Both sides have certificates; `version` is the lowest.
std::unique_ptr<protocol::TransportPlugin> mutual_plugin(std::string_view version) {
  static const ssliop::World world;
  auto plugin = ssliop::make_plugin();
  std::string why;
  EXPECT_TRUE(plugin->set_option("certificate", world.folder.path("server.pem"), why)) << why;
  EXPECT_TRUE(plugin->set_option("key", world.folder.path("server.key"), why)) << why;
  EXPECT_TRUE(plugin->set_option("authorities", world.ca_file(), why)) << why;
  EXPECT_TRUE(plugin->set_option("verify", "required", why)) << why;
  EXPECT_TRUE(plugin->set_option("min_version", version, why)) << why;
  plugin->configure({});
  return plugin;
}

struct Ssliop {
  static std::unique_ptr<protocol::TransportPlugin> plugin() { return mutual_plugin("1.2"); }
  static std::string endpoint() { return "ssliop://127.0.0.1"; }
  static std::string nowhere() {
    std::string why;
    const auto acceptor = plugin()->listen(endpoint(), why);
    return acceptor ? acceptor->published().front() : why;
  }
  static constexpr bool uses_descriptors = true;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Ssliop, TransportSuite, Ssliop);

}  // namespace
}  // namespace tenon::conformance
