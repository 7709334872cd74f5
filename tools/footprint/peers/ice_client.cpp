// SPDX-License-Identifier: Apache-2.0
// client REFERENCE NAME, as tools/footprint/programs/client.cpp is, for Ice's C++11 mapping.
#include <Ice/Ice.h>

#include <cstdio>

#include "hello.h"

// Debian has no static library of the systemd journal, which Ice can log to.
extern "C" int sd_journal_send_with_location(const char*, const char*, const char*, const char*, ...) {
  return 0;
}

int main(int argc, char** argv) {
  try {
    const Ice::CommunicatorHolder communicator(argc, argv);
    if (argc != 3) return 2;
    const auto hello = Ice::checkedCast<Footprint::HelloPrx>(
        communicator->stringToProxy(argv[1])->ice_invocationTimeout(2000));
    if (!hello) return 1;
    std::puts(hello->greet(argv[2]).c_str());
    return 0;
  } catch (const Footprint::Nobody&) {
    std::puts("nobody to greet");
  } catch (const Ice::Exception& e) {
    std::puts(e.what());
  }
  return 1;
}
