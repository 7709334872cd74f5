// SPDX-License-Identifier: Apache-2.0
//
// UIOP under the suite that every transport passes.
#include "plugins/uiop/uiop.hpp"
#include "tests/conformance/transport_suite.hpp"

namespace tenon::conformance {
namespace {

struct Uiop {
  static std::unique_ptr<protocol::TransportPlugin> plugin() { return uiop::make_plugin(); }
  static std::string endpoint() { return "uiop://"; }
  static std::string nowhere() {
    std::string why;
    const auto acceptor = plugin()->listen(endpoint(), why);
    return acceptor ? acceptor->published().front() : why;
  }
  static constexpr bool uses_descriptors = true;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Uiop, TransportSuite, Uiop);

}  // namespace
}  // namespace tenon::conformance
