// SPDX-License-Identifier: Apache-2.0
// server: prints a reference and serves, as tools/footprint/programs/server.cpp does, for Ice's C++11 mapping.
#include <Ice/Ice.h>

#include <cstdio>

#include "hello.h"

// Debian has no static library of the systemd journal, which Ice can log to.
extern "C" int sd_journal_send_with_location(const char*, const char*, const char*, const char*, ...) {
  return 0;
}

class Greeter : public Footprint::Hello {
 public:
  std::string greet(std::string name, const Ice::Current&) override {
    if (name.empty()) throw Footprint::Nobody();
    return "hello, " + name;
  }
};

int main(int argc, char** argv) {
  const Ice::CommunicatorHolder communicator(argc, argv);
  const auto adapter = communicator->createObjectAdapterWithEndpoints("hello", "tcp -h 127.0.0.1");
  std::puts(
      adapter->add(std::make_shared<Greeter>(), Ice::stringToIdentity("Hello"))->ice_toString().c_str());
  std::fflush(stdout);
  adapter->activate();
  communicator->waitForShutdown();
}
