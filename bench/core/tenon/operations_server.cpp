// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of operations.idl, once for each kind of operation table. Options: --ior FILE, --idle SECONDS; the rest goes to
// ORB_init.
//
// Threads: the ORB's.

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "operations_skel.hpp"
#include "tests/interop/tenon/serve.hpp"

namespace {

class Servant final : public CORBA::servant_traits<BenchCore::Operations>::base_type {
 public:
#define OP(name) \
  void name() override {}
#include "bench/core/operations.inc"
};

}  // namespace

int main(int argc, char** argv) {
  return program::serve(argc, argv, [](const auto& orb) {
    auto object = tenon::publish(orb, CORBA::make_reference<Servant>());
    return orb->object_to_string(object);
  });
}
