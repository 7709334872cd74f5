// SPDX-License-Identifier: Apache-2.0
#include "orb/protocol_references.hpp"

#include <algorithm>
#include <utility>

#include "base/minor_codes.hpp"
#include "cdr/value_memory.hpp"

namespace tenon::orb {

namespace {

bool is_named(std::span<const std::uint32_t> list, std::uint32_t tag) noexcept {
  return std::ranges::find(list, tag) != list.end();
}

/// Whether an endpoint of that tag is one of those for which this entry of the list stands.
bool stands_for(std::uint32_t entry, std::uint32_t tag, std::span<const std::uint32_t> list) noexcept {
  return entry == any_profile_tag ? !is_named(list, tag) : entry == tag;
}

}  // namespace

bool listens_for(const Server& server, std::uint32_t profile_tag) noexcept {
  if (profile_tag == any_profile_tag) return true;
  return std::ranges::any_of(server.points(), [profile_tag](const Server::Point& each) {
    return each.transport->profile_tag() == profile_tag;
  });
}

Result<Ref<Reference>> create_reference_over(Orb& orb, std::span<const std::uint32_t> profile_tags,
                                             std::string_view type_id, ByteView object_key,
                                             std::span<const ExtraComponent> extra, std::string* why) {
  if (const Status alive = orb.usable(); !alive) return alive.error();
  const Result<const Server*> found = orb.listening(why);
  if (!found) return found.error();
  const Server& server = **found;
  ior::Ior made;
  made.type_id = type_id;
  const std::size_t points = server.points().size();
  if (points == 0) return errors::no_protocol_of_policy;
  if (!cdr::reserve(made.profiles, points)) return errors::out_of_memory;
  for (auto tag = profile_tags.begin(); tag != profile_tags.end(); ++tag) {
    if (std::find(profile_tags.begin(), tag, *tag) != tag) continue;  // it is there
    for (const Server::Point& point : server.points()) {
      if (made.profiles.size() == points) break;  // one has been added since
      if (stands_for(*tag, point.transport->profile_tag(), profile_tags) &&
          !add_profile(orb.options(), point, object_key, extra, made))
        return errors::out_of_memory;
    }
  }
  if (made.profiles.empty()) return errors::no_protocol_of_policy;
  // What stands in profiles of others would be a way over a protocol that is not in the list.
  for (const Server::Point& point : server.points()) {
    if ((is_named(profile_tags, point.transport->profile_tag()) || is_named(profile_tags, any_profile_tag)) &&
        !point.transport->compose(*point.acceptor, made))
      return errors::out_of_memory;
  }
  return orb.reference(std::move(made));
}

}  // namespace tenon::orb
