// SPDX-License-Identifier: Apache-2.0
// caller REFERENCE: a client, and nothing else.
#include <cstdio>

#include <tenon/parts.hpp>
#include <tenon/timeout.hpp>

#include "hello.hpp"

int main(int argc, char** argv) {
  int status = 1;
  try {
    const auto orb = tenon::init_orb(tenon::Configuration(), {tenon::client});
    const auto hello = IDL::traits<Greeting::Hello>::narrow(orb->string_to_object(argc > 1 ? argv[1] : ""));
    if (hello) {
      tenon::set_timeout(*hello, std::chrono::seconds(10));
      std::puts(hello->greet("device").c_str());
      status = 0;
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  return status;
}
