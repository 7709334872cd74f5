// SPDX-License-Identifier: Apache-2.0
//
// Declarations of the standard that no other folder's tests call (docs/conformance.md).

#include "base/minor_codes.hpp"
#include "tests/standard/standard_test_support.hpp"

namespace tenon::standard {

namespace {

/// Throws E if that is the name.
template <typename E>
void raise_if(const std::string& name) {
  if (E()._name() == name) throw E(7, CORBA::CompletionStatus::COMPLETED_MAYBE);
}

template <typename... E>
struct Exceptions {
  static void raise(const std::string& name) { (raise_if<E>(name), ...); }
  /// Each arrives as what it was.
  static void call_each(Streams::Mirror& mirror) { (call<E>(mirror), ...); }

  template <typename Each>
  static void call(Streams::Mirror& mirror) {
    const std::string name(Each()._name());
    try {
      mirror.raise(name);
      ADD_FAILURE() << name;
    } catch (const Each& exception) {
      EXPECT_EQ(exception.minor(), 7u) << name;
      EXPECT_EQ(exception.completed(), CORBA::CompletionStatus::COMPLETED_MAYBE) << name;
      EXPECT_EQ(exception._rep_id(), "IDL:omg.org/CORBA/" + name + ":1.0");
    }
  }
};

using All = Exceptions<
    CORBA::UNKNOWN, CORBA::BAD_PARAM, CORBA::NO_MEMORY, CORBA::IMP_LIMIT, CORBA::COMM_FAILURE,
    CORBA::INV_OBJREF, CORBA::NO_PERMISSION, CORBA::INTERNAL, CORBA::MARSHAL, CORBA::INITIALIZE,
    CORBA::NO_IMPLEMENT, CORBA::BAD_TYPECODE, CORBA::BAD_OPERATION, CORBA::NO_RESOURCES, CORBA::NO_RESPONSE,
    CORBA::PERSIST_STORE, CORBA::BAD_INV_ORDER, CORBA::TRANSIENT, CORBA::FREE_MEM, CORBA::INV_IDENT,
    CORBA::INV_FLAG, CORBA::INTF_REPOS, CORBA::BAD_CONTEXT, CORBA::OBJ_ADAPTER, CORBA::DATA_CONVERSION,
    CORBA::OBJECT_NOT_EXIST, CORBA::TRANSACTION_REQUIRED, CORBA::TRANSACTION_ROLLEDBACK,
    CORBA::INVALID_TRANSACTION, CORBA::INV_POLICY, CORBA::CODESET_INCOMPATIBLE, CORBA::REBIND, CORBA::TIMEOUT,
    CORBA::TRANSACTION_UNAVAILABLE, CORBA::TRANSACTION_MODE, CORBA::BAD_QOS, CORBA::INVALID_ACTIVITY,
    CORBA::ACTIVITY_COMPLETED, CORBA::ACTIVITY_REQUIRED, CORBA::THREAD_CANCELLED>;

}  // namespace

void MirrorServant::raise_named(const std::string& name) {
  All::raise(name);
  throw std::logic_error(name);
}

namespace {

TEST_F(Standard, SystemExceptionsArriveAsWhatTheyWere) { All::call_each(*mirror); }

TEST_F(Standard, ReferencesAreNilCopiedAndReleased) {
  CORBA::object_reference<CORBA::Object> nil;
  EXPECT_FALSE(static_cast<bool>(nil));
  CORBA::object_reference<CORBA::Object> copy = mirror;
  EXPECT_TRUE(static_cast<bool>(copy));
  EXPECT_TRUE(copy->_is_equivalent(mirror));
  copy.reset();
  EXPECT_FALSE(static_cast<bool>(copy));
  EXPECT_FALSE(mirror->_non_existent());
}

TEST_F(Standard, TypeCodesOfComponents) {
  const auto component = client->create_component_tc("IDL:Shop/Till:1.0", "Till");
  EXPECT_EQ(component->kind(), CORBA::TCKind::tk_component);
  EXPECT_EQ(component->id(), "IDL:Shop/Till:1.0");
  const auto home = client->create_home_tc("IDL:Shop/TillHome:1.0", "TillHome");
  EXPECT_EQ(home->kind(), CORBA::TCKind::tk_home);
  EXPECT_EQ(home->name(), "TillHome");
  EXPECT_FALSE(home->equivalent(component));
}

TEST_F(Standard, TypeCodesOfEvents) {
  const CORBA::ValueMemberSeq members{{"at", "", "", "", CORBA::_tc_long, nullptr, CORBA::PUBLIC_MEMBER}};
  const auto event = client->create_event_tc("IDL:Shop/Sold:1.0", "Sold", CORBA::VM_NONE, nullptr, members);
  EXPECT_EQ(event->kind(), CORBA::TCKind::tk_event);
  EXPECT_EQ(event->id(), "IDL:Shop/Sold:1.0");
  EXPECT_EQ(event->member_count(), 1u);
  EXPECT_EQ(event->member_visibility(0), CORBA::PUBLIC_MEMBER);
  EXPECT_FALSE(event->equivalent(
      client->create_value_tc("IDL:Shop/Sold:1.0", "Sold", CORBA::VM_NONE, nullptr, members)));
  // It travels.
  CORBA::Any any;
  any <<= event;
  CORBA::TypeCodeRef back;
  ASSERT_TRUE(any >>= back);
  EXPECT_TRUE(back->equal(event));
}

TEST_F(Standard, ResponsesBelongToNoTransaction) {
  // What a program that is ready for transactions writes.
  CORBA::object_reference<CORBA::Request> request;
  try {
    client->get_next_response(request);
    ADD_FAILURE();
  } catch (const CORBA::WrongTransaction&) {
    ADD_FAILURE();
  } catch (const CORBA::BAD_INV_ORDER& exception) {
    EXPECT_EQ(exception.minor(), CORBA::OMGVMCID | 11);
  }
}

TEST_F(Standard, ListsOfArgumentsAreCountedAndBounded) {
  CORBA::object_reference<CORBA::NVList> list;
  client->create_list(2, list);
  EXPECT_EQ(list->count(), 0u);
  list->add_value("first", CORBA::Any(), CORBA::ARG_IN);
  list->add_item("second", CORBA::ARG_OUT);
  EXPECT_EQ(list->count(), 2u);
  EXPECT_EQ(list->item(1)->name(), "second");
  EXPECT_EQ(list->item(1)->flags(), CORBA::ARG_OUT);
  EXPECT_THROW(list->item(2), CORBA::Bounds);
  list->remove(0);
  EXPECT_EQ(list->item(0)->name(), "second");
  EXPECT_THROW(list->remove(1), CORBA::Bounds);
}

TEST_F(Standard, OrbsAndPoasHaveIds) {
  EXPECT_EQ(server->id(), "standard-server");
  const auto root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  const auto one = root->create_POA("one", nullptr, {});
  const auto two = root->create_POA("two", nullptr, {});
  EXPECT_NE(one->id(), two->id());
  EXPECT_EQ(one->id(), root->find_POA("one", false)->id());
}

TEST_F(Standard, PoliciesOfPoasSayTheirValues) {
  using PortableServer::POA;
  namespace P = PortableServer;
  EXPECT_EQ(POA::create_thread_policy(P::ThreadPolicyValue::SINGLE_THREAD_MODEL)->value(),
            P::ThreadPolicyValue::SINGLE_THREAD_MODEL);
  EXPECT_EQ(POA::create_lifespan_policy(P::LifespanPolicyValue::PERSISTENT)->value(),
            P::LifespanPolicyValue::PERSISTENT);
  EXPECT_EQ(POA::create_id_uniqueness_policy(P::IdUniquenessPolicyValue::MULTIPLE_ID)->value(),
            P::IdUniquenessPolicyValue::MULTIPLE_ID);
  EXPECT_EQ(POA::create_id_assignment_policy(P::IdAssignmentPolicyValue::USER_ID)->value(),
            P::IdAssignmentPolicyValue::USER_ID);
  EXPECT_EQ(
      POA::create_implicit_activation_policy(P::ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION)->value(),
      P::ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION);
  EXPECT_EQ(POA::create_servant_retention_policy(P::ServantRetentionPolicyValue::NON_RETAIN)->value(),
            P::ServantRetentionPolicyValue::NON_RETAIN);
  EXPECT_EQ(
      POA::create_request_processing_policy(P::RequestProcessingPolicyValue::USE_SERVANT_MANAGER)->value(),
      P::RequestProcessingPolicyValue::USE_SERVANT_MANAGER);
}

TEST_F(Standard, ADefaultServantIsSetOnceThereIsOne) {
  const auto root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  const auto poa = root->create_POA("default", root->the_POAManager(),
                                    {PortableServer::POA::create_request_processing_policy(
                                         PortableServer::RequestProcessingPolicyValue::USE_DEFAULT_SERVANT),
                                     PortableServer::POA::create_id_uniqueness_policy(
                                         PortableServer::IdUniquenessPolicyValue::MULTIPLE_ID)});
  EXPECT_THROW(poa->get_servant(), PortableServer::POA::NoServant);
  const auto servant = CORBA::make_reference<MirrorServant>();
  poa->set_servant(servant);
  EXPECT_EQ(poa->get_servant(), servant);
  const auto object = client->string_to_object(
      server->object_to_string(poa->create_reference(std::string(Streams::Mirror::_static_id))));
  EXPECT_THROW(IDL::traits<Streams::Mirror>::narrow(object)->raise("TIMEOUT"), CORBA::TIMEOUT);
}

TEST_F(Standard, PoliciesSayTheirEndTimes) {
  const TimeBase::UtcT utc = utc_after(std::chrono::hours(1));
  const auto is_it = [&utc](const TimeBase::UtcT& said) { return said == utc; };
  EXPECT_TRUE(is_it(create_request_end_time_policy(utc)->end_time()));
  EXPECT_TRUE(is_it(create_reply_end_time_policy(utc)->end_time()));
  EXPECT_FALSE(is_it(TimeBase::UtcT()));
}

TEST_F(Standard, OneServantForSeveralIds) {
  const auto root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  const auto unique = root->create_POA("unique", root->the_POAManager(), {});
  const auto shared = root->create_POA("shared", root->the_POAManager(),
                                       {PortableServer::POA::create_id_uniqueness_policy(
                                           PortableServer::IdUniquenessPolicyValue::MULTIPLE_ID)});
  const auto servant = CORBA::make_reference<MirrorServant>();
  unique->activate_object(servant);
  EXPECT_THROW(unique->activate_object(servant), PortableServer::POA::ServantAlreadyActive);
  EXPECT_NE(shared->activate_object(servant), shared->activate_object(servant));
}

}  // namespace
}  // namespace tenon::standard
