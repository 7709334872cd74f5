// SPDX-License-Identifier: Apache-2.0
//
// The ORB's own local objects: each says that it is of its own interface and of that one's bases, and of no other.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/dynamic/dyn_any_test_support.hpp"

namespace tenon::shop {
namespace {

/// Of these, all that a local object may be here.
const std::vector<std::string> known{"CORBA/Object:1.0",
                                     "CORBA/ORB:1.0",
                                     "CORBA/Policy:1.0",
                                     "CORBA/PolicyManager:1.0",
                                     "CORBA/PolicyCurrent:1.0",
                                     "CORBA/Current:1.0",
                                     "PortableServer/POA:2.3",
                                     "PortableServer/POAManager:2.3",
                                     "PortableServer/POAManagerFactory:1.0",
                                     "PortableServer/Current:2.3",
                                     "PortableServer/ThreadPolicy:1.0",
                                     "PortableServer/LifespanPolicy:1.0",
                                     "PortableServer/ServantManager:2.3",
                                     "PortableServer/ServantActivator:2.3",
                                     "PortableInterceptor/Current:1.0",
                                     "PortableInterceptor/Interceptor:1.0",
                                     "PortableInterceptor/IORInterceptor:1.0",
                                     "Messaging/RebindPolicy:1.0",
                                     "IOP/CodecFactory:1.0",
                                     "DynamicAny/DynAnyFactory:1.0",
                                     "DynamicAny/DynAny:1.0",
                                     "DynamicAny/DynStruct:1.0"};

void is_just(const ObjectRef& object, std::vector<std::string> wanted) {
  ASSERT_TRUE(object);
  wanted.emplace_back("CORBA/Object:1.0");
  for (const std::string& id : known) {
    const bool is = std::ranges::find(wanted, id) != wanted.end();
    EXPECT_EQ(object->_is_a("IDL:omg.org/" + id), is) << wanted.front() << " and " << id;
  }
  EXPECT_FALSE(object->_is_a("IDL:" + wanted.front())) << "without the prefix";
}

TEST_F(Dyn, TheOrbsOwnObjectsKnowWhatTheyAre) {
  const auto initial = [&](const char* name) { return orb->resolve_initial_references(name); };
  const auto poa = IDL::traits<PortableServer::POA>::narrow(initial("RootPOA"));
  is_just(orb, {"CORBA/ORB:1.0"});
  is_just(poa, {"PortableServer/POA:2.3"});
  is_just(poa->the_POAManager(), {"PortableServer/POAManager:2.3"});
  is_just(poa->the_POAManagerFactory(), {"PortableServer/POAManagerFactory:1.0"});
  is_just(initial("POACurrent"), {"PortableServer/Current:2.3", "CORBA/Current:1.0"});
  is_just(initial("ORBPolicyManager"), {"CORBA/PolicyManager:1.0"});
  is_just(initial("PolicyCurrent"),
          {"CORBA/PolicyCurrent:1.0", "CORBA/PolicyManager:1.0", "CORBA/Current:1.0"});
  is_just(factory, {"DynamicAny/DynAnyFactory:1.0"});
  is_just(fresh<DynStruct>(Shop::_tc_Item), {"DynamicAny/DynStruct:1.0", "DynamicAny/DynAny:1.0"});
  is_just(poa->create_thread_policy(PortableServer::ThreadPolicyValue::ORB_CTRL_MODEL),
          {"PortableServer/ThreadPolicy:1.0", "CORBA/Policy:1.0"});
  is_just(poa->create_lifespan_policy(PortableServer::LifespanPolicyValue::TRANSIENT),
          {"PortableServer/LifespanPolicy:1.0", "CORBA/Policy:1.0"});
}

class Activator final : public PortableServer::ServantActivator {
 public:
  CORBA::servant_reference<PortableServer::Servant> incarnate(
      const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>) override {
    return {};
  }
  void etherealize(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                   CORBA::servant_reference<PortableServer::Servant>, bool, bool) override {}
};

TEST_F(Dyn, SoDoTheProgramsServantManagers) {
  is_just(CORBA::make_reference<Activator>(),
          {"PortableServer/ServantActivator:2.3", "PortableServer/ServantManager:2.3"});
}

}  // namespace
}  // namespace tenon::shop
