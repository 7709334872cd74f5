// SPDX-License-Identifier: Apache-2.0
#include "tests/interceptors/world.hpp"

#include <atomic>

namespace tenon::spied {

namespace {

/// What the next ORB is to be initialised with; the one initializer of this process looks here.
struct Plan {
  std::function<void(ORBInitInfo&)> before, after;
};
Plan plan;

class Initializer final : public ORBInitializer {
 public:
  void pre_init(CORBA::object_reference<ORBInitInfo> info) override {
    if (plan.before) plan.before(*info);
  }
  void post_init(CORBA::object_reference<ORBInitInfo> info) override {
    if (plan.after) plan.after(*info);
  }
};

}  // namespace

OrbRef make_orb(const std::function<void(ORBInitInfo&)>& initialise, const Words& options,
                const std::function<void(ORBInitInfo&)>& afterwards) {
  static const bool registered = [] {
    register_orb_initializer(CORBA::make_reference<Initializer>());
    return true;
  }();
  static int number = 0;
  EXPECT_TRUE(registered);
  plan = {initialise, afterwards};
  const OrbRef made = CORBA::ORB_init(options, "orb-" + std::to_string(++number));
  plan = {};
  return made;
}

std::int32_t TargetServant::exchange_slot(std::int32_t number) {
  const std::int32_t found = number_of(current->get_slot(0));
  current->set_slot(0, number_in_any(number));
  return found;
}

CORBA::Any number_in_any(std::int32_t number) {
  CORBA::Any any;
  any <<= number;
  return any;
}

std::int32_t number_of(const CORBA::Any& any, std::int32_t otherwise) {
  std::int32_t number = otherwise;
  return (any >>= number) ? number : otherwise;
}

void Spies::start() {
  Words listening = server_options;
  listening.insert(listening.end(),
                   {"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBServerId", "spied server"});
  server = make_orb(
      [this](ORBInitInfo& info) {
        info.add_server_request_interceptor(s1);
        info.add_server_request_interceptor(s2);
        for (const auto& each : ior_interceptors) info.add_ior_interceptor(each);
        server_slot = info.allocate_slot_id();
      },
      listening);
  client = make_orb(
      [this](ORBInitInfo& info) {
        info.add_client_request_interceptor(c1);
        info.add_client_request_interceptor(c2);
        client_slot = info.allocate_slot_id();
      },
      client_options);
  target = publish("first");
}

void Spies::TearDown() {
  target = nullptr;
  if (client) client->destroy();
  if (server) server->destroy();
}

TargetRef Spies::publish(const std::string& name) {
  const auto servant = CORBA::make_reference<TargetServant>(diary, name);
  servant->current = IDL::traits<Current>::narrow(server->resolve_initial_references("PICurrent"));
  return at_client(tenon::publish(server, servant, name));
}

TargetRef Spies::at_client(const CORBA::object_reference<CORBA::Object>& object) {
  return IDL::traits<Spied::Target>::unchecked_narrow(
      client->string_to_object(server->object_to_string(object)));
}

}  // namespace tenon::spied
