// SPDX-License-Identifier: Apache-2.0
//
// _get_interface() in a process that has no calls to ask a repository with, and after a start-up has named them.
#include "mapping/cpp11/corba/interface_lookup.hpp"

#include <gtest/gtest.h>

#include <string>

#include "mapping/cpp11/calls/bell_test_support.hpp"
#include "tenon/parts.hpp"

namespace tenon::gen {
namespace {

std::string why_not(Tower::Bell_skeleton& servant) {
  try {
    static_cast<void>(servant._get_interface());
  } catch (const CORBA::INTF_REPOS& refused) {
    EXPECT_EQ(refused.minor(), omg_vmcid | 1);
    return refused.what();
  }
  return "found";
}

/// As a process begins: no start-up has named a lookup.
struct NoLookup {
  InterfaceLookup before = interface_lookup.exchange(nullptr);
  ~NoLookup() { interface_lookup.store(before); }
};

TEST(InterfaceLookup, IsAPartThatAStartUpNames) {
  const NoLookup none;
  const auto servant = CORBA::make_reference<Tower::Bell_impl>();
  EXPECT_NE(why_not(*servant).find("tenon::parts::interface_repository"), std::string::npos)
      << why_not(*servant);

  orb::Parts parts;
  for (const Part part : {&client, &server, &micro}) part(parts);
  EXPECT_EQ(interface_lookup.load(), nullptr) << "a server that makes no calls has none";

  all_but_protocols(parts);
  EXPECT_EQ(interface_lookup.load(), &ask_interface_repository);
  interface_lookup.store(nullptr);
  parts::interface_repository(parts);
  EXPECT_EQ(interface_lookup.load(), &ask_interface_repository);

  const auto orb = init_orb(Configuration{}, {&micro, &parts::interface_repository});
  EXPECT_NE(why_not(*servant).find("-ORBInitRef InterfaceRepository"), std::string::npos)
      << why_not(*servant) << ": now there is only no repository";
  orb->destroy();
}

}  // namespace
}  // namespace tenon::gen
