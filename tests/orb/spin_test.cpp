// SPDX-License-Identifier: Apache-2.0
//
// ORBs whose waits look again and again before they sleep (-ORBSpin): nothing but the time that calls take may change, whoever serves.
// That it pays is shown by the benchmark.
#include <atomic>
#include <thread>

#include <tenon/spin.hpp>
#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

class Spinning : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Spinning, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Spinning, CallsAreWhatTheyWere) {
  for (const char* us : {"0", "20", "2000"}) {
    const Words options{"-ORBSpin", us};
    const Pair both(GetParam(), options, options);
    std::atomic<int> sum{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < 4; ++t) {
      callers.emplace_back([&, t] {
        // One of them without, and one for longer than the option says.
        const SpinScope scope(t == 0 ? 0us : t == 1 ? 3000us : 50us);
        for (int i = 0; i < 50; ++i) sum += both.test->add(i, 1) - i;
      });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(sum, 200);
    const Suite::Blob blob = both.test->make(200000);
    EXPECT_EQ(both.test->echo(blob), blob);
    EXPECT_EQ(outcome_of([&] { both.test->fail(Suite::Failure::listed_one); }), "Refused");
  }
}

TEST_P(Spinning, DeadlinesHold) {
  const Words options{"-ORBSpin", "1000000"};
  const Pair both(GetParam(), {"-ORBSpin", "100"}, options);
  {
    const TimeoutScope soon(50ms);
    EXPECT_EQ(outcome_of([&] { both.test->hold(1); }),
              text_of(errors::reply_timed_out.with(Completion::maybe)));
  }
  both.servant->gate.open();
  EXPECT_EQ(both.test->add(1, 2), 3);
}

TEST_P(Spinning, WhoeverSpinsSeesTheEnd) {
  const Words options{"-ORBSpin", "1000000"};
  const Pair both(GetParam(), options, options);
  EXPECT_EQ(both.test->add(1, 2), 3);
  both.server().shutdown(true);
  EXPECT_NE(outcome_of([&] { both.test->noop(); }), "");
}

TEST(SpinScope, ScopesNest) {
  EXPECT_LT(net::thread_spin_ns, 0);
  {
    const SpinScope outer(20us);
    EXPECT_EQ(net::thread_spin_ns, 20000);
    {
      const SpinScope inner(0us);
      EXPECT_EQ(net::thread_spin_ns, 0);
    }
    EXPECT_EQ(net::thread_spin_ns, 20000);
  }
  EXPECT_LT(net::thread_spin_ns, 0);
}

}  // namespace
}  // namespace tenon::suite
