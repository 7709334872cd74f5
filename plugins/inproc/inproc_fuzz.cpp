// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes what a stranger or a user can give: profiles, endpoints and addresses in URLs. Invariants checked: what is accepted is
// written and read again as the same, what is refused is explained.
#include <cstdlib>
#include <string>

#include "ior/named_address.hpp"
#include "plugins/inproc/endpoint.hpp"
#include "plugins/inproc/plugin.hpp"
#include "plugins/inproc/profile.hpp"

namespace {

using namespace tenon;
using namespace tenon::inproc;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView all(data, size);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const Result<Profile> profile = parse_profile(all)) {
    require(ior::is_name(profile->address));
    const Result<Profile> again = parse_profile(write_profile(*profile).data);
    require(again && *again == *profile);
  }
  const Plugin plugin;
  static_cast<void>(plugin.read_profile(all));
  std::string why;
  if (const auto endpoint = read_endpoint("inproc://" + std::string(text), why)) {
    require(endpoint->name.empty() || ior::is_name(endpoint->name));
    require(endpoint->backlog > 0);
  } else {
    require(!why.empty());
  }
  why.clear();
  protocol::ProfileView view;
  if (plugin.read_url_address(text, view, why)) {
    protocol::ProfileView again;
    require(plugin.read_url_address(plugin.url_address(view, 0), again, why));
    require(again.addresses == view.addresses && again.minor == view.minor);
  } else {
    require(!why.empty() && view.addresses.empty());
  }
  return 0;
}
