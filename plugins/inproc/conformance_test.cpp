// SPDX-License-Identifier: Apache-2.0
//
// Connections inside a process under the suite that every transport passes.
#include "plugins/inproc/inproc.hpp"
#include "plugins/inproc/plugin.hpp"
#include "tests/conformance/transport_suite.hpp"

namespace tenon::conformance {
namespace {

struct Inproc {
  static std::unique_ptr<protocol::TransportPlugin> plugin() { return inproc::make_plugin(); }
  static std::string endpoint() { return "inproc://"; }
  static std::string nowhere() { return "nobody"; }
  static constexpr bool uses_descriptors = false;
};

/// The same where nearly everything is lent.
struct InprocSmall : Inproc {
  static std::unique_ptr<protocol::TransportPlugin> plugin() {
    auto made = inproc::make_bare_plugin();
    inproc::add_connecting(*made);
    inproc::add_listening(*made);
    made->keep_at_most(1024);
    return made;
  }
};

/// The same where waits spin.
struct InprocSpinning : Inproc {
  static std::unique_ptr<protocol::TransportPlugin> plugin() {
    auto made = inproc::make_plugin();
    protocol::TransportOptions options;
    options.spin_us = 20;
    made->configure(options);
    return made;
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Inproc, TransportSuite, Inproc);
INSTANTIATE_TYPED_TEST_SUITE_P(InprocSmall, TransportSuite, InprocSmall);
INSTANTIATE_TYPED_TEST_SUITE_P(InprocSpinning, TransportSuite, InprocSpinning);

}  // namespace
}  // namespace tenon::conformance
