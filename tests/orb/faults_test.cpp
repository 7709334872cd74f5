// SPDX-License-Identifier: Apache-2.0
//
// A transport that times out or breaks off after every number of bytes: whatever the place, a call is executed at most once, says
// so truly, and the next one works. Also LocateRequest, which nothing else sends.
#include "base/minor_codes.hpp"
#include "orb/client/invocation.hpp"
#include "tests/conformance/torture/torture.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

class Faults : public ::testing::Test {
 protected:
  Faults() : pair(Case{"torture", "thread-per-connection"}) {}
  static torture::Plugin& plugin(CORBA::ORB& orb) {
    return dynamic_cast<torture::Plugin&>(*orb._core().transport_named("torture"));
  }
  /// One call with a fault after `bytes` more bytes of a side.
  void strike(torture::Side side, torture::Fault fault, std::uint64_t bytes) {
    const Pair& both = pair;
    torture::Plugin& struck = plugin(side == torture::Side::connector ? both.client() : both.server());
    const int before = both.servant->adds;
    struck.set_fault(side, fault, bytes);
    const std::string outcome = outcome_of([&] { both.test->add(1, 2); });
    struck.set_fault(side, torture::Fault::none, 0);
    const int executed = both.servant->adds - before;
    failures += outcome.empty() ? 0 : 1;
    if (outcome.empty()) {
      EXPECT_EQ(executed, 1);
    } else if (outcome.ends_with(" NO")) {
      EXPECT_EQ(executed, 0) << outcome << " after " << bytes;
    } else {
      EXPECT_LE(executed, 1) << outcome << " after " << bytes;
    }
    EXPECT_EQ(outcome_of([&] { EXPECT_EQ(both.test->add(2, 3), 5); }), "") << "after " << bytes;
  }
  const Pair pair;
  int failures = 0;
};

TEST_F(Faults, RequestsThatBreakOff) {
  for (std::uint64_t bytes = 0; bytes < 130; bytes += 5) {
    strike(torture::Side::connector, torture::Fault::break_off, bytes);
  }
  EXPECT_GT(failures, 3);
}

TEST_F(Faults, RepliesThatBreakOff) {
  for (std::uint64_t bytes = 0; bytes < 40; bytes += 3) {
    strike(torture::Side::acceptor, torture::Fault::break_off, bytes);
  }
  EXPECT_GT(failures, 3);
}

TEST_F(Faults, RequestsThatTimeOutInTheMiddle) {
  for (std::uint64_t bytes = 0; bytes < 130; bytes += 5) {
    strike(torture::Side::connector, torture::Fault::time_out, bytes);
  }
  EXPECT_GT(failures, 3);
}

TEST_F(Faults, RepliesThatTimeOutInTheMiddle) {
  for (std::uint64_t bytes = 0; bytes < 40; bytes += 3) {
    strike(torture::Side::acceptor, torture::Fault::time_out, bytes);
  }
  EXPECT_GT(failures, 3);
}

using Located = World;
INSTANTIATE_TEST_SUITE_P(All, Located, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Located, HereAndNowhere) {
  const auto here = orb::locate(*pair->test->_reference(), Deadline::never());
  ASSERT_TRUE(here);
  EXPECT_EQ(*here, protocol::LocateStatus::object_here);
  const auto poa =
      IDL::traits<PortableServer::POA>::narrow(pair->server().resolve_initial_references("RootPOA"));
  poa->deactivate_object(poa->servant_to_id(pair->servant));
  const auto gone = orb::locate(*pair->test->_reference(), Deadline::never());
  ASSERT_TRUE(gone);
  EXPECT_EQ(*gone, protocol::LocateStatus::unknown_object);
}

}  // namespace
}  // namespace tenon::suite
