// SPDX-License-Identifier: Apache-2.0
#include "tests/demux/numbers_world.hpp"

namespace tenon::numbers {

Ear::Ear() {
  set_log_sink(
      [](void* ear, LogLevel, std::string_view component, std::string_view text) {
        if (component == "giop") static_cast<Ear*>(ear)->hear(text);
      },
      this);
  set_log_level(LogLevel::trace);
}

Ear::~Ear() {
  set_log_level(LogLevel::off);
  set_log_sink(nullptr, nullptr);
}

/// "-> 127.0.0.1:4711: Request 5, 'one' of object ...", then octets.
void Ear::hear(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  if (!text.starts_with("->") || text.find("Request ") == std::string_view::npos) return;
  const std::size_t begin = text.find(", '");
  if (begin == std::string_view::npos) return;
  std::string_view operation = text.substr(begin + 3);
  operation = operation.substr(0, operation.find('\''));
  std::string heard(operation);
  if (is_offered_number(operation)) heard = "#" + std::to_string(std::stoul(heard.substr(0, 4)));
  const std::lock_guard lock(mutex_);
  operations_.push_back(std::move(heard));
}

Words Ear::heard() {
  const std::lock_guard lock(mutex_);
  return std::exchange(operations_, {});
}

World::World(const Words& server_options, const Words& client_options) {
  static std::atomic<int> made{0};
  const std::string number = std::to_string(++made);
  Words listening = server_options;
  listening.insert(listening.end(), {"-ORBListenEndpoints", "iiop://127.0.0.1"});
  server = CORBA::ORB_init(listening, "numbers-server-" + number);
  client = CORBA::ORB_init(client_options, "numbers-client-" + number);
  root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  root->the_POAManager()->activate();
}

World::~World() {
  root.reset();
  client->destroy();
  server->destroy();
}

std::optional<ior::OperationNumbers> offered_by(const ObjectRef& object) {
  return ior::read_operation_numbers(object->_reference()->profiles().at(0).view.components);
}

ObjectRef with_components(CORBA::ORB& orb, const ObjectRef& object,
                          const std::function<void(std::vector<ior::TaggedComponent>&)>& change) {
  ior::Ior changed = object->_reference()->ior();
  for (const orb::UsableProfile& profile : object->_reference()->profiles()) {
    protocol::ProfileView view = profile.view;
    change(view.components);
    changed.profiles[profile.index] = profile.transport->make_profile(view);
  }
  return orb.string_to_object(ior::to_ior_text(changed));
}

ObjectRef without_numbers(CORBA::ORB& orb, const ObjectRef& object) {
  return with_components(orb, object, [](std::vector<ior::TaggedComponent>& components) {
    std::erase_if(components, [](const auto& each) { return each.tag == ior::tag_operation_numbers; });
  });
}

std::int32_t call_by_name(CORBA::Object& object, std::string_view name, std::int32_t argument) {
  const gen::Operation operation{.name = name};
  std::int32_t result = -2;
  try {
    gen::call(
        object, operation, [&](cdr::Writer& out) { out.put(argument); },
        [&](cdr::Reader& in) { result = in.get<std::int32_t>(); });
  } catch (const CORBA::BAD_OPERATION&) {
    return -1;
  }
  return result;
}

}  // namespace tenon::numbers
