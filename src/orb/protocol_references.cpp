// SPDX-License-Identifier: Apache-2.0
#include "orb/protocol_references.hpp"

#include <algorithm>
#include <utility>

#include "base/minor_codes.hpp"
#include "cdr/value_memory.hpp"

namespace tenon::orb {

bool listens_for(const Server& server, std::uint32_t profile_tag) noexcept {
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
  const auto points = static_cast<std::size_t>(std::distance(server.points().begin(), server.points().end()));
  if (!cdr::reserve(made.profiles, points)) return errors::out_of_memory;
  for (auto tag = profile_tags.begin(); tag != profile_tags.end(); ++tag) {
    if (std::find(profile_tags.begin(), tag, *tag) != tag) continue;  // it is there
    for (const Server::Point& point : server.points()) {
      if (point.transport->profile_tag() == *tag &&
          !add_profile(orb.options(), point, object_key, extra, made))
        return errors::out_of_memory;
    }
  }
  if (made.profiles.empty()) return errors::no_protocol_of_policy;
  // What stands in profiles of others would be a way over a protocol that is not in the list.
  for (const Server::Point& point : server.points()) {
    if (std::ranges::find(profile_tags, point.transport->profile_tag()) != profile_tags.end() &&
        !point.transport->compose(*point.acceptor, made))
      return errors::out_of_memory;
  }
  return orb.reference(std::move(made));
}

}  // namespace tenon::orb
