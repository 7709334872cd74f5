// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes texts that name objects and the bytes of references: IOR:, corbaloc:, corbaname:, stringified names, profiles, components.
// Invariants checked: what is accepted is written and read again as the same; error positions lie in the text.
#include <cstdlib>

#include "cdr/reader.hpp"
#include "ior/components.hpp"
#include "ior/object_url.hpp"
#include "ior/omniorb_unix.hpp"
#include "ior/uiop_profile.hpp"

namespace {

using namespace tenon;
using namespace tenon::ior;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_profiles(const Ior& ior) {
  for (const TaggedProfile& profile : ior.profiles) {
    if (const Result<IiopProfile> iiop = parse_iiop_profile(profile.data)) {
      const Result<IiopProfile> again = parse_iiop_profile(make_iiop_profile(*iiop).data);
      require(again && *again == *iiop);
      (void)alternate_addresses(iiop->components);
      (void)read_code_sets(iiop->components);
      for (const TaggedComponent& each : iiop->components) {
        const auto socket = read_omniorb_unix(each);
        if (socket) require(read_omniorb_unix(omniorb_unix_component(socket->host, socket->path)) == socket);
      }
    }
    if (const Result<UiopProfile> uiop = parse_uiop_profile(profile.data)) {
      const Result<UiopProfile> again = parse_uiop_profile(make_uiop_profile(*uiop).data);
      require(again && *again == *uiop);
    }
    (void)parse_multiple_components(profile.data);
  }
  require(equivalent(ior, ior));
  (void)hash(ior);
}

void check_reference(const Ior& ior) {
  const Parsed<Ior> again = parse_ior_text(to_ior_text(ior));
  require(again && *again == ior);
  check_profiles(ior);
}

void check_url(std::string_view text) {
  const Parsed<ObjectUrl> url = parse_object_url(text);
  if (!url) {
    require(url.error().position <= text.size() && *url.error().text != '\0');
    return;
  }
  const Parsed<ObjectUrl> again = parse_object_url(to_text(*url));
  require(static_cast<bool>(again));
  require(again->kind == url->kind && again->addresses == url->addresses);
  require(again->key == url->key && again->name == url->name && again->reference == url->reference);
  if (const Parsed<Ior> ior = to_reference(*url)) check_reference(*ior);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_url(text);
  if (const auto name = parse_name(text)) {
    const auto again = parse_name(to_text(*name));
    require(again && *again == *name);
  }
  if (const Result<Ior> ior = from_encapsulation(ByteView(data, size))) check_reference(*ior);
  return 0;
}
