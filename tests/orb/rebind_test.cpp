// SPDX-License-Identifier: Apache-2.0
//
// RebindPolicy: what calls over a reference that has reached its object do when it moves or when its connection goes.
#include <thread>

#include <tenon/messaging.hpp>

#include "base/minor_codes.hpp"
#include "orb/client/endpoint.hpp"
#include "suite_async.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using CORBA::SetOverrideType;

/// Here until it is told where else.
class MovingServant final : public CORBA::servant_traits<Suite::Base>::base_type {
 public:
  std::string who() override {
    if (to) throw PortableServer::ForwardRequest(to);
    return "here";
  }
  ObjectRef to;
};

template <typename Interface>
CORBA::object_reference<Interface> with_mode(const CORBA::object_reference<Interface>& object,
                                             Messaging::RebindMode mode) {
  return IDL::traits<Interface>::unchecked_narrow(
      object->_set_policy_overrides({create_rebind_policy(mode)}, SetOverrideType::ADD_OVERRIDE));
}

/// The connection over which the last call went is gone, and this side knows.
void break_connection(const CORBA::Object& object) {
  const auto taken = object._reference()->binding()->endpoint->take(Deadline::never());
  ASSERT_TRUE(taken);
  taken->connection->abort();
}

class Rebinding : public World {};
INSTANTIATE_TEST_SUITE_P(All, Rebinding, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

const std::string rebind_refused = text_of(errors::rebind_refused);

TEST_P(Rebinding, AConnectionThatHasGone) {
  for (const Messaging::RebindMode mode :
       {Messaging::TRANSPARENT, Messaging::NO_REBIND, Messaging::NO_RECONNECT}) {
    const TestRef test = with_mode(pair->test, mode);
    EXPECT_EQ(test->add(1, 2), 3);
    EXPECT_EQ(test->add(1, 2), 3);
    break_connection(*test);
    const std::string expected = mode == Messaging::NO_RECONNECT ? rebind_refused : "";
    EXPECT_EQ(outcome_of([&] { test->add(1, 2); }), expected);
    EXPECT_EQ(outcome_of([&] { static_cast<void>(tenon::async(test).add(1, 2).get()); }), expected);
    // The caller says that it may be bound anew.
    CORBA::PolicyList inconsistent;
    EXPECT_TRUE(test->_validate_connection(inconsistent));
    EXPECT_EQ(test->add(1, 2), 3);
    EXPECT_EQ(tenon::async(test).add(1, 2).get(), 3);
  }
}

// Connections that go at any time, also between a call's beginning and its choice of a connection: whoever does not want another one
// never gets one.
TEST_P(Rebinding, AConnectionThatGoesMeanwhile) {
  for (int round = 0; round < 40; ++round) {
    const TestRef test = with_mode(pair->test, Messaging::NO_RECONNECT);
    EXPECT_EQ(test->add(1, 2), 3);
    const auto endpoint = test->_reference()->binding()->endpoint;
    const auto bound = endpoint->take(Deadline::never());
    ASSERT_TRUE(bound);
    std::thread breaker([&] { bound->connection->abort(); });
    while (outcome_of([&] { test->add(1, 2); }).empty()) {}
    breaker.join();
    EXPECT_FALSE(endpoint->connected());
  }
}

TEST_P(Rebinding, AnObjectThatMoves) {
  for (const Messaging::RebindMode mode :
       {Messaging::TRANSPARENT, Messaging::NO_REBIND, Messaging::NO_RECONNECT}) {
    const auto servant = CORBA::make_reference<MovingServant>();
    const BaseRef base = with_mode(
        pair->at_client(tenon::publish<Suite::Base_skeleton>(pair->server_orb->ref(), servant)), mode);
    EXPECT_EQ(base->who(), "here");
    servant->to = seen_by(pair->server(), pair->test);
    if (mode == Messaging::TRANSPARENT) {
      EXPECT_EQ(base->who(), "test");
    } else {
      EXPECT_EQ(outcome_of([&] { base->who(); }), rebind_refused);
      EXPECT_EQ(outcome_of([&] { static_cast<void>(tenon::async(base).who().get()); }), rebind_refused);
      // Nothing was remembered of where it is.
      servant->to = nullptr;
      EXPECT_EQ(base->who(), "here");
    }
    servant->to = nullptr;
  }
}

TEST_P(Rebinding, TheFirstCallBinds) {
  const auto servant = CORBA::make_reference<MovingServant>();
  servant->to = seen_by(pair->server(), pair->test);
  const BaseRef base =
      pair->at_client(tenon::publish<Suite::Base_skeleton>(pair->server_orb->ref(), servant));
  EXPECT_EQ(with_mode(base, Messaging::NO_RECONNECT)->who(), "test");
  servant->to = nullptr;
}

TEST_P(Rebinding, ThePolicyIsShown) {
  const auto mode_of = [](const TestRef& test) {
    return IDL::traits<Messaging::RebindPolicy>::narrow(test->_get_policy(Messaging::REBIND_POLICY_TYPE))
        ->rebind_mode();
  };
  EXPECT_EQ(mode_of(pair->test), Messaging::TRANSPARENT);
  EXPECT_EQ(mode_of(with_mode(pair->test, Messaging::NO_REBIND)), Messaging::NO_REBIND);
  EXPECT_EQ(outcome_of([&] { with_mode(pair->test, 3); }), text_of(errors::unknown_policy_value));
}

}  // namespace
}  // namespace tenon::suite
