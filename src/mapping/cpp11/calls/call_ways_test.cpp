// SPDX-License-Identifier: Apache-2.0
//
// Calls in a process no start-up of which has named them, and after one has.
#include <gtest/gtest.h>

#include <string>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/bell_test_support.hpp"
#include "tenon/parts.hpp"
#include "tenon/portable_server.hpp"
#include "tenon/portable_server/publish.hpp"

namespace tenon::gen {
namespace {

/// Before any start-up.
const CallWays at_start = call_ways;

struct Unlinked {
  CallWays before = std::exchange(call_ways, at_start);
  ~Unlinked() { call_ways = before; }
};

TEST(CallWays, CallsAreAPartThatAStartUpNames) {
  const Unlinked none;
  orb::Parts parts;
  server(parts);
  micro(parts);
  EXPECT_EQ(call_ways.call, at_start.call) << "a server that makes no calls links none";

  Configuration configuration;
  configuration.id = "calls";
  configuration.endpoints = {"iiop://127.0.0.1"};
  const auto orb = init_orb(std::move(configuration), {&micro});
  const auto bell = publish(orb, CORBA::make_reference<Tower::Bell_impl>(), "Bell");
  try {
    bell->ring(1);
    ADD_FAILURE() << "nothing can make this call";
  } catch (const CORBA::NO_IMPLEMENT& refused) {
    EXPECT_EQ(refused.minor(), errors::no_calls_part.minor);
    const std::string what = refused.what();
    EXPECT_NE(what.find("'ring'"), std::string::npos) << what;
    for (const char* part : {"tenon::parts::calls", "iiop_client", "single_thread_calls"})
      EXPECT_NE(what.find(part), std::string::npos) << what << " lacks " << part;
  }
  orb->destroy();

  client(parts);
  EXPECT_NE(call_ways.call, at_start.call);
  EXPECT_NE(call_ways.numbered_call, at_start.numbered_call);
  const CallWays linked = call_ways;
  for (const Part part : {&parts::calls, &parts::interface_repository, &all_but_protocols}) {
    call_ways = at_start;
    part(parts);
    EXPECT_EQ(call_ways.call, linked.call);
    EXPECT_EQ(call_ways.numbered_call, linked.numbered_call);
  }
}

}  // namespace
}  // namespace tenon::gen
