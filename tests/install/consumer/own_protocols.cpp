// SPDX-License-Identifier: Apache-2.0
// A program that says itself which protocols an ORB has: the library, shared or not, must ask it.
#include <cstdio>

#include <orb/protocols.hpp>
#include <plugins/giop/giop.hpp>
#include <plugins/iiop/iiop.hpp>
#include <tenon/tenon.hpp>

namespace {
bool asked = false;
}

std::vector<tenon::orb::Protocol> tenon::orb::default_protocols() {
  asked = true;
  std::vector<Protocol> protocols;
  protocols.push_back({iiop::make_plugin(), giop::make_messaging()});
  return protocols;
}

int main(int argc, char** argv) {
  auto orb = CORBA::ORB_init(argc, argv);
  orb->destroy();
  std::puts(asked ? "asked" : "not asked");
  return asked ? 0 : 1;
}
