// SPDX-License-Identifier: Apache-2.0
// An ordinary program: two_sides serve <options> prints a reference and serves; two_sides call <reference> <options> calls it.
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "hello_skel.hpp"

namespace {

class Greeter final : public CORBA::servant_traits<Greeting::Hello>::base_type {
 public:
  std::string greet(const std::string& name) override {
    if (name.empty()) throw Greeting::Nobody();
    return "hello, " + name;
  }
};

void serve(CORBA::ORB& orb) {
  auto poa = IDL::traits<PortableServer::POA>::narrow(orb.resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  auto id = poa->activate_object(CORBA::make_reference<Greeter>());
  std::puts(orb.object_to_string(poa->id_to_reference(id)).c_str());
  std::fflush(stdout);
  orb.run();
}

int call(CORBA::ORB& orb, const char* reference) {
  auto hello = IDL::traits<Greeting::Hello>::narrow(orb.string_to_object(reference));
  for (int i = 0; i < 1000; ++i) {
    if (hello->greet("toy") != "hello, toy") return 1;
  }
  const std::string large(3'000'000, 'x');
  if (hello->greet(large) != "hello, " + large) return 1;
  try {
    hello->greet("");
    return 1;
  } catch (const Greeting::Nobody&) {}
  std::puts("called");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    if (argc == 2 && std::strcmp(argv[1], "serve") == 0) {
      serve(*orb);
    } else if (argc == 3 && std::strcmp(argv[1], "call") == 0) {
      return call(*orb, argv[2]);
    }
    return 0;
  } catch (const CORBA::Exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 2;
  }
}
