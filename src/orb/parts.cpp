// SPDX-License-Identifier: Apache-2.0
#include "orb/parts.hpp"

#include <algorithm>
#include <utility>

#include "base/joined.hpp"
#include "cdr/char_sets.hpp"
#include "orb/bidirectional.hpp"
#include "orb/current_protocols.hpp"
#include "orb/options.hpp"
#include "protocol/messaging.hpp"
#include "protocol/transport.hpp"

namespace tenon::orb {

namespace {

/// What the settings want and none of the parts gives: what that is, and its part; null: nothing. Without a part it is the sentence.
struct Lack {
  const char* what = nullptr;
  const char* part = nullptr;
};

Lack find_lack(const Options& options, const Parts& parts) noexcept {
  for (const Protocol& each : parts.protocols) {
    if (!each.transport || !each.messaging)
      return {"a protocol has a transport and a messaging; one that was given lacks a plug-in"};
  }
  switch (options.serving) {
    case Serving::unsaid: break;
    case Serving::thread_per_connection:
      if (parts.thread_per_connection == nullptr)
        return {"serving by a thread for each connection", "thread_per_connection"};
      break;
    case Serving::pool:
      if (parts.pool == nullptr) return {"serving by a pool of threads", "pool"};
      break;
    case Serving::single_thread:
      if (parts.single_thread == nullptr) return {"serving with a single thread", "single_thread"};
      break;
  }
  if (parts.bidirectional == nullptr && (options.offer_bidirectional || options.accept_bidirectional))
    return {"bidirectional connections", "bidirectional"};
  if (parts.sweeps == nullptr && (options.client_idle_ms != 0 || options.server_idle_ms != 0))
    return {"closing idle connections", "idle_connections"};
  if (!parts.fragments && options.messaging.limits.fragment_above != 0)
    return {"sending messages in fragments", "fragments"};
#ifdef TENON_WITH_ACCESS
  if (!parts.access && std::ranges::any_of(options.given, [](const std::string& each) {
        return each.starts_with("-ORBAccessRules ");
      }))
    return {"rules of access", "access"};
#endif
  if (parts.load_protocols == nullptr && !options.protocol_libraries.empty())  // brings protocol_choice
    return {"protocols of shared objects", "protocol_libraries"};
  if (parts.choose_protocols == nullptr && !(options.protocols.empty() && options.protocol_options.empty()))
    return {"choosing protocols", "protocol_choice"};
  if (cdr::char_set(options.messaging.native.chars) == nullptr ||
      cdr::char_set(options.messaging.unstated_chars) == nullptr)
    return {"code sets beside UTF-8 and ISO 8859-1", "code_sets"};
  if (parts.take_memory == nullptr && options.limits.any()) return {"Configuration::limits", "known_memory"};
  if (parts.corbaloc == nullptr && options.references_as_urls)
    return {"Configuration::references_as_urls", "corbaloc"};
  if (parts.naming == nullptr && !options.default_initial_reference.empty())
    return {"Configuration::default_initial_reference", "naming"};
  if (parts.naming == nullptr && !options.initial_references.empty())
    return {"Configuration::initial_references", "naming"};
  return {};
}

}  // namespace

/// By exchanges, which have nothing to end: a quarter of the code of push_back().
Protocol& one_more(Protocols& protocols) {
  Protocols more(protocols.size() + 1);
  for (std::size_t i = 0; i < protocols.size(); ++i) {
    more[i].transport.swap(protocols[i].transport);
    more[i].messaging.swap(protocols[i].messaging);
    more[i].bidirectional.swap(protocols[i].bidirectional);
    more[i].local = protocols[i].local;
    std::swap(more[i].made_by, protocols[i].made_by);
  }
  protocols.swap(more);
  return protocols.back();
}

#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
Parts::~Parts() { delete table; }
#else
Parts::~Parts() = default;
#endif

std::string missing(const Options& options, const Parts& parts) {
  const Lack lack = find_lack(options, parts);
  if (lack.part == nullptr) return lack.what != nullptr ? lack.what : "";
  return worded("%: this program's start-up does not name tenon::parts::%", {lack.what, lack.part});
}

}  // namespace tenon::orb
