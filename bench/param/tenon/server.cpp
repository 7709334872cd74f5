// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of param.idl and echo.idl: publishes the two references, a line each. Options: --ior FILE, --idle SECONDS; the rest
// goes to ORB_init. Built once with compiled and once with interpreted stubs.
//
// Threads: the ORB's.

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "servant.hpp"
#include "tests/interop/tenon/program.hpp"

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  program::hold_signals();
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    auto servant = CORBA::make_reference<param::Servant>();
    auto echo = CORBA::make_reference<param::EchoServant>();
    program::publish(options.ior,
                     orb->object_to_string(servant->_this()) + "\n" + orb->object_to_string(echo->_this()));
    program::wait_for_the_end(options.idle_seconds);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: %s\n", e.what());
    return 1;
  }
}
