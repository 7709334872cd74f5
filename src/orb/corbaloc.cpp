// SPDX-License-Identifier: Apache-2.0
#include "orb/corbaloc.hpp"

#include <algorithm>

#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "ior/components.hpp"
#include "ior/object_url.hpp"
#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

/// Components that a client can do without.
bool may_be_left_out(const ior::TaggedComponent& component) noexcept {
  return component.tag == ior::tag_orb_type || component.tag == ior::tag_code_sets ||
         component.tag == ior::tag_operation_numbers;
}

std::string write_corbaloc(Reference& reference) {
  const std::vector<UsableProfile>& profiles = reference.profiles();
  if (profiles.empty() || profiles.size() != reference.ior().profiles.size()) return "";
  ior::ObjectUrl url;
  url.key = profiles.front().view.object_key;
  for (const UsableProfile& profile : profiles) {
    const protocol::ProfileView& view = profile.view;
    if (view.object_key != url.key || view.minor > 2 || view.addresses.empty() ||
        !std::ranges::all_of(view.components, may_be_left_out))
      return "";
    for (std::size_t i = 0; i < view.addresses.size(); ++i)
      url.addresses.push_back(
          {std::string(profile.transport->name()), profile.transport->url_address(view, i)});
  }
  return url.key.empty() ? "" : ior::to_text(url);
}

/// `text` has an address of a protocol that the ORB lacks.
std::string no_such_protocol(const Orb& orb, std::string_view text, const ior::UrlAddress& address) {
  std::size_t start = address.position - 1;  // of the colon behind the protocol, which may have been left out
  while (start != 0 && text[start - 1] != ':' && text[start - 1] != ',') --start;
  const bool chosen = !orb.options().protocols.empty();
  return worded(
      "protocol '%' at position % is not known here: %one of a shared object is brought by "
      "-ORBProtocolLibrary (ssliop by libtenon-ssliop.so), and a program that names its parts needs "
      "tenon::parts::%",
      {address.protocol, decimal(start), chosen ? "-ORBProtocol may have left it out; " : "",
       address.protocol});
}

Result<Ref<Reference>> read_corbaloc(Orb& orb, std::string_view text, std::string& why) {
  auto url = ior::parse_corbaloc(text);
  if (!url) {
    why = url.error().text;
    return url.error().as(errors::url_other);
  }
  ior::Ior made;
  // Each address gets a profile, since each has its own version, and profiles of GIOP 1.0 hold one address only.
  for (const ior::UrlAddress& address : url->addresses) {
    protocol::TransportPlugin* transport = orb.transport_named(address.protocol);
    if (transport == nullptr) {
      why = no_such_protocol(orb, text, address);
      return errors::url_bad_address;
    }
    protocol::ProfileView view;
    if (!transport->read_url_address(address.text, view, why)) return errors::url_bad_address;
    view.object_key = url->key;
    made.profiles.push_back(transport->make_profile(view));
    if (made.profiles.back().data.empty()) return errors::out_of_memory;
  }
  return orb.expected_reference(std::move(made));
}

}  // namespace

const CorbalocUrls corbaloc_urls{&read_corbaloc, &write_corbaloc};

}  // namespace tenon::orb
