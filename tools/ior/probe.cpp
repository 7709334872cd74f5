// SPDX-License-Identifier: Apache-2.0
#include "tools/ior/probe.hpp"

#include <cerrno>
#include <charconv>

#include "base/error_text.hpp"
#include "base/trail.hpp"
#include "net/connect.hpp"
#include "plugins/giop/giop.hpp"
#include "plugins/stream/stream_transport.hpp"
#include "protocol/messaging.hpp"
#ifdef TENON_WITH_SHMIOP
#include "plugins/shmiop/shmiop.hpp"
#endif

namespace tenon::explain {
namespace {

bool in_private_network(const net::SocketAddress& address) {
  if (address.is_link_local()) return true;
  const std::string host = address.host_text();
  if (address.family() == AF_INET6) return host.starts_with("fc") || host.starts_with("fd");
  if (host.starts_with("10.") || host.starts_with("192.168.")) return true;
  if (!host.starts_with("172.")) return false;
  int second = 0;
  std::from_chars(host.data() + 4, host.data() + host.size(), second);
  return second >= 16 && second <= 31;
}

/// Asks for the object over an open connection.
void ask(Try& into, std::unique_ptr<protocol::Transport> path, const ior::Ior& reference, Deadline deadline) {
  const auto messaging = giop::make_messaging();
  const auto connected = messaging->connect(std::move(path), protocol::Role::originator, {});
  if (!connected) {
    into.outcome = Outcome::no_answer;
    return;
  }
  const Ref<protocol::Connection>& connection = *connected;
  protocol::Target target;
  target.object_key = into.place.key;
  target.minor = into.place.minor;
  target.reference = &reference;
  target.profile_index = into.place.profile;
  ior::Ior forward;
  const std::int64_t began = steady_now();
  const auto located = connection->locate(target, deadline, forward);
  into.answered_ns = steady_now() - began;
  if (!located) {
    into.outcome = Outcome::no_answer;
    into.error = located.error();
    into.why = connection->complaint();
    connection->close();
    return;
  }
  connection->close();
  switch (*located) {
    case protocol::LocateStatus::unknown_object: into.outcome = Outcome::unknown_object; break;
    case protocol::LocateStatus::object_here: into.outcome = Outcome::here; break;
    case protocol::LocateStatus::object_forward:
    case protocol::LocateStatus::object_forward_perm:
      into.outcome = Outcome::elsewhere;
      into.forward = ior::to_ior_text(forward);
      break;
  }
}

void try_address(Try& into, const net::SocketAddress& address, const ior::Ior& reference, Deadline deadline) {
  into.loopback = address.is_loopback();
  into.private_network = address.family() != AF_UNIX && in_private_network(address);
  const std::int64_t began = steady_now();
  net::Descriptor socket = net::connect_stream({&address, 1}, deadline, into.os_error);
  into.connected_ns = steady_now() - began;
  into.outcome = Outcome::not_connected;
  if (!socket) return;
  ask(into, std::make_unique<stream::StreamTransport>(std::move(socket), into.place.text()), reference,
      deadline);
}

/// For profiles of shared memory and of the inside of a process.
Try try_named(const Place& place, [[maybe_unused]] const ior::Ior& reference,
              [[maybe_unused]] Deadline deadline) {
  Try made{.place = place};
  if (place.transport == Transport::inproc) {
    made.why = "only ORBs of the server's own process use this address";
    return made;
  }
  if (const char* const why = not_shared_with(place.where)) {
    made.why = why;
    return made;
  }
#ifdef TENON_WITH_SHMIOP
  Trail::mine().restart();
  const std::int64_t began = steady_now();
  auto path = shmiop::make_plugin()->connect(place.path, deadline);
  made.connected_ns = steady_now() - began;
  if (path) {
    ask(made, *std::move(path), reference, deadline);
    return made;
  }
  made.outcome = Outcome::not_connected;
  const Trail trail = Trail::mine().take();
  if (!trail.tries().empty()) {
    made.os_error = trail.tries().back().os_error;
    made.why = trail.tries().back().said;
  }
#endif
  return made;
}

/// The socket addresses of a place; none: `into` says why.
std::vector<net::SocketAddress> addresses_of(Try& into, Deadline deadline, net::HostNames& names) {
  const Place& place = into.place;
  if (place.transport == Transport::uiop) {
    std::string why;
    if (const auto path = net::unix_address(place.path, why)) return {*path};
    into.outcome = Outcome::host_not_found;
    return {};
  }
  if (place.host.port == 0) return {};
  if (net::in_numbers(place.host.host)) {
    if (const auto numeric = net::numeric_address(place.host)) return {*numeric};
    into.outcome = Outcome::host_not_found;
    return {};
  }
  const std::int64_t began = steady_now();
  net::HostNames::Answer answer = names.addresses(place.host, deadline);
  into.looked_up_ns = steady_now() - began;
  into.why = answer.why;
  into.outcome = answer.outcome == net::HostNames::Outcome::timed_out ? Outcome::look_up_too_slow
                                                                      : Outcome::host_not_found;
  return std::move(answer.addresses);
}

}  // namespace

std::vector<Try> probe(const ior::Ior& reference, std::int64_t timeout_ms, net::HostNames& names) {
  std::vector<Try> tries;
  for (const Place& place : places(reference)) {
    if (tries.size() >= most_tries) {
      tries.push_back({.place = place});
      continue;
    }
    if (place.transport == Transport::shmiop || place.transport == Transport::inproc) {
      tries.push_back(try_named(place, reference, Deadline::after_ms(timeout_ms)));
      continue;
    }
    Try first{.place = place};
    const std::vector<net::SocketAddress> found = addresses_of(first, Deadline::after_ms(timeout_ms), names);
    if (found.empty()) tries.push_back(first);
    for (const net::SocketAddress& address : found) {
      Try each{.place = place};
      each.looked_up_ns = first.looked_up_ns;
      if (address.text() != place.text()) each.address = address.text();
      if (tries.size() < most_tries) try_address(each, address, reference, Deadline::after_ms(timeout_ms));
      tries.push_back(std::move(each));
    }
  }
  return tries;
}

namespace {

/// "; look-up 1.2 ms, connection 0.1 ms, answer 0.3 ms"
std::string times(const Try& each) {
  std::string out;
  const auto add = [&out](const char* what, std::int64_t ns) {
    if (ns >= 0) out += (out.empty() ? "; " : ", ") + (what + (' ' + duration_text(ns)));
  };
  add("look-up", each.looked_up_ns);
  add("connection", each.connected_ns);
  add("answer", each.answered_ns);
  return out;
}

std::string outcome_in_words(const Try& each) {
  switch (each.outcome) {
    case Outcome::not_tried: return each.why.empty() ? "not tried" : "not tried: " + each.why;
    case Outcome::host_not_found:
      return each.why.empty() ? "the host has no address" : "the host has no address: " + each.why;
    case Outcome::look_up_too_slow: return "the name service has not answered in time";
    case Outcome::not_connected:
      return "no connection: " + (each.why.empty() ? net::error_text(each.os_error) : each.why);
    case Outcome::no_answer:
      return "connected, but no answer: " + text(each.error) + (each.why.empty() ? "" : "; " + each.why);
    case Outcome::unknown_object: return "the server answers, but does not know the object";
    case Outcome::here: return "the object is here";
    case Outcome::elsewhere: return "the server says that the object is elsewhere: " + each.forward;
  }
  return "?";
}

}  // namespace

std::string in_words(const Try& each) {
  std::string out = each.place.text();
  if (!each.address.empty()) out += " (" + each.address + ")";
  return out + ": " + outcome_in_words(each) + times(each);
}

}  // namespace tenon::explain
