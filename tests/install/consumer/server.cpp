// SPDX-License-Identifier: Apache-2.0
// The server that README.md shows; the test compares the two.

#include <cstdio>
#include <tenon/tenon.hpp>
#include "hello_skel.hpp"  // made from hello.idl by tenon-idl

class Greeter final : public CORBA::servant_traits<Greeting::Hello>::base_type {
 public:
  std::string greet(const std::string& name) override { return "hello, " + name; }
};

int main(int argc, char** argv) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    auto reference = tenon::publish(orb, CORBA::make_reference<Greeter>(), "Hello");
    std::puts(tenon::corbaloc(orb, "Hello").c_str());
    std::fflush(stdout);
    orb->run();
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s\n", e.what());  // an option that is wrong, an address that is taken
    return 1;
  }
}
