// SPDX-License-Identifier: Apache-2.0
//
// tenon::publish(), made of operations of PortableServer.
#include "tenon/portable_server/publish.hpp"

#include "base/minor_codes.hpp"
#include "ior/object_url.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/portable_server/adapter.hpp"
#include "poa/root_adapter.hpp"

namespace tenon {

CORBA::object_reference<CORBA::Object> publish_servant(
    CORBA::ORB& orb, const CORBA::servant_reference<PortableServer::Servant>& servant,
    std::string_view name) {
  const Ref<poa::Poa> root = gen::root_poa_of(orb._core());
  const poa::Octets key = gen::value_or_raise<poa::Exception::servant_not_active>(
      root->key_of(gen::engine_servant(servant)), *root);
  // The key is published before the first reference is made, which opens the endpoints: a client that waited for this process to come
  // back is not told that the object does not exist.
  const ByteView plain(reinterpret_cast<const std::uint8_t*>(name.data()), name.size());
  if (!name.empty()) {
    if (const Status done = root->root().publish(plain, key); !done) gen::raise(done.error());
  }
  auto object = gen::make_stub<CORBA::Object>(gen::servant_reference(orb._core(), *root, *servant, key));
  // Last, so that no request is served before everything is in its place.
  gen::value_or_raise<poa::Exception::manager_inactive>(root->manager().activate());
  return object;
}

std::string corbaloc(const CORBA::object_reference<CORBA::ORB>& orb, std::string_view name) {
  const ByteView key(reinterpret_cast<const std::uint8_t*>(name.data()), name.size());
  const Ref<orb::Reference> reference = gen::new_reference(orb->_core(), {}, key);
  const auto& profiles = reference->profiles();
  if (profiles.empty()) gen::raise(errors::cannot_listen);
  // TCP is what every ORB and every user can use; the others are for processes of one machine, or of one user.
  const orb::UsableProfile* chosen = &profiles.front();
  for (const orb::UsableProfile& each : profiles) {
    if (each.transport->name() != "iiop") continue;
    chosen = &each;
    break;
  }
  const std::string_view protocol = chosen->transport->name();
  // The path of a Unix-domain socket has slashes of its own (object_url.hpp).
  const char before_key = protocol == "uiop" ? '|' : '/';
  std::string text = "corbaloc:";
  text.append(protocol).append(":").append(chosen->transport->url_address(chosen->view, 0));
  return text.append(1, before_key).append(ior::escape_key(key));
}

}  // namespace tenon
