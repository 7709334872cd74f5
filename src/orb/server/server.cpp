// SPDX-License-Identifier: Apache-2.0
#include "orb/server/server.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "orb/connection_options.hpp"
#include "orb/current_protocols.hpp"
#include "orb/orb.hpp"
#include "orb/server/refuse.hpp"
#include "orb/server/serving.hpp"

namespace tenon::orb {

namespace {

/// A connection with traffic within that time is not closed to make room for another one.
constexpr std::int64_t worth_closing_ms = 1000;

void tell(LogLevel level, const char* pattern, protocol::Connection& connection) {
  if (log_enabled(level)) log(level, "orb", worded(pattern, {connection.transport().peer()}));
}

/// A profile that was read before its protocol was removed and added again names the plug-in of that time.
bool is_of(const Server::Point& point, const protocol::TransportPlugin& transport) noexcept {
  if constexpr (protocols_change) return point.transport->profile_tag() == transport.profile_tag();
  return point.transport == &transport;
}

#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
/// Null: its protocols do not change. The clock of an ORB's connections is the ORB.
ProtocolTable* table_of(const Options& options) noexcept {
  return static_cast<const Orb*>(options.messaging.clock)->parts().table;
}

bool is_in_use(const Options& options, const protocol::TransportPlugin& transport) noexcept {
  return static_cast<const Orb*>(options.messaging.clock)->transport_for(transport.profile_tag()) ==
         &transport;
}
#endif

}  // namespace

bool Server::open(protocol::TransportPlugin& transport, protocol::Messaging& messaging,
                  std::string_view endpoint, std::string& why,
                  std::shared_ptr<protocol::Bidirectional> bidirectional) {
  auto acceptor = transport.listen(endpoint, why);
  if (acceptor == nullptr) return false;
  const bool lacks = transport.properties().handshake && handshakes.load() == nullptr;
  if (lacks) why = "needs tenon::parts::handshakes";
  if (lacks || !can_accept(*acceptor, why)) {
    why = worded("endpoint '%': %", {endpoint, why});
    return false;
  }
  auto* const point = new Point();
  point->transport = &transport;
  point->messaging = &messaging;
  // Exchanged with what is empty, since an assignment would also end what was there.
  acceptor->published().swap(point->published);
  point->acceptor.swap(acceptor);
  point->bidirectional.swap(bidirectional);
  points_.add(point);
  return true;
}

bool Server::can_accept(const protocol::Acceptor&, std::string&) const { return true; }

bool Server::publishes(const protocol::TransportPlugin& transport,
                       const protocol::ProfileView& profile) const noexcept {
  for (const Point& point : points_) {
    if (!is_of(point, transport)) continue;
    for (const std::string& address : point.published) {
      for (const protocol::Address& each : profile.addresses) {
        if (each.text == address) return true;
      }
    }
  }
  return false;
}

// --- connections ---

constinit std::atomic<Server::PutInFront*> Server::handshakes{nullptr};

void Server::welcome(Point& point, std::unique_ptr<protocol::Transport> transport) {
  if (transport == nullptr || memory::is_exhausted()) return no_memory_for_connection();
  auto connection =
      point.messaging->connect(std::move(transport), protocol::Role::acceptor,
                               connection_options(options_.messaging, point.bidirectional, false, nullptr));
  if (!connection) {
    if (connection.error() != errors::no_connecting_part) return no_memory_for_connection();
    log(LogLevel::error, "orb",
        "accepted connections are refused: the start-up names no part that serves requests");
    return;
  }
  if (PutInFront* const put_in_front = handshakes.load(std::memory_order_relaxed))
    put_in_front(*point.transport, options_, *connection);
  if (connections() >= options_.connections_most && !make_room()) return refuse(*connection);
  tell(LogLevel::debug, "accepted a connection from %", **connection);
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
  const Ref<protocol::Connection> held = *connection;
  ProtocolTable* const table = table_of(options_);
  if (table != nullptr) table->accepted(*held, *point.transport);
#endif
  if (!serve(std::move(*connection), protocol::Role::acceptor)) {
    log(LogLevel::warning, "orb", "refused a connection: no thread or memory to serve it");
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
    if (table != nullptr) table->ended(*held);
  } else if (!is_in_use(options_, *point.transport)) {
    held->close();  // the protocol was removed meanwhile
#endif
  }
}

/// Closes the connection that has been idle for longest, if that is worth_closing_ms or more. It may still count when the next one comes.
bool Server::make_room() noexcept {
  struct Idle {
    std::int64_t ms;
    Lane* lane;  // one reference to it
    static int longest_first(const void* a, const void* b) noexcept {
      const std::int64_t a_ms = static_cast<const Idle*>(a)->ms;
      const std::int64_t b_ms = static_cast<const Idle*>(b)->ms;
      return a_ms > b_ms ? -1 : a_ms < b_ms ? 1 : 0;
    }
  };
  const std::size_t most = connections();
  auto* const idle = static_cast<Idle*>(memory::allocate(memory::Kind::connections, most * sizeof(Idle)));
  if (idle == nullptr) return false;
  std::size_t count = 0;
  each_lane([&](Lane& lane) {
    const std::int64_t ms = lane.connection().transport().ms_idle();
    if (count != most && ms >= worth_closing_ms && lane.connection().usable())
      idle[count++] = {ms, Ref<Lane>(&lane).detach()};
  });
  std::qsort(idle, count, sizeof(Idle), Idle::longest_first);  // smaller than std::sort, and seldom called
  bool made = false;
  for (std::size_t i = 0; i < count; ++i) {
    const Ref<Lane> lane = Ref<Lane>::adopt(idle[i].lane);
    made = made || lane->connection().close_if_idle();
  }
  memory::release(idle);
  return made;
}

/// CloseConnection lets the client know that nothing of what it may have sent was executed (§9.5.1.1).
void Server::refuse(const Ref<protocol::Connection>& connection) {
  memory::count_refusal(memory::Kind::connections);
  tell(LogLevel::warning, "refused a connection from %: limit of connections reached", *connection);
  connection->close();
}

void Server::no_memory_for_connection() noexcept {
  if (memory::is_known()) return;  // memory_report() counts it
  log(LogLevel::warning, "orb", "refused a connection: no memory for it");
}

void Server::close_idle(std::int64_t ms) noexcept {
  each_lane([ms](Lane& lane) {
    if (lane.connection().transport().ms_idle() >= ms) (void)lane.connection().close_if_idle();
  });
}

/// From the last place to the first, since the place of a lane that goes meanwhile is taken by the last one, which has been seen.
void Server::each_lane(FunctionRef<void(Lane&)> what) const {
  for (std::size_t place = connections(); place-- != 0;) {
    Ref<Lane> lane;
    {
      const LockGuard lock(mutex_);
      if (place < lanes_there_) lane = Ref<Lane>(lanes_[place]);
    }
    if (lane) what(*lane);
  }
}

std::size_t Server::connections() const {
  const LockGuard lock(mutex_);
  return lanes_there_;
}

bool Server::add(const Ref<Lane>& lane) {
  const LockGuard lock(mutex_);
  if (stopping_ || !lane || (lanes_there_ == lanes_most_ && !grow())) return false;
  lane->place = lanes_there_;
  lanes_[lanes_there_++] = Ref<Lane>(lane).detach();
  return true;
}

/// Not a vector, whose growth for a type of its own is code of its own.
bool Server::grow() noexcept {
  const std::size_t most = 2 * lanes_most_ + 1;
  auto* const lanes = static_cast<Lane**>(memory::allocate(memory::Kind::connections, most * sizeof(Lane*)));
  if (lanes == nullptr) return false;
  std::copy_n(lanes_, lanes_there_, lanes);
  memory::release(static_cast<void*>(lanes_));
  lanes_ = lanes;
  lanes_most_ = most;
  return true;
}

Server::~Server() {
  for (std::size_t i = 0; i < lanes_there_; ++i) lanes_[i]->remove_ref();
  memory::release(static_cast<void*>(lanes_));
}

void Server::forget(Lane& lane) noexcept {
  Ref<Lane> held;
  {
    const LockGuard lock(mutex_);
    if (lane.place == Lane::not_there) return;
    held = Ref<Lane>::adopt(&lane);
    Lane* const last = lanes_[--lanes_there_];
    lanes_[lane.place] = last;
    last->place = lane.place;
    lane.place = Lane::not_there;
  }
  unwatch(lane);
  lane.connection().abort();
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
  if (ProtocolTable* const table = table_of(options_)) table->ended(lane.connection());
#endif
}

// --- requests ---

void Server::dispatch(protocol::IncomingCall& call) {
  // The usual case: a thread that has its connection for itself, and nothing to keep in order.
  if (call.response_expected && ServingThread::current().lane->unordered()) [[likely]]
    return orb_.dispatch(call);
  dispatch_in_order(call);
}

void Server::dispatch_in_order(protocol::IncomingCall& call) {
  const ServingThread& me = ServingThread::current();
  Lane& lane = *me.lane;
  const Lane::Queued queued = lane.wait_and_queue_behind(call);
  if (queued == Lane::Queued::no_memory) orb::refuse(call, memory::shortage());
  if (queued != Lane::Queued::no) return;
  const bool ordered = lane.orders_after(call);
  orb_.dispatch(call);
  if (ordered && me.handed_over) run_queued(lane, call.object_key);
}

/// Those that wait behind a oneway are answered at once; the servant does not run for them.
void Server::one_was_cancelled() {
  Lane& lane = *ServingThread::current().lane;
  while (const auto call = lane.take_cancelled()) {
    queue_is_shorter(lane);
    orb::refuse(*call, errors::request_cancelled);
  }
}

void Server::run_queued(Lane& lane, ByteView key) {
  while (auto next = lane.next(key)) {
    queue_is_shorter(lane);
    orb_.dispatch(*next);
  }
}

// --- the end ---

void Server::stop_accepting() noexcept {
  for (Point& point : points_) point.acceptor->shut_down();
}

void Server::close_connections_by(Deadline by) noexcept {
  last_lanes();
  each_lane([by](Lane& lane) { lane.connection().close_by(by); });
}

void Server::abort_connections() noexcept {
  last_lanes();
  each_lane([](Lane& lane) { lane.connection().abort(); });
}

void Server::last_lanes() noexcept {
  {
    const LockGuard lock(mutex_);
    stopping_ = true;
  }
  wind_down();
}

void Server::close_descriptors() noexcept {
  each_lane([this](Lane& lane) { forget(lane); });
  for (Point& point : points_) point.acceptor->close();
}

}  // namespace tenon::orb
