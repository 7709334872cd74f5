// SPDX-License-Identifier: Apache-2.0
//
// C++ of an IDL file that uses each type of the library as its own (provided_use.idl): it compiles, which is most of the test, and values
// of what has a codec written by hand arrive as they were sent. Generated codecs of the same form are tested elsewhere.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <tenon/dynamic.hpp>
#include <tenon/portable_interceptor.hpp>
#include <tenon/tenon.hpp>

#include "provided_use_any.hpp"
#include "provided_use_skel.hpp"

namespace {

template <class Carrier, class Held, class Type>
class Echo final : public CORBA::servant_traits<Carrier>::base_type {
 public:
  Type echo(typename IDL::traits<Type>::in_type given, Held& kept, std::vector<Type>& twice) override {
    twice = {given, kept.value()};
    kept.value(given);
    return twice.back();
  }
};

template <class Raiser, class Exception>
class Failing final : public CORBA::servant_traits<Raiser>::base_type {
 public:
  explicit Failing(Exception thrown) : thrown_(std::move(thrown)) {}
  void fail() override { throw thrown_; }

 private:
  const Exception thrown_;
};

struct ProvidedUse : testing::Test {
  CORBA::object_reference<CORBA::ORB> orb = [] {
    int argc = 1;
    char name[] = "provided_use";
    char* argv[] = {name, nullptr};
    return CORBA::ORB_init(argc, argv);
  }();
  ~ProvidedUse() override { orb->destroy(); }

  // Two values there and back: alone, in a struct, in a sequence, and the struct in an Any.
  template <class Carrier, class Held, class Type, class Same>
  void travels(const Type& one, const Type& other, const Same& same) {
    const auto servant = CORBA::make_reference<Echo<Carrier, Held, Type>>();
    const auto carrier = IDL::traits<Carrier>::narrow(tenon::publish(orb, servant, "Carrier"));
    Held kept(other);
    std::vector<Type> twice;
    const Type back = carrier->echo(one, kept, twice);
    EXPECT_TRUE(same(back, other));
    EXPECT_TRUE(same(kept.value(), one));
    ASSERT_EQ(twice.size(), 2u);
    EXPECT_TRUE(same(twice[0], one));
    EXPECT_TRUE(same(twice[1], other));
    CORBA::Any any;
    any <<= kept;
    Held out;
    ASSERT_TRUE(any >>= out);
    EXPECT_TRUE(same(out.value(), one));
    if constexpr (tenon::gen::InAny<Type>) in_an_any(one, same, any.type()->member_type(0));
  }
  // The value alone and in a sequence. `expected`: the type as tenon-idl writes it out for a member.
  template <class Type, class Same>
  void in_an_any(const Type& value, const Same& same, const CORBA::TypeCodeRef& expected) {
    CORBA::Any any;
    any <<= value;
    EXPECT_TRUE(any.type()->equal(expected)) << any.type()->id();
    Type out{};
    ASSERT_TRUE(any >>= out);
    EXPECT_TRUE(same(out, value));
    any <<= std::vector<Type>{value, Type{}};
    std::vector<Type> all;
    ASSERT_TRUE(any >>= all);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_TRUE(same(all[0], value));
  }
  template <class Carrier, class Held, class Type>
  void travels(const Type& one, const Type& other) {
    travels<Carrier, Held>(one, other, [](const Type& a, const Type& b) { return a == b; });
  }
  template <class Raiser, class Exception>
  Exception raised(const Exception& thrown) {
    const auto servant = CORBA::make_reference<Failing<Raiser, Exception>>(thrown);
    const auto raiser = IDL::traits<Raiser>::narrow(tenon::publish(orb, servant, "Raiser"));
    try {
      raiser->fail();
    } catch (const Exception& arrived) {
      return arrived;
    }
    ADD_FAILURE() << "nothing was raised";
    return {};
  }
};

#define SENT(Name) Sent::Name::Carrier, Sent::Name::Held

TEST_F(ProvidedUse, EnumsTravel) {
  using CORBA::TCKind;
  travels<SENT(CORBA_TCKind)>(TCKind::tk_null, TCKind::tk_event);
  using namespace PortableServer;
  travels<SENT(PortableServer_ThreadPolicyValue)>(ThreadPolicyValue::ORB_CTRL_MODEL,
                                                  ThreadPolicyValue::MAIN_THREAD_MODEL);
  travels<SENT(PortableServer_LifespanPolicyValue)>(LifespanPolicyValue::TRANSIENT,
                                                    LifespanPolicyValue::PERSISTENT);
  travels<SENT(PortableServer_IdUniquenessPolicyValue)>(IdUniquenessPolicyValue::UNIQUE_ID,
                                                        IdUniquenessPolicyValue::MULTIPLE_ID);
  travels<SENT(PortableServer_IdAssignmentPolicyValue)>(IdAssignmentPolicyValue::USER_ID,
                                                        IdAssignmentPolicyValue::SYSTEM_ID);
  travels<SENT(PortableServer_ImplicitActivationPolicyValue)>(
      ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION,
      ImplicitActivationPolicyValue::NO_IMPLICIT_ACTIVATION);
  travels<SENT(PortableServer_ServantRetentionPolicyValue)>(ServantRetentionPolicyValue::RETAIN,
                                                            ServantRetentionPolicyValue::NON_RETAIN);
  travels<SENT(PortableServer_RequestProcessingPolicyValue)>(
      RequestProcessingPolicyValue::USE_ACTIVE_OBJECT_MAP_ONLY,
      RequestProcessingPolicyValue::USE_SERVANT_MANAGER);
  travels<SENT(PortableServer_POAManager_State)>(POAManager::State::HOLDING, POAManager::State::INACTIVE);
}

template <class... Types>
constexpr bool in_any = (tenon::gen::InAny<Types> && ...);
static_assert(
    in_any<PortableServer::ThreadPolicyValue, PortableServer::LifespanPolicyValue,
           PortableServer::IdUniquenessPolicyValue, PortableServer::IdAssignmentPolicyValue,
           PortableServer::ImplicitActivationPolicyValue, PortableServer::ServantRetentionPolicyValue,
           PortableServer::RequestProcessingPolicyValue>);
static_assert(in_any<CORBA::CompletionStatus, CORBA::ParameterMode, CORBA::SetOverrideType, TimeBase::UtcT,
                     TimeBase::IntervalT, IOP::Encoding, IOP::ServiceContext, IOP::TaggedComponent,
                     IOP::TaggedProfile, Dynamic::Parameter>);

TEST_F(ProvidedUse, TypesThatAnAnyTakesAlone) {
  travels<SENT(CORBA_CompletionStatus)>(CORBA::CompletionStatus::COMPLETED_NO,
                                        CORBA::CompletionStatus::COMPLETED_MAYBE);
  travels<SENT(CORBA_ParameterMode)>(CORBA::ParameterMode::PARAM_OUT, CORBA::ParameterMode::PARAM_INOUT);
  travels<SENT(CORBA_SetOverrideType)>(CORBA::SetOverrideType::ADD_OVERRIDE,
                                       CORBA::SetOverrideType::SET_OVERRIDE);
  travels<SENT(TimeBase_UtcT)>(TimeBase::UtcT(1, 2, 3, -4), TimeBase::UtcT());
  travels<SENT(TimeBase_IntervalT)>(TimeBase::IntervalT(1, 2), TimeBase::IntervalT());
  travels<SENT(IOP_ServiceContext)>(IOP::ServiceContext(1, {2, 3}), IOP::ServiceContext());
  travels<SENT(IOP_TaggedComponent)>(IOP::TaggedComponent(1, {2, 3}), IOP::TaggedComponent());
  travels<SENT(IOP_TaggedProfile)>(IOP::TaggedProfile(1, {2, 3}), IOP::TaggedProfile());
  EXPECT_TRUE(PortableServer::_tc_LifespanPolicyValue->equal(
      Sent::PortableServer_LifespanPolicyValue::_tc_Held->member_type(0)));
}

TEST_F(ProvidedUse, PoliciesAreMadeOfTheirEnums) {
  CORBA::Any value;
  value <<= PortableServer::LifespanPolicyValue::PERSISTENT;
  const auto policy = IDL::traits<PortableServer::LifespanPolicy>::narrow(
      orb->create_policy(PortableServer::LIFESPAN_POLICY_ID, value));
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->value(), PortableServer::LifespanPolicyValue::PERSISTENT);
}

// The last enumerator of each travels above, so the counts are not too small; these are not too large.
TEST_F(ProvidedUse, WhatIsNoEnumeratorIsNotSent) {
  const auto refuses = [this]<class Carrier, class Held, class Type>(Type beyond) {
    EXPECT_THROW((travels<Carrier, Held>(beyond, Type{})), CORBA::BAD_PARAM) << typeid(Type).name();
  };
  const auto next = [](auto last) {
    return static_cast<decltype(last)>(static_cast<std::uint32_t>(last) + 1);
  };
  using namespace PortableServer;
  refuses.operator()<SENT(CORBA_TCKind)>(next(CORBA::TCKind::tk_event));
  refuses.operator()<SENT(PortableServer_ThreadPolicyValue)>(next(ThreadPolicyValue::MAIN_THREAD_MODEL));
  refuses.operator()<SENT(PortableServer_LifespanPolicyValue)>(next(LifespanPolicyValue::PERSISTENT));
  refuses.operator()<SENT(PortableServer_IdUniquenessPolicyValue)>(
      next(IdUniquenessPolicyValue::MULTIPLE_ID));
  refuses.operator()<SENT(PortableServer_IdAssignmentPolicyValue)>(next(IdAssignmentPolicyValue::SYSTEM_ID));
  refuses.operator()<SENT(PortableServer_ImplicitActivationPolicyValue)>(
      next(ImplicitActivationPolicyValue::NO_IMPLICIT_ACTIVATION));
  refuses.operator()<SENT(PortableServer_ServantRetentionPolicyValue)>(
      next(ServantRetentionPolicyValue::NON_RETAIN));
  refuses.operator()<SENT(PortableServer_RequestProcessingPolicyValue)>(
      next(RequestProcessingPolicyValue::USE_SERVANT_MANAGER));
  refuses.operator()<SENT(PortableServer_POAManager_State)>(next(POAManager::State::INACTIVE));
}

std::string text_in(const CORBA::Any& any) {
  std::string text;
  any >>= text;
  return text;
}
CORBA::Any any_of(const char* text) {
  CORBA::Any any;
  any <<= text;
  return any;
}

TEST_F(ProvidedUse, StructsTravel) {
  travels<SENT(IOP_Encoding)>(IOP::Encoding(-2, 1, 2), IOP::Encoding(3, 4, 5));
  travels<SENT(Dynamic_Parameter)>(
      Dynamic::Parameter(any_of("in"), Dynamic::ParameterMode::PARAM_INOUT), Dynamic::Parameter(),
      [](const Dynamic::Parameter& a, const Dynamic::Parameter& b) {
        return text_in(a.argument()) == text_in(b.argument()) && a.mode() == b.mode();
      });
  travels<SENT(DynamicAny_NameValuePair)>(
      DynamicAny::NameValuePair("id", any_of("value")), DynamicAny::NameValuePair("other", any_of("")),
      [](const DynamicAny::NameValuePair& a, const DynamicAny::NameValuePair& b) {
        return a.id() == b.id() && text_in(a.value()) == text_in(b.value());
      });
}

TEST_F(ProvidedUse, ExceptionsArriveWithTheirMembers) {
  raised<Raised::PortableServer_POA_WrongPolicy::Raiser>(PortableServer::POA::WrongPolicy());
  raised<Raised::IOP_Codec_FormatMismatch::Raiser>(IOP::Codec::FormatMismatch());
  raised<Raised::DynamicAny_MustTruncate::Raiser>(DynamicAny::MustTruncate());
  EXPECT_EQ(
      raised<Raised::PortableServer_POA_InvalidPolicy::Raiser>(PortableServer::POA::InvalidPolicy(7)).index(),
      7u);
  using PortableInterceptor::ORBInitInfo;
  EXPECT_EQ(raised<Raised::PortableInterceptor_ORBInitInfo_DuplicateName::Raiser>(
                ORBInitInfo::DuplicateName("mine"))
                .name(),
            "mine");
  const auto object = orb->string_to_object("corbaloc::localhost:1/Elsewhere");
  const auto forwarded =
      raised<Raised::PortableInterceptor_ForwardRequest::Raiser>(PortableInterceptor::ForwardRequest(object));
  ASSERT_TRUE(forwarded.forward());
  EXPECT_TRUE(forwarded.forward()->_is_equivalent(object));
}

}  // namespace
