// SPDX-License-Identifier: Apache-2.0
//
// One client and one server interceptor that do nothing, in every ORB of the program it is linked into: what their being there costs.
#include <tenon/portable_interceptor.hpp>

namespace {

using namespace PortableInterceptor;

class Client final : public ClientRequestInterceptor {
 public:
  std::string name() override { return "client"; }
};

class Server final : public ServerRequestInterceptor {
 public:
  std::string name() override { return "server"; }
};

class Both final : public ORBInitializer {
 public:
  void pre_init(CORBA::object_reference<ORBInitInfo> info) override {
    info->add_client_request_interceptor(CORBA::make_reference<Client>());
    info->add_server_request_interceptor(CORBA::make_reference<Server>());
  }
};

[[maybe_unused]] const bool registered = [] {
  register_orb_initializer(CORBA::make_reference<Both>());
  return true;
}();

}  // namespace
