// SPDX-License-Identifier: Apache-2.0
//
// IIOP under the suite that every transport passes.
#include "plugins/iiop/iiop.hpp"
#include "tests/conformance/transport_suite.hpp"

namespace tenon::conformance {
namespace {

struct Iiop {
  static std::unique_ptr<protocol::TransportPlugin> plugin() { return iiop::make_plugin(); }
  static std::string endpoint() { return "iiop://127.0.0.1:0"; }
  static std::string nowhere() {
    // A port that was free a moment ago.
    std::string why;
    const auto acceptor = plugin()->listen(endpoint(), why);
    return acceptor ? acceptor->published().front() : why;
  }
  static constexpr bool uses_descriptors = true;
};

/// Listens on every interface, as a server does that was told nothing.
struct IiopEverywhere : Iiop {
  static std::string endpoint() { return "iiop://"; }
};

/// Looks for input for a while before it sleeps.
struct IiopSpinning : Iiop {
  static std::unique_ptr<protocol::TransportPlugin> plugin() {
    auto made = iiop::make_plugin();
    made->configure({{.spin_us = 200}});
    return made;
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Iiop, TransportSuite, Iiop);
INSTANTIATE_TYPED_TEST_SUITE_P(IiopSpinning, TransportSuite, IiopSpinning);
INSTANTIATE_TYPED_TEST_SUITE_P(IiopEverywhere, TransportSuite, IiopEverywhere);

}  // namespace
}  // namespace tenon::conformance
