// SPDX-License-Identifier: Apache-2.0
//
// The pairs of this library, and the torture transport, under the suite that every pair passes.
#include "tests/conformance/pair_suite.hpp"

namespace tenon::conformance {
namespace {

TENON_INSTANTIATE_PAIR_SUITE(Iiop, (PairUnderTest{.protocol = "iiop"}));
TENON_INSTANTIATE_PAIR_SUITE(Uiop, (PairUnderTest{.protocol = "uiop"}));
TENON_INSTANTIATE_PAIR_SUITE(Shmiop, (PairUnderTest{.protocol = "shmiop"}));
TENON_INSTANTIATE_PAIR_SUITE(Inproc, (PairUnderTest{.protocol = "inproc", .other_processes = false}));
// A few octets at a time, inside one process, and nothing that could be polled.
TENON_INSTANTIATE_PAIR_SUITE(
    Torture, (PairUnderTest{
                 .protocol = "torture", .single_thread = false, .other_processes = false, .large = 300000}));

}  // namespace
}  // namespace tenon::conformance
