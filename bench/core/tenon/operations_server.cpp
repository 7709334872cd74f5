// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of operations.idl, once for each kind of operation table. Options: --ior FILE, --idle SECONDS; the rest goes to
// ORB_init.
//
// Threads: the ORB's.

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "operations_skel.hpp"
#include "tests/interop/tenon/program.hpp"

namespace {

class Servant final : public CORBA::servant_traits<BenchCore::Operations>::base_type {
 public:
#define OP(name) \
  void name() override {}
#include "bench/core/operations.inc"
};

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  program::hold_signals();
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    auto object = tenon::publish(orb, CORBA::make_reference<Servant>());
    program::publish(options.ior, orb->object_to_string(object));
    program::wait_for_the_end(options.idle_seconds);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: %s\n", e.what());
    return 1;
  }
}
