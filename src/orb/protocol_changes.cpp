// SPDX-License-Identifier: Apache-2.0
#include "orb/protocol_changes.hpp"

#include "base/minor_codes.hpp"
#include "orb/current_protocols.hpp"
#include "orb/orb.hpp"

#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
#include <algorithm>
#include <iterator>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "orb/bidirectional.hpp"
#include "orb/client/endpoints.hpp"
#include "orb/protocol_choice.hpp"
#include "orb/server/single_thread_server.hpp"
#include "orb/threads/reactor.hpp"
#endif

namespace tenon::orb {

std::vector<std::string> Orb::protocol_names() const {
  std::vector<std::string> known;
  for (const Protocol& each : current_protocols(parts_)) known.emplace_back(each.transport->name());
  return known;
}

#ifdef TENON_WITH_DYNAMIC_PROTOCOLS

namespace {

/// How often it is looked whether calls have ended: they tell nobody, so that they pay nothing.
constexpr std::int64_t look_for_end_ns = 2'000'000;
constexpr std::uint32_t goodbye_of_protocol_ms = 1000;

std::string names_in_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& each : names) text.append(text.empty() ? "" : ", ").append(each);
  return text.empty() ? "none" : text;
}

}  // namespace

Status ProtocolChanges::possible() const noexcept {
  if (const Status alive = orb_.usable(); !alive) return alive;
  if (orb_.parts_.table == nullptr) return errors::protocols_do_not_change;
  return memory::is_exhausted() ? Status(memory::shortage()) : Status();
}

// --- adding ---

Status ProtocolChanges::make(std::string_view name, const std::string& library, Protocol& into,
                             std::string& why) {
  if (const Status fine = possible(); !fine) return fine;
  const Parts& parts = orb_.parts_;
  Protocols all;
  std::vector<std::string> files = orb_.options_.protocol_libraries;
  if (!library.empty()) {
    files = {library};
  } else if (parts.make_protocols != nullptr) {
    parts.make_protocols(all);
  }
  for (const std::string& file : files) {
    if (parts.load_protocols == nullptr) {
      why =
          "protocols of shared objects: this program's start-up does not name "
          "tenon::parts::protocol_libraries";
      return errors::protocol_not_provided;
    }
    if (!parts.load_protocols(file, all, why)) return errors::protocol_not_provided;
  }
  std::vector<std::string> known;
  for (Protocol& each : all) {
    if (each.transport->name() == name) {
      into = std::move(each);
      return {};
    }
    known.emplace_back(each.transport->name());
  }
  why = joined({"protocol ", name, ": nothing brings one of that name; there are ", names_in_text(known)});
  return errors::protocol_not_provided;
}

Status ProtocolChanges::add(Protocol&& protocol, const PluginOptions& options,
                            const std::vector<std::string>& endpoints, std::string& why) {
  if (const Status fine = possible(); !fine) return fine;
  if (orb_.parts_.choose_protocols == nullptr) return errors::protocols_do_not_change;
  if (!protocol.transport || !protocol.messaging) {
    why = "a protocol has a transport and a messaging; one that was given lacks a plug-in";
    return errors::protocol_does_not_fit;
  }
  const std::string name(protocol.transport->name());
  if (const char* const missing = lacks(*protocol.transport, *protocol.messaging)) {
    why = joined({"protocol ", name, ": ", protocol.messaging->name(), " needs ", missing,
                  ", which this transport does not have"});
    return errors::protocol_does_not_fit;
  }
  for (const auto& [option, value] : options) {
    if (!tell(*protocol.transport, option, value, false, why)) return errors::bad_protocol_option;
  }
  protocol.transport->configure(orb_.options_.transports);
  if (const Status published = publish(std::move(protocol), why); !published) return published;
  for (const std::string& endpoint : endpoints) {
    std::string opened;
    const Status open_now = open(endpoint, opened, why);
    if (open_now) continue;
    std::string ignored;
    (void)remove(name, Deadline::immediately(), ignored);
    return open_now;
  }
  return {};
}

Status ProtocolChanges::publish(Protocol&& protocol, std::string& why) {
  ProtocolTable& table = *orb_.parts_.table;
  const LockGuard changing(table.changing);
  auto list = std::make_unique<ProtocolTable::List>();
  bool others_believe = false;
  for (const Protocol& each : current_protocols(orb_.parts_)) {
    const protocol::TransportPlugin& other = *each.transport;
    if (other.name() == protocol.transport->name() ||
        other.profile_tag() == protocol.transport->profile_tag()) {
      why = joined({"protocol ", protocol.transport->name(), ": the ORB has ",
                    other.name() == protocol.transport->name() ? "a protocol of that name already"
                                                               : "another one of that profile tag, ",
                    other.name() == protocol.transport->name() ? std::string_view() : other.name()});
      return errors::protocol_is_there;
    }
    others_believe = others_believe || (each.bidirectional && each.bidirectional->believes());
    list->all.push_back(&each);
  }
  if (orb_.parts_.bidirectional != nullptr)
    orb_.parts_.bidirectional(orb_, protocol).swap(protocol.bidirectional);
  if (others_believe) protocol.bidirectional->believe();
  const LockGuard lock(orb_.mutex_);
  if (orb_.state_.load() != Orb::State::running) return errors::orb_has_shut_down;
  const Protocol& added = table.keep(std::move(protocol));
  list->all.push_back(&added);
  table.replace(std::move(list));
  table.additions_.fetch_add(1, std::memory_order_release);
  if (log_enabled(LogLevel::info))
    log(LogLevel::info, "orb", joined({"has protocol ", added.transport->name()}));
  return {};
}

// --- changing ---

const Protocol* ProtocolChanges::find(std::string_view name, std::string& why) const {
  for (const Protocol& each : current_protocols(orb_.parts_)) {
    if (each.transport->name() == name) return &each;
  }
  why = joined(
      {"protocol ", name, ": the ORB has no such protocol; it has ", names_in_text(orb_.protocol_names())});
  return nullptr;
}

Status ProtocolChanges::set_option(std::string_view name, std::string_view option, const std::string& value,
                                   std::string& why) {
  if (const Status fine = possible(); !fine) return fine;
  const LockGuard changing(orb_.parts_.table->changing);
  const Protocol* const protocol = find(name, why);
  if (protocol == nullptr) return errors::no_such_protocol;
  return tell(*protocol->transport, option, value, true, why) ? Status()
                                                              : Status(errors::bad_protocol_option);
}

Status ProtocolChanges::open(const std::string& endpoint, std::string& opened, std::string& why) {
  if (const Status fine = possible(); !fine) return fine;
  if (const auto listening = orb_.listening(&why); !listening) return listening.error();
  const LockGuard changing(orb_.parts_.table->changing);
  const Protocol* understands = nullptr;
  for (const Protocol& each : current_protocols(orb_.parts_)) {
    if (each.transport->takes_endpoint(endpoint)) understands = &each;
  }
  if (understands == nullptr) {
    why = joined({"endpoint '", endpoint, "': no protocol takes it; this ORB has ",
                  names_in_text(orb_.protocol_names())});
    return errors::no_such_protocol;
  }
  Server* const server = orb_.listening_.load(std::memory_order_acquire);
  auto acceptor = understands->transport->listen(endpoint, why);
  if (acceptor == nullptr) return errors::cannot_listen;
  // Twice because Server::open() is a part of small programs, and pays nothing for being cut in two.
  const bool lacks_part =
      understands->transport->properties().handshake && Server::handshakes.load() == nullptr;
  if (lacks_part) why = "needs tenon::parts::handshakes";
  if (lacks_part || !server->can_accept(*acceptor, why)) {
    why = worded("endpoint '%': %", {endpoint, why});
    return errors::cannot_listen;
  }
  std::unique_ptr<Server::Point> point(new Server::Point());
  point->transport = understands->transport.get();
  point->messaging = understands->messaging.get();
  point->published = acceptor->published();
  point->acceptor = std::move(acceptor);
  point->bidirectional = understands->bidirectional;
  opened = point->acceptor->endpoint();
  if (const Status started = start(std::move(point), why); !started) return started;
  if (understands->bidirectional && !understands->bidirectional->listens())
    understands->bidirectional->listen(*server, *understands->transport);
  return {};
}

Status ProtocolChanges::start(std::unique_ptr<Server::Point> point, std::string& why) {
  Closing failed;
  {
    const LockGuard lock(orb_.mutex_);
    if (orb_.state_.load() != Orb::State::running) return errors::orb_has_shut_down;
    Server& server = *orb_.server_;
    Server::Point& added = server.points_.add(point.release());
    if (orb_.options_.serving == Serving::single_thread) {
      static_cast<SingleThreadServer&>(server).watch(added);
      return {};
    }
    if (static_cast<ThreadServer&>(server).start_accepting(added)) return {};
    take_out(server, added, failed);
  }
  end(failed);
  why = "no thread could be made that accepts connections";
  return errors::cannot_listen;
}

Status ProtocolChanges::close(std::string_view endpoint, std::string& why) {
  if (const Status fine = possible(); !fine) return fine;
  Closing closing;
  {
    const LockGuard changing(orb_.parts_.table->changing);
    const LockGuard lock(orb_.mutex_);
    if (orb_.state_.load() != Orb::State::running) return errors::orb_has_shut_down;
    if (orb_.server_) {
      for (Server::Point& each : orb_.server_->points_) {
        if (closing.points.empty() && each.acceptor->endpoint() == endpoint)
          take_out(*orb_.server_, each, closing);
      }
    }
  }
  if (closing.points.empty()) {
    why = joined({"endpoint '", endpoint, "': the ORB does not listen there; it has ",
                  names_in_text(orb_.endpoints())});
    return errors::no_such_endpoint;
  }
  end(closing);
  return {};
}

/// With the ORB's lock and that of changes: from now on no reference names the point, and no shutdown stops it.
void ProtocolChanges::take_out(Server& server, Server::Point& point, Closing& closing) {
  closing.points.push_back(&point);
  orb_.parts_.table->keep(server.points_.take_out(point));
  if (orb_.options_.serving == Serving::single_thread) return;
  auto& all = static_cast<ThreadServer&>(server).acceptors_;
  for (auto before = all.before_begin(); std::next(before) != all.end(); ++before) {
    if (std::next(before)->point != &point) continue;
    closing.threads.splice_after(closing.threads.before_begin(), all, before);
    return;
  }
}

/// Without these locks, since a thread that accepts may want them.
void ProtocolChanges::end(Closing& closing) noexcept {
  for (Server::Point* const each : closing.points) each->acceptor->shut_down();
  for (ThreadServer::Accepting& each : closing.threads) ThreadServer::end(each);
  Reactor* const reactor = orb_.reactor();
  if (reactor == nullptr || !reactor->is_here()) return;  // its thread sees that they have been shut down
  auto& server = static_cast<SingleThreadServer&>(*orb_.listening_.load(std::memory_order_acquire));
  for (SingleThreadServer::WatchedPoint& each : server.watched_points_) {
    if (std::ranges::find(closing.points, &each.point) != closing.points.end()) server.accept(each);
  }
}

// --- removing ---

Status ProtocolChanges::remove(std::string_view name, Deadline until, std::string& why) {
  if (const Status fine = possible(); !fine) return fine;
  ProtocolTable& table = *orb_.parts_.table;
  const Protocol* removed = nullptr;
  Closing closing;
  EndpointList endpoints;
  std::vector<Leaving> connections;
  {
    const LockGuard changing(table.changing);
    removed = find(name, why);
    if (removed == nullptr) return errors::no_such_protocol;
    auto list = std::make_unique<ProtocolTable::List>();
    for (const Protocol& each : current_protocols(orb_.parts_)) {
      if (&each != removed) list->all.push_back(&each);
    }
    const LockGuard lock(orb_.mutex_);
    if (orb_.state_.load() != Orb::State::running) return errors::orb_has_shut_down;
    if (orb_.server_) {
      for (Server::Point& each : orb_.server_->points_) {
        if (each.transport == removed->transport.get()) take_out(*orb_.server_, each, closing);
      }
    }
    if (orb_.endpoints_) orb_.endpoints_->take_out(name, endpoints);
    // Before the list is replaced: who does not see the protocol any more finds no connection of it.
    for (const Ref<Endpoint>& endpoint : endpoints) {
      for (auto& each : endpoint->leave())
        connections.push_back({std::move(each), endpoint->key().bidirectional});
    }
    table.replace(std::move(list));
  }
  end(closing);
  if (removed->bidirectional) removed->bidirectional->close();
  if (log_enabled(LogLevel::info))
    log(LogLevel::info, "orb", joined({"has no protocol ", name, " any more"}));
  for (const Leaving& each : connections) (void)each.connection->flush(until);  // buffered oneways
  find_accepted(*removed->transport, connections);
  drain(connections, until);
  connections.clear();
  for (const Ref<Endpoint>& endpoint : endpoints)
    endpoint->drop_ended();  // those that calls were just looking at
  return {};
}

void ProtocolChanges::find_accepted(const protocol::TransportPlugin& transport, std::vector<Leaving>& into) {
  Server* const server = orb_.listening_.load(std::memory_order_acquire);
  if (server == nullptr) return;
  server->each_lane([&](Lane& lane) {
    if (orb_.parts_.table->is_accepted_over(lane.connection(), transport))
      into.push_back({Ref<protocol::Connection>(&lane.connection()), true});
  });
}

/// True: none is left. One over which requests come closes by itself when the last of them has been answered.
bool ProtocolChanges::close_those_at_rest(std::vector<Leaving>& all) noexcept {
  std::erase_if(all, [](const Leaving& each) {
    protocol::Connection& connection = *each.connection;
    if (!connection.usable()) return true;
    const unsigned in_flight = connection.in_flight();
    const bool nobody_waits = in_flight == connection.abandoned();
    if (!nobody_waits) return false;
    if (each.serves) {
      connection.close_by(Deadline::after_ms(goodbye_of_protocol_ms));
      return true;
    }
    if (in_flight == 0) return connection.close_if_idle();  // false: a call is about to begin
    connection.abort();
    return true;
  });
  return all.empty();
}

void ProtocolChanges::drain(std::vector<Leaving>& all, Deadline until) {
  if (close_those_at_rest(all)) return;
  Reactor* const reactor = orb_.reactor();
  bool waited = false;
  if (reactor != nullptr && reactor->serves_here()) {
    NestedWait wait(*reactor);
    waited = wait.here() && wait.begin();
    if (waited && wait.until([&all] { return close_those_at_rest(all); }, until)) return;
  }
  LockGuard lock(orb_.mutex_);
  while (!waited && orb_.state_.load() == Orb::State::running && !until.expired()) {
    orb_.changed_.wait_until(orb_.mutex_, earlier(until, Deadline::after_ns(look_for_end_ns)));
    lock.unlock();
    const bool done = close_those_at_rest(all);
    lock.lock();
    if (done) return;
  }
  lock.unlock();
  const Deadline by = Deadline::after_ms(goodbye_of_protocol_ms);
  for (const Leaving& each : all) each.connection->close_by(by);
}

#else

Status ProtocolChanges::make(std::string_view, const std::string&, Protocol&, std::string&) {
  return errors::protocols_do_not_change;
}
Status ProtocolChanges::add(Protocol&&, const PluginOptions&, const std::vector<std::string>&, std::string&) {
  return errors::protocols_do_not_change;
}
Status ProtocolChanges::remove(std::string_view, Deadline, std::string&) {
  return errors::protocols_do_not_change;
}
Status ProtocolChanges::set_option(std::string_view, std::string_view, const std::string&, std::string&) {
  return errors::protocols_do_not_change;
}
Status ProtocolChanges::open(const std::string&, std::string&, std::string&) {
  return errors::protocols_do_not_change;
}
Status ProtocolChanges::close(std::string_view, std::string&) { return errors::protocols_do_not_change; }

#endif

}  // namespace tenon::orb
