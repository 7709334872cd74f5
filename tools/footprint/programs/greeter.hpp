// SPDX-License-Identifier: Apache-2.0
//
// The servant of the hello servers, and how it becomes known.
#pragma once

#include <cstdio>
#include <string>

#include "hello_skel.hpp"
#include "start_up.hpp"
#ifdef WITH_OWN_POA
#include <tenon/portable_server.hpp>
#endif

namespace hello {

class Greeter final : public CORBA::servant_traits<Footprint::Hello>::base_type {
 public:
  std::string greet(const std::string& name) override {
    if (name.empty()) throw Footprint::Nobody();
    return "hello, " + name;
  }
#ifdef WITH_SEQUENCE
  Footprint::Hello::Octets echo(const Footprint::Hello::Octets& what) override { return what; }
#endif
};

inline void serve(const CORBA::object_reference<CORBA::ORB>& orb) {
  const auto servant = CORBA::make_reference<Greeter>();
#ifdef WITH_OWN_POA
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto poa =
      root->create_POA("hello", root->the_POAManager(),
                       {root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  poa->activate_object_with_id({1}, servant);
  root->the_POAManager()->activate();
  std::puts(orb->object_to_string(poa->servant_to_reference(servant)).c_str());
#else
  // The reference is only handed out: tenon::publish() would make a stub of it, which can call.
  const auto reference = tenon::publish_servant(*orb, servant, "Hello");
  std::puts(orb->object_to_string(reference).c_str());
#endif
  std::fflush(stdout);
}

}  // namespace hello
