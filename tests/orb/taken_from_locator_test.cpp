// SPDX-License-Identifier: Apache-2.0
//
// Calls to a servant that a servant locator supplies, taken out of their upcall: when and by whom the servant is given back.
#include <chrono>
#include <thread>

#include <tenon/timeout.hpp>

#include "tests/orb/taken_test_support.hpp"

namespace tenon::suite {
namespace {

using namespace std::chrono_literals;

/// Supplies one servant for every request, and notes when it gets it back.
class Supplying final : public PortableServer::ServantLocator {
 public:
  using PoaRef = CORBA::object_reference<PortableServer::POA>;
  using ServantRef = CORBA::servant_reference<PortableServer::Servant>;

  explicit Supplying(ServantRef servant) : servant_(std::move(servant)) {}

  ServantRef preinvoke(const PortableServer::ObjectId&, PoaRef, const std::string&, Cookie& cookie) override {
    cookie = this;
    return servant_;
  }
  void postinvoke(const PortableServer::ObjectId& id, PoaRef poa, const std::string& operation, Cookie cookie,
                  ServantRef servant) override {
    EXPECT_EQ(id, PortableServer::ObjectId{'x'});
    EXPECT_TRUE(poa);
    EXPECT_EQ(operation, "hold");
    EXPECT_EQ(cookie, this);
    EXPECT_TRUE(servant == servant_);
    by = std::this_thread::get_id();
    ++given_back;
    if (refuses) throw CORBA::NO_PERMISSION();
  }

  std::atomic<int> given_back{0};
  std::atomic<bool> refuses{false};
  std::thread::id by;  ///< read after given_back

 private:
  const ServantRef servant_;
};

class TakenFromALocator : public Taken {
 protected:
  void SetUp() override {
    Taken::SetUp();
    const auto root =
        IDL::traits<PortableServer::POA>::narrow(pair->server().resolve_initial_references("RootPOA"));
    root->the_POAManager()->activate();
    poa_ = root->create_POA(
        "supplied", root->the_POAManager(),
        {root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID),
         root->create_servant_retention_policy(PortableServer::ServantRetentionPolicyValue::NON_RETAIN),
         root->create_request_processing_policy(
             PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
    locator_ = CORBA::make_reference<Supplying>(servant_);
    poa_->set_servant_manager(locator_);
    test_ = pair->at_client(IDL::traits<Suite::Test>::unchecked_narrow(
        poa_->create_reference_with_id({'x'}, "IDL:Suite/Test:1.0")));
  }
  void TearDown() override {
    poa_ = nullptr;
    Taken::TearDown();
  }

  Supplying::PoaRef poa_;
  CORBA::object_reference<Supplying> locator_;
};
INSTANTIATE_TEST_SUITE_P(All, TakenFromALocator, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

// The servant is given back before the reply goes, on the thread that completes the call.
TEST_P(TakenFromALocator, AndGivenBackByTheThreadThatCompletes) {
  std::thread other([&] {
    Call call = servant_->next();
    EXPECT_TRUE(eventually([&] { return servant_->upcalls_left == 1; }));
    EXPECT_EQ(locator_->given_back, 0);
    TakingServant::finish(std::move(call));
    EXPECT_EQ(locator_->by, std::this_thread::get_id());
  });
  EXPECT_EQ(test_->hold(3), 3);
  EXPECT_EQ(locator_->given_back, 1);
  other.join();
  servant_->after_take = [](TakingServant& servant) { TakingServant::finish(servant.next()); };
  EXPECT_EQ(test_->hold(4), 4);
  EXPECT_EQ(locator_->given_back, 2);
}

TEST_P(TakenFromALocator, WhoseExceptionReplacesTheReply) {
  locator_->refuses = true;
  std::thread other([&] {
    const Call call = servant_->next();
    call->begin_reply(protocol::ReplyStatus::no_exception).put(std::int32_t{3});
    static_cast<void>(call->finish_reply());
  });
  EXPECT_TRUE(has(outcome_of([&] { test_->hold(3); }), "NO_PERMISSION"));
  other.join();
  EXPECT_EQ(locator_->given_back, 1);
}

TEST_P(TakenFromALocator, AndDropped) {
  {
    const TimeoutScope brief(200ms);
    EXPECT_EQ(outcome_of([&] { test_->hold(3); }), timed_out);
  }
  Call call = servant_->next();
  EXPECT_EQ(locator_->given_back, 0);
  call.reset();
  EXPECT_EQ(locator_->given_back, 1);
}

TEST_P(TakenFromALocator, WhosePoaIsDestroyedMeanwhile) {
  std::thread other([&] {
    Call call = servant_->next();
    EXPECT_TRUE(eventually([&] { return servant_->upcalls_left == 1; }));
    poa_->destroy(true, false);
    TakingServant::finish(std::move(call));
  });
  EXPECT_EQ(test_->hold(3), 3);
  other.join();
  EXPECT_EQ(locator_->given_back, 1);
}

}  // namespace
}  // namespace tenon::suite
