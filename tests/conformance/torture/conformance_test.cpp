// SPDX-License-Identifier: Apache-2.0
//
// The torture transport under the suite that every transport passes, in three tempers.
#include "tests/conformance/torture/torture.hpp"
#include "tests/conformance/transport_suite.hpp"

namespace tenon::conformance {
namespace {

struct Torture {
  static std::unique_ptr<protocol::TransportPlugin> plugin() { return torture::make_plugin(); }
  static std::string endpoint() { return "torture://"; }
  static std::string nowhere() { return "nobody"; }
  static constexpr bool uses_descriptors = false;
};

struct TortureWithoutLending : Torture {
  static std::unique_ptr<protocol::TransportPlugin> plugin() {
    auto made = torture::make_plugin();
    made->set_settings({.most_read = 1, .most_written = 1, .seed = 7, .lends = false});
    return made;
  }
};

struct TortureInGulps : Torture {
  static std::unique_ptr<protocol::TransportPlugin> plugin() {
    auto made = torture::make_plugin();
    made->set_settings({.most_read = 3000, .most_written = 5000, .seed = 11, .lends = true});
    return made;
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Torture, TransportSuite, Torture);
INSTANTIATE_TYPED_TEST_SUITE_P(TortureWithoutLending, TransportSuite, TortureWithoutLending);
INSTANTIATE_TYPED_TEST_SUITE_P(TortureInGulps, TransportSuite, TortureInGulps);

}  // namespace
}  // namespace tenon::conformance
