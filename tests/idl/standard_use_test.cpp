// SPDX-License-Identifier: Apache-2.0
//
// C++ of an IDL file that includes every standard IDL file, and of one that uses a vendor's: it compiles, and its values travel.
#include <gtest/gtest.h>

#include <tenon/cos_naming.hpp>
#include <tenon/dynamic.hpp>
#include <tenon/portable_interceptor.hpp>
#include <tenon/standard/CosNaming_any.hpp>
#include <tenon/standard/CosNaming_skel.hpp>
#include <tenon/standard/IIOP_any.hpp>
#include <tenon/tenon.hpp>

#include "program_any.hpp"
#include "program_skel.hpp"
#include "standard_use_any.hpp"
#include "standard_use_skel.hpp"

namespace {

using Context = CosNaming::NamingContext;
using ContextRef = CORBA::object_reference<Context>;

class Desk final : public CORBA::servant_traits<Use::Desk>::base_type {
 public:
  Use::Everything echo(const Use::Everything& given, Use::Times& seen) override {
    seen.push_back(given.when());
    return given;
  }
  CORBA::object_reference<CosNaming::NamingContextExt> checked(
      CORBA::object_reference<CosNaming::NamingContextExt> given) override {
    if (!given)
      throw Context::NotFound(Context::NotFoundReason::missing_node, {CosNaming::NameComponent("a", "b")});
    return given;
  }
  CORBA::Any describe(const CosNaming::Name& n) override {
    CORBA::Any value;
    value <<= n;
    return value;
  }
  CORBA::object_reference<CORBA::InterfaceDef> described(
      const CORBA::ParDescriptionSeq& parameters,
      CORBA::object_reference<CORBA::Repository> within) override {
    if (!within && parameters.back().mode() == CORBA::ParameterMode::PARAM_OUT) throw CORBA::INTF_REPOS();
    return nullptr;
  }

  void bind(const CosNaming::Name& n, CORBA::object_reference<CORBA::Object> obj) override {
    if (bound_) throw Context::AlreadyBound();
    name_ = n;
    bound_ = std::move(obj);
  }
  void rebind(const CosNaming::Name& n, CORBA::object_reference<CORBA::Object> obj) override {
    name_ = n;
    bound_ = std::move(obj);
  }
  void bind_context(const CosNaming::Name&, ContextRef) override {}
  void rebind_context(const CosNaming::Name&, ContextRef) override {}
  CORBA::object_reference<CORBA::Object> resolve(const CosNaming::Name& n) override {
    if (n != name_) throw Context::NotFound(Context::NotFoundReason::not_object, n);
    return bound_;
  }
  void unbind(const CosNaming::Name&) override { bound_.reset(); }
  ContextRef new_context() override { return nullptr; }
  ContextRef bind_new_context(const CosNaming::Name&) override { return nullptr; }
  void destroy() override { throw Context::NotEmpty(); }
  void list(std::uint32_t, CosNaming::BindingList& bl,
            CORBA::object_reference<CosNaming::BindingIterator>&) override {
    bl = {CosNaming::Binding(name_, CosNaming::BindingType::nobject)};
  }

 private:
  CosNaming::Name name_;
  CORBA::object_reference<CORBA::Object> bound_;
};

struct StandardFiles : testing::Test {
  CORBA::object_reference<CORBA::ORB> orb = [] {
    int argc = 1;
    char name[] = "standard_use";
    char* argv[] = {name, nullptr};
    return CORBA::ORB_init(argc, argv);
  }();
  CORBA::servant_reference<Desk> servant = CORBA::make_reference<Desk>();
  CORBA::object_reference<Use::Desk> desk =
      IDL::traits<Use::Desk>::narrow(tenon::publish(orb, servant, "Desk"));
  ~StandardFiles() override { orb->destroy(); }
};

TEST_F(StandardFiles, ValuesOfAllModulesTravel) {
  Use::Everything all;
  all.when(TimeBase::UtcT(1, 2, 3, -60));
  all.interval(TimeBase::IntervalT(4, 5));
  all.ior(IOP::IOR("IDL:X:1.0", {IOP::TaggedProfile(IOP::TAG_INTERNET_IOP, {1, 2, 3})}));
  all.contexts({IOP::ServiceContext(IOP::BI_DIR_IIOP, {7})});
  all.components({IOP::TaggedComponent(IOP::TAG_ORB_TYPE, {1, 2})});
  GIOP::TargetAddress target;
  target.object_key({9, 8});
  all.target(target);
  all.reply().reply_status(GIOP::ReplyStatusType_1_2::NEEDS_ADDRESSING_MODE);
  all.points({IIOP::ListenPoint("host", 2809)});
  all.code_sets().ForCharData().native_code_set(0x05010001);
  all.policies({Messaging::PolicyValue(Messaging::REBIND_POLICY_TYPE, {1})});
  all.priorities(Messaging::PriorityRange(1, 2));
  all.bindings(
      {CosNaming::Binding({CosNaming::NameComponent("id", "kind")}, CosNaming::BindingType::ncontext)});
  all.strings({"one", "two"});
  Use::Times times;
  const Use::Everything back = desk->echo(all, times);
  EXPECT_TRUE(back == all);
  EXPECT_EQ(times, Use::Times{TimeBase::UtcT(1, 2, 3, -60)});
  EXPECT_EQ(Use::tag, 2u);
}

TEST_F(StandardFiles, ValuesFitIntoAnAny) {
  CORBA::Any value;
  value <<= IIOP::ListenPointList{IIOP::ListenPoint("host", 1)};
  IIOP::ListenPointList points;
  ASSERT_TRUE(value >>= points);
  EXPECT_EQ(points.front().host(), "host");
  const CORBA::Any named = desk->describe({CosNaming::NameComponent("x", "y")});
  EXPECT_EQ(named.type()->content_type()->id(), "IDL:omg.org/CosNaming/NameComponent:1.0");
  CosNaming::Name name;
  ASSERT_TRUE(named >>= name);
  EXPECT_EQ(name.front().kind(), "y");
}

TEST_F(StandardFiles, DescriptionsOfARepositoryTravel) {
  CORBA::ParDescriptionSeq parameters(2);
  for (CORBA::ParameterDescription& one : parameters) one.type(CORBA::_tc_long);
  EXPECT_FALSE(desk->described(parameters, nullptr));
  parameters.back().mode(CORBA::ParameterMode::PARAM_OUT);
  EXPECT_THROW(desk->described(parameters, nullptr), CORBA::INTF_REPOS);
}

TEST_F(StandardFiles, AContextIsServedAndCalled) {
  const ContextRef context = desk;
  const CosNaming::Name name{CosNaming::NameComponent("printer", "")};
  context->bind(name, desk);
  EXPECT_TRUE(context->resolve(name)->_is_equivalent(desk));
  EXPECT_THROW(context->bind(name, desk), Context::AlreadyBound);
  EXPECT_THROW(context->destroy(), Context::NotEmpty);
  CosNaming::BindingList bindings;
  CORBA::object_reference<CosNaming::BindingIterator> more;
  context->list(10, bindings, more);
  EXPECT_EQ(bindings.front().binding_name(), name);
  EXPECT_FALSE(more);
  try {
    desk->checked(nullptr);
    FAIL();
  } catch (const Context::NotFound& missing) {
    EXPECT_EQ(missing.rest_of_name().front().id(), "a");
  }
  EXPECT_TRUE(desk->_is_a("IDL:omg.org/CosNaming/NamingContext:1.0"));
}

TEST_F(StandardFiles, AVendorsDeclarationsAreTheOrbsOwn) {
  Program::Described described;
  described.type(CORBA::_tc_long);
  described.octets({1});
  static_assert(std::is_same_v<CORBA::OctetSeq, std::vector<std::uint8_t>>);
  CORBA::Any value;
  value <<= described;
  Program::Described back;
  ASSERT_TRUE(value >>= back);
  EXPECT_TRUE(back.type()->equal(CORBA::_tc_long));
}

}  // namespace
