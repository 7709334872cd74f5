// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of param.idl and echo.idl: publishes the two references, a line each. Options: --ior FILE, --idle SECONDS; the rest
// goes to ORB_init. Built once with compiled and once with interpreted stubs.
//
// Threads: the ORB's.

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "servant.hpp"
#include "tests/interop/tenon/serve.hpp"

int main(int argc, char** argv) {
  return program::serve(argc, argv, [](const auto& orb) {
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    auto servant = CORBA::make_reference<param::Servant>();
    auto echo = CORBA::make_reference<param::EchoServant>();
    return orb->object_to_string(servant->_this()) + "\n" + orb->object_to_string(echo->_this());
  });
}
