// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <tenon/tenon.hpp>
#include <tenon/timeout.hpp>
#include "hello.hpp"

int main(int argc, char** argv) {
  int status = 1;
  try {
    auto orb = CORBA::ORB_init(argc, argv);  // takes its options out of argv
    if (argc != 2) {
      std::fprintf(stderr, "usage: %s ADDRESS\n", argv[0]);
      return 2;
    }
    // The text that the server printed. narrow() may ask the server.
    auto hello = IDL::traits<Greeting::Hello>::narrow(orb->string_to_object(argv[1]));
    if (hello) {
      tenon::set_timeout(*hello, std::chrono::milliseconds(500));
      std::puts(hello->greet("world").c_str());
      status = 0;
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s\n", e.what());  // what went wrong, and what was tried
  }
  return status;
}
