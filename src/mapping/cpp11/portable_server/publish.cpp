// SPDX-License-Identifier: Apache-2.0
//
// tenon::publish(), made of operations of PortableServer.
#include "tenon/portable_server/publish.hpp"

#include "base/minor_codes.hpp"
#include "ior/object_url.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"

namespace tenon {

CORBA::object_reference<CORBA::Object> publish_servant(
    CORBA::ORB& orb, const CORBA::servant_reference<PortableServer::Servant>& servant,
    std::string_view name) {
  const auto root = gen::root_poa(orb._core());
  // The key is published before the first reference is made, which opens the endpoints: a client that waited for this process to come
  // back is not told that the object does not exist.
  if (!name.empty() && !gen::publish_key(orb._core(), servant, name)) gen::raise(errors::unusable_name);
  auto object = root->servant_to_reference(servant);
  // Last, so that no request is served before everything is in its place.
  root->the_POAManager()->activate();
  return object;
}

std::string corbaloc(const CORBA::object_reference<CORBA::ORB>& orb, std::string_view name) {
  const ByteView key(reinterpret_cast<const std::uint8_t*>(name.data()), name.size());
  const Ref<orb::Reference> reference = gen::new_reference(orb->_core(), {}, key);
  const auto& profiles = reference->profiles();
  if (profiles.empty()) gen::raise(errors::cannot_listen);
  const orb::UsableProfile& first = profiles.front();
  const std::string_view protocol = first.transport->name();
  // The path of a Unix-domain socket has slashes of its own (object_url.hpp).
  const char before_key = protocol == "uiop" ? '|' : '/';
  std::string text = "corbaloc:";
  text.append(protocol).append(":").append(first.transport->url_address(first.view, 0));
  return text.append(1, before_key).append(ior::escape_key(key));
}

}  // namespace tenon
