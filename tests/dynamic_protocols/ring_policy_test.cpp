// SPDX-License-Identifier: Apache-2.0
//
// The size of rings of shared memory, as a policy says it.
#include <fstream>

#include "tests/dynamic_protocols/world.hpp"

namespace tenon::changing {
namespace {

/// How many rings of that size this process has mapped; each connection has a page and two rings, which both its ends map.
int mappings_with_rings_of(std::uint64_t octets) {
  std::ifstream maps("/proc/self/maps");
  int found = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("memfd:tenon-shmiop") == std::string::npos) continue;
    std::size_t end = 0;
    const std::uint64_t first = std::stoull(line, &end, 16);
    const std::uint64_t last = std::stoull(line.substr(end + 1), nullptr, 16);
    found += last - first == 4096 + 2 * octets ? 1 : 0;
  }
  return found;
}

CORBA::object_reference<CORBA::Policy> policy_with_rings_of(std::uint32_t octets) {
  return CORBA::make_reference<RTCORBA::ClientProtocolPolicy>(RTCORBA::ProtocolList{
      RTCORBA::Protocol(shmiop_tag, nullptr, CORBA::make_reference<SharedMemoryProtocolProperties>(octets))});
}

TEST(RingPolicy, SaysHowLargeTheRingsOfAConnectionAre) {
  const Served server({"-ORBListenEndpoints", "shmiop://"});
  const ScopedOrb client;
  const WorkRef there = server.seen_by(client);
  for (const std::uint32_t octets : {8192U, 65536U}) {
    const WorkRef with_rings = IDL::traits<::Changing::Work>::unchecked_narrow(
        there->_set_policy_overrides({policy_with_rings_of(octets)}, CORBA::SetOverrideType::SET_OVERRIDE));
    EXPECT_EQ(mappings_with_rings_of(octets), 0);
    EXPECT_EQ(with_rings->add(1, 2), 3);
    EXPECT_GE(mappings_with_rings_of(octets), 1);
  }
}

TEST(RingPolicy, RefusesOtherSizes) {
  for (const std::uint32_t octets : {1U, 2048U, 5000U, 128U << 20}) {
    try {
      policy_with_rings_of(octets);
      ADD_FAILURE() << octets;
    } catch (const CORBA::INV_POLICY& exception) {
      EXPECT_NE(std::string(exception.what()).find("power of two"), std::string::npos);
    }
  }
  EXPECT_TRUE(policy_with_rings_of(0));
}

}  // namespace
}  // namespace tenon::changing
