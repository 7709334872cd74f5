// SPDX-License-Identifier: Apache-2.0
//
// SHMIOP under the suite that every transport passes.
#include "plugins/shmiop/shmiop.hpp"
#include "tests/conformance/transport_suite.hpp"

namespace tenon::conformance {
namespace {

struct Shmiop {
  static std::unique_ptr<protocol::TransportPlugin> plugin() { return shmiop::make_plugin(); }
  static std::string endpoint() { return "shmiop://"; }
  static std::string nowhere() {
    std::string why;
    const auto acceptor = plugin()->listen(endpoint(), why);
    return acceptor ? acceptor->published().front() : why;
  }
  static constexpr bool uses_descriptors = true;
};

/// The same with the smallest ring, in which everything wraps and fills.
struct ShmiopSmall : Shmiop {
  static std::unique_ptr<protocol::TransportPlugin> plugin() {
    auto made = shmiop::make_plugin();
    std::string why;
    EXPECT_TRUE(made->set_option("ring", "4K", why)) << why;
    return made;
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Shmiop, TransportSuite, Shmiop);
INSTANTIATE_TYPED_TEST_SUITE_P(ShmiopSmall, TransportSuite, ShmiopSmall);

}  // namespace
}  // namespace tenon::conformance
