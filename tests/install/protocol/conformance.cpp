// SPDX-License-Identifier: Apache-2.0
// The toy under the suite that every pair of a messaging and a transport passes. Its sources are in Tenon's source tree.
#include <unistd.h>

#include "tests/conformance/pair_suite.hpp"

namespace toy {
void add(tenon::orb::Protocols& protocols);  // toy.cpp
}

namespace tenon::suite {

orb::Protocols protocols_to_use() {
  orb::Protocols protocols;
  toy::add(protocols);
  return protocols;
}

// A name that nobody has yet.
std::string endpoint_of(const std::string&) {
  static std::atomic<int> number{0};
  return "toy://suite-" + std::to_string(::getpid()) + '-' + std::to_string(++number);
}

}  // namespace tenon::suite

namespace tenon::conformance {
TENON_INSTANTIATE_PAIR_SUITE(Toy, (PairUnderTest{.protocol = "toy", .single_thread = false}));
}  // namespace tenon::conformance
