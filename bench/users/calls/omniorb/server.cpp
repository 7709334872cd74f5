// SPDX-License-Identifier: Apache-2.0
//
// omniORB's server of desk.idl. Options: --ior FILE, --idle SECONDS; the rest goes to omniORB.
//
// Threads: omniORB's, one per connection.

#include "desk.hh"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

class DeskServant : public POA_BenchUsers::Desk {
 public:
  void quick() override { peer::touch(); }
  void wait(CORBA::ULong milliseconds) override { usleep(1000 * milliseconds); }
  void tick() override { ++ticks_; }
  CORBA::ULongLong ticks() override { return ticks_.exchange(0); }
  void call_back(BenchUsers::Listener_ptr whom, CORBA::ULong times) override {
    for (CORBA::ULong i = 0; i < times; ++i) whom->told();
  }

 private:
  std::atomic<CORBA::ULongLong> ticks_{0};
};

}  // namespace

int main(int argc, char** argv) {
  return peer::server_main(argc, argv, [](const peer::Server& server) {
    CORBA::Object_var desk = server.activate(new DeskServant);
    return server.text(desk);
  });
}
