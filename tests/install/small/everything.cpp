// SPDX-License-Identifier: Apache-2.0
// A client and a server of ORB_init, beside which the others are small.
#include <cstdio>

#include <tenon/tenon.hpp>

#include "hello_skel.hpp"

class Greeter final : public CORBA::servant_traits<Greeting::Hello>::base_type {
 public:
  std::string greet(const std::string& name) override { return "hello, " + name; }
};

int main(int argc, char** argv) {
  const auto orb = CORBA::ORB_init(argc, argv);
  const auto hello = tenon::publish(orb, CORBA::make_reference<Greeter>(), "Hello");
  std::puts(hello->greet("device").c_str());
  orb->destroy();
}
