// SPDX-License-Identifier: Apache-2.0
#include "orb/protocol_choice.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/joined.hpp"
#include "ior/iiop_profile.hpp"
#include "orb/composed_profiles.hpp"
#include "protocol/messaging.hpp"
#include "protocol/transport.hpp"

namespace tenon::orb {
namespace {

Protocols::iterator find(Protocols& all, std::string_view name) {
  return std::ranges::find_if(
      all, [&](const Protocol& each) { return ior::same_host(each.transport->name(), name); });
}

std::string names(const Protocols& all) {
  std::string text;
  for (const Protocol& each : all) text.append(text.empty() ? "" : ", ").append(each.transport->name());
  return text.empty() ? "no protocol" : text;
}

bool fit_together(const Protocols& all, std::string& why) {
  for (auto each = all.begin(); each != all.end(); ++each) {
    const std::string_view name = each->transport->name();
    if (const char* const missing = lacks(*each->transport, *each->messaging)) {
      why = joined({"protocol ", name, ": ", each->messaging->name(), " needs ", missing,
                    ", which this transport does not have"});
      return false;
    }
    for (auto other = all.begin(); other != each; ++other) {
      if (other->transport->name() == name) {
        why = joined({"two protocols are called ", name});
      } else if (other->transport->profile_tag() == each->transport->profile_tag()) {
        why = joined({"the protocols ", other->transport->name(), " and ", name, " have one profile tag, ",
                      decimal(each->transport->profile_tag())});
      } else {
        continue;
      }
      return false;
    }
  }
  return true;
}

/// Those that `wanted` names to the front, in that order; the others go.
bool select(const std::vector<std::string>& wanted, Protocols& all, std::string& why) {
  if (wanted.empty()) return true;
  auto next = all.begin();
  for (const std::string& name : wanted) {
    const auto found = find(all, name);
    if (found == all.end()) {
      why = joined({"protocol ", name, ": there is no such protocol; this program has ", names(all)});
      return false;
    }
    if (found < next) {
      why = joined({"protocol ", name, " is named twice"});
      return false;
    }
    std::rotate(next, found, found + 1);
    ++next;
  }
  while (all.end() != next) all.pop_back();
  return true;
}

bool tell_one_of(Protocols& all, const std::string& option, const std::string& value, std::string& why) {
  const std::size_t dot = std::min(option.find('.'), option.size());
  const auto protocol = find(all, std::string_view(option).substr(0, dot));
  if (protocol == all.end()) {
    why = dot == option.size()
              ? joined({"option ", option, ": wants protocol.option; this ORB has ", names(all)})
              : joined({"option ", option, ": this ORB has no protocol ", option.substr(0, dot), ", it has ",
                        names(all), "; -ORBProtocol and -ORBProtocolLibrary choose"});
    return false;
  }
  return tell(*protocol->transport, std::string_view(option).substr(std::min(dot + 1, option.size())), value,
              false, why);
}

/// In the form of -ORBHelp.
void print_options(const Protocols& all) {
  for (const Protocol& protocol : all) {
    for (const protocol::PluginOption& each : protocol.transport->own_options()) {
      const std::string text = joined({"  -ORBProtocolOption ", protocol.transport->name(), ".", each.name,
                                       "=", each.argument, "\n      ", each.text, "\n"});
      std::fwrite(text.data(), 1, text.size(), stdout);
    }
  }
}

}  // namespace

const char* lacks(const protocol::TransportPlugin& transport, const protocol::Messaging& messaging) noexcept {
  const protocol::Properties has = transport.properties();
  const protocol::Properties needs = messaging.needs();
  if (needs.ordered && !has.ordered) return "order";
  if (needs.reliable && !has.reliable) return "reliable delivery";
  if (needs.both_ways && !has.both_ways) return "both directions";
  if (needs.byte_stream && !has.byte_stream) return "a byte stream";
  return nullptr;
}

bool tell(protocol::TransportPlugin& transport, std::string_view name, const std::string& value, bool in_use,
          std::string& why) {
  std::string known;
  for (const protocol::PluginOption& each : transport.own_options()) {
    if (ior::same_host(each.name, name)) {
      std::string right;
      if (in_use && !each.changes) {
        right = "cannot change while the protocol is in use; remove the protocol and add it with the option";
      } else if (transport.set_option(each.name, value, right)) {
        return true;
      }
      why = joined({"option ", transport.name(), ".", name, "=", value, ": ", right});
      return false;
    }
    known.append(known.empty() ? "" : ", ").append(each.name);
  }
  why = joined({"option ", transport.name(), ".", name, ": ", transport.name(),
                " has no such option; it has ", known.empty() ? "none" : known});
  return false;
}

bool choose_protocols(const Options& options, Parts& parts, std::string& why) {
  for (const std::string& file : options.protocol_libraries) {
    if (!parts.load_protocols(file, parts.protocols, why)) return false;
  }
  if (!fit_together(parts.protocols, why) || !select(options.protocols, parts.protocols, why)) return false;
  if (options.print_protocol_options) print_options(parts.protocols);
  parts.compose_profiles = compose_profiles;
  parts.take_profiles_apart = take_profiles_apart;
  read_all_hosts(parts);
  return std::ranges::all_of(options.protocol_options, [&](const auto& each) {
    return tell_one_of(parts.protocols, each.first, each.second, why);
  });
}

}  // namespace tenon::orb
