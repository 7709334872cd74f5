// SPDX-License-Identifier: Apache-2.0
//
// From which size on sequences are sent from where they are: -ORBCopyBelow, and CopyBelowPolicy of ORB, thread and object.
#include <thread>

#include <tenon/messaging.hpp>

#include "mapping/cpp11/messaging/pending_call.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using CORBA::SetOverrideType;

constexpr gen::Operation asking_operation{.name = "noop"};

/// From which size on a call over the object would lend, as the writer of its arguments says.
std::size_t lends_from(const TestRef& test) {
  std::size_t from = 0;
  gen::call(*test, asking_operation, [&](cdr::Writer& out) { from = out.lends_from(); });
  return from;
}

/// The same of an asynchronous call.
class Asking final : public gen::PendingCall {
 public:
  explicit Asking(CORBA::Object& object) : PendingCall(object, asking_operation) {}
  std::size_t from = 0;

 private:
  void write(cdr::Writer& out) override { from = out.lends_from(); }
  void read(cdr::Reader&) override {}
};
std::size_t lends_from_asynchronously(const TestRef& test) {
  const auto call = make_ref<Asking>(*test);
  gen::begin_call(*call);
  EXPECT_TRUE(call->wait_until(Deadline::after_ms(60'000)));
  call->rethrow();
  return call->from;
}

class CopyBelow : public World {
 protected:
  void TearDown() override {
    current()->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
    World::TearDown();
  }
  CORBA::object_reference<CORBA::PolicyManager> manager() const {
    return IDL::traits<CORBA::PolicyManager>::narrow(
        pair->client().resolve_initial_references("ORBPolicyManager"));
  }
  CORBA::object_reference<CORBA::PolicyManager> current() const {
    return IDL::traits<CORBA::PolicyManager>::narrow(
        pair->client().resolve_initial_references("PolicyCurrent"));
  }
};
INSTANTIATE_TEST_SUITE_P(All, CopyBelow, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(CopyBelow, TheNearestCounts) {
  const TestRef& test = pair->test;
  const TestRef own = with(test, {create_copy_below_policy(300)});
  const auto value = [](const TestRef& of) {
    return IDL::traits<CopyBelowPolicy>::narrow(of->_get_policy(COPY_BELOW_POLICY_TYPE))->value();
  };
  EXPECT_EQ(lends_from(test), cdr::Writer::borrow_from);
  EXPECT_EQ(value(test), 4096u);
  manager()->set_policy_overrides({create_copy_below_policy(100)}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(lends_from(test), 100u);
  EXPECT_EQ(lends_from_asynchronously(test), 100u);
  current()->set_policy_overrides({create_copy_below_policy(200)}, SetOverrideType::SET_OVERRIDE);
  EXPECT_EQ(lends_from(test), 200u);
  EXPECT_EQ(lends_from(own), 300u);
  EXPECT_EQ(value(own), 300u);
  EXPECT_EQ(lends_from_asynchronously(own), 300u);
  std::thread([&] { EXPECT_EQ(lends_from(test), 100u); }).join();
  current()->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
  manager()->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
  // The connection is as it was.
  EXPECT_EQ(lends_from(own), 300u);
  EXPECT_EQ(lends_from(test), cdr::Writer::borrow_from);
  EXPECT_EQ(lends_from_asynchronously(test), cdr::Writer::borrow_from);
}

TEST_P(CopyBelow, TheOptionIsTheOrbs) {
  const Pair one(GetParam(), {}, {"-ORBCopyBelow", "64k"});
  EXPECT_EQ(lends_from(one.test), 65536u);
  EXPECT_EQ(lends_from_asynchronously(one.test), 65536u);
  EXPECT_EQ(lends_from(with(one.test, {create_copy_below_policy(16)})), 16u);
  EXPECT_EQ(IDL::traits<CopyBelowPolicy>::narrow(one.test->_get_policy(COPY_BELOW_POLICY_TYPE))->value(),
            65536u);
}

// Whatever is lent, what arrives is the same.
TEST_P(CopyBelow, AnySizeWillDo) {
  for (const std::string below : {"0", "1", "9", "1G"}) {
    const Pair one(GetParam(), {"-ORBCopyBelow", below}, {"-ORBCopyBelow", below});
    for (const std::size_t size : {0u, 1u, 7u, 8u, 9u, 100u, 4095u, 4096u, 70'000u}) {
      Suite::Blob octets(size);
      for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<std::uint8_t>(i % 251);
      EXPECT_EQ(one.test->echo(octets), octets) << below << ' ' << size;
    }
    std::string text(5000, 't');
    Suite::Point copy;
    std::uint32_t count = 0;
    const Suite::Point made = one.test->mix(6, text, Suite::Point(1, 2.5, "label"), copy, count);
    EXPECT_EQ(made.y(), 3.0) << below;
    EXPECT_EQ(count, 5u) << below;
    EXPECT_EQ(copy.label(), "label") << below;
  }
}

// An object of the same process is called with a copy of everything, since the servant may outlast its caller.
TEST(CopyBelowHere, CollocatedCallsCopy) {
  const Pair one({"collocated", "thread-per-connection"});
  EXPECT_EQ(lends_from(with(one.test, {create_copy_below_policy(16)})), cdr::Writer::never);
}

}  // namespace
}  // namespace tenon::suite
