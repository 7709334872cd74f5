// SPDX-License-Identifier: Apache-2.0
//
// What every pair of a messaging and a transport must do, with whole ORBs on both sides: two-way calls, oneways, large messages,
// fragments, many connections, calls in both directions, policies, time-outs, cancellation, closing under load, peers that die
// and hostile octets. Value-parameterised tests; they see nothing but installed headers, so that a protocol outside the tree can
// be tried as well. docs/writing-a-protocol.md says how. A program of this suite has tests/orb/world.cpp, and
//
//   orb::Protocols suite::protocols_to_use();              // what its ORBs have
//   std::string suite::endpoint_of(const std::string&);    // what a server of that protocol listens on
//   TENON_INSTANTIATE_PAIR_SUITE(My, (PairUnderTest{.protocol = "my"}))
//
// The other side by hand is the transport's plug-in without an ORB, so hostile octets and silent peers come over every transport.
// A peer that is killed is this program once more, with the test PairProcess.
//
// Threads: as tests/orb/world.hpp. This header is for one source of a program, as it defines the tests.
#pragma once

#include <tenon/log.hpp>
#include <tenon/protocol_plugin.hpp>

#include <bit>
#include <cstring>
#include <set>

#include "tests/orb/world.hpp"

namespace tenon::conformance {

using suite::Case;
using suite::eventually;
using suite::outcome_of;
using suite::Pair;
using suite::ScopedOrb;
using suite::TestRef;
using suite::text_of;
using suite::Words;

struct PairUnderTest {
  std::string protocol;         ///< its name in suite::protocols_to_use()
  bool single_thread = true;    ///< a single thread can serve it: acceptors and connections have descriptors
  bool other_processes = true;  ///< peers may be other processes of this machine
  std::uint32_t large = 3000000;  ///< octets of a message that is large for it and does not take long
};

struct PairCase : Case {
  bool other_processes = true;
  std::uint32_t large = 0;
};

inline void PrintTo(const PairCase& which, std::ostream* out) { *out << suite::name_of(which); }

inline PairCase case_of(const PairUnderTest& pair, const std::string& serving) {
  return {{pair.protocol, serving}, pair.other_processes, pair.large};
}

inline std::vector<PairCase> cases_of(const PairUnderTest& pair) {
  std::vector<PairCase> cases{case_of(pair, "thread-per-connection"), case_of(pair, "pool")};
  if (pair.single_thread) cases.push_back(case_of(pair, "single-thread"));
  return cases;
}

// --- the other side by hand ---

using Octets = std::vector<std::uint8_t>;

/// A plug-in of the transport under test, ready for use.
inline std::unique_ptr<protocol::TransportPlugin> plugin_of(const std::string& protocol) {
  for (orb::Protocol& each : suite::protocols_to_use()) {
    if (each.transport->name() != protocol) continue;
    each.transport->configure({});
    return std::move(each.transport);
  }
  ADD_FAILURE() << "suite::protocols_to_use() has no " << protocol;
  return nullptr;
}

/// One connection. The other end may be an ORB's. close() from any thread.
class RawLink {
 public:
  explicit RawLink(std::unique_ptr<protocol::Transport> transport) : transport_(std::move(transport)) {
    transport_->set_timeouts(patience_ms, patience_ms);
  }
  ~RawLink() { close(); }
  RawLink(const RawLink&) = delete;
  RawLink& operator=(const RawLink&) = delete;

  /// Of a connection that was accepted. False: it cannot be used.
  bool shake_hands() {
    std::string why;
    return transport_->handshake(Deadline::after_ms(patience_ms), why) == protocol::Handshake::done;
  }
  /// False: the peer has gone.
  bool send(const Octets& octets) {
    std::size_t sent = 0;
    while (sent < octets.size()) {
      const cdr::Piece piece{octets.data() + sent, octets.size() - sent};
      const protocol::Transfer moved = transport_->send({&piece, 1}, Deadline{});
      if (moved.result != protocol::Io::ok) return false;
      sent += moved.bytes;
    }
    return true;
  }
  /// One GIOP message, header included; empty: the peer has gone, or was silent for too long.
  Octets receive_message() {
    Octets whole;
    if (!receive(whole, 12)) return {};
    const bool little = (whole[6] & 1) != 0;
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size |= std::uint32_t{whole[8 + i]} << 8 * (little ? i : 3 - i);
    if (size > 100'000'000 || !receive(whole, size)) return {};
    return whole;
  }
  void close() noexcept { transport_->shut_down(); }
  std::int64_t ms_idle() const { return transport_->ms_idle(); }

 private:
  static constexpr std::uint32_t patience_ms = 30000;

  bool receive(Octets& into, std::size_t count) {
    Octets room(std::min<std::size_t>(count, 65536));
    while (count != 0) {
      const std::size_t most = std::min(room.size(), count);
      protocol::Transfer came = transport_->receive({room.data(), most}, Deadline{});
      if (came.result == protocol::Io::lent) {
        ByteView view;
        came = transport_->lend(view, Deadline{});
        came.bytes = std::min(view.size(), most);
        std::copy_n(view.begin(), came.bytes, room.begin());
        if (came.result == protocol::Io::ok) transport_->release(came.bytes);
      }
      if (came.result != protocol::Io::ok) return false;
      into.insert(into.end(), room.data(), room.data() + came.bytes);
      count -= came.bytes;
    }
    return true;
  }

  const std::unique_ptr<protocol::Transport> transport_;
};

/// Connects to an ORB's object without an ORB.
class RawClient {
 public:
  RawClient(const std::string& protocol, const TestRef& to) : plugin_(plugin_of(protocol)) {
    for (const orb::UsableProfile& each : to->_reference()->profiles()) {
      if (each.transport->name() == protocol) view_ = each.view;
    }
    EXPECT_FALSE(view_.addresses.empty()) << "the reference has no profile of " << protocol;
  }
  /// Null: nobody accepts.
  std::unique_ptr<RawLink> connect() const {
    auto made = plugin_->connect(view_.addresses.front().text, Deadline::after_ms(30000));
    return made && *made ? std::make_unique<RawLink>(std::move(*made)) : nullptr;
  }
  /// Of the object.
  const Octets& key() const { return view_.object_key; }

 private:
  const std::unique_ptr<protocol::TransportPlugin> plugin_;
  protocol::ProfileView view_;
};

/// Listens without an ORB and runs the test's function for each connection, on a thread of its own.
class RawServer {
 public:
  using Talk = std::function<void(RawLink& link)>;
  RawServer(const std::string& protocol, Talk talk) : plugin_(plugin_of(protocol)), talk_(std::move(talk)) {
    std::string why;
    acceptor_ = plugin_->listen(suite::endpoint_of(protocol), why);
    EXPECT_TRUE(acceptor_) << why;
    accepts_ = std::thread([this] { accept(); });
  }
  ~RawServer() {
    acceptor_->shut_down();
    accepts_.join();
    for (const auto& each : peers_) {
      each->link.close();
      each->thread.join();
    }
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  /// A reference to an object "key" there.
  std::string reference() const {
    protocol::ProfileView view;
    view.minor = 2;
    view.object_key = {'k', 'e', 'y'};
    for (const std::string& each : acceptor_->published()) view.addresses.push_back({each});
    return ior::to_ior_text({"IDL:Suite/Test:1.0", {plugin_->make_profile(view)}});
  }
  TestRef at(CORBA::ORB& client) const {
    return IDL::traits<Suite::Test>::unchecked_narrow(client.string_to_object(reference()));
  }
  int connections() const { return connections_; }

 private:
  struct Peer {
    explicit Peer(std::unique_ptr<protocol::Transport> transport) : link(std::move(transport)) {}
    RawLink link;
    std::atomic<bool> over{false};
    std::thread thread;
  };

  void accept() {
    while (true) {
      auto made = acceptor_->accept();
      if (!made) return;
      if (!*made) continue;
      ++connections_;
      std::erase_if(peers_, [](const std::unique_ptr<Peer>& each) {
        if (each->over) each->thread.join();
        return !each->thread.joinable();
      });
      peers_.push_back(std::make_unique<Peer>(std::move(*made)));
      peers_.back()->thread = std::thread([this, peer = peers_.back().get()] {
        if (peer->link.shake_hands()) talk_(peer->link);
        peer->link.close();
        peer->over = true;
      });
    }
  }

  const std::unique_ptr<protocol::TransportPlugin> plugin_;
  const Talk talk_;
  std::unique_ptr<protocol::Acceptor> acceptor_;
  std::atomic<int> connections_{0};
  std::vector<std::unique_ptr<Peer>> peers_;  // of accepts_ alone; after its end, of the destructor
  std::thread accepts_;
};

// Messages of GIOP 1.2 in this machine's byte order.

inline void put_ulong(Octets& out, std::uint32_t value) {
  std::uint8_t octets[4];
  std::memcpy(octets, &value, sizeof value);
  out.insert(out.end(), octets, octets + 4);
}
inline std::uint32_t ulong_at(const Octets& message, std::size_t at) {
  std::uint32_t value = 0;
  if (message.size() >= at + 4) std::memcpy(&value, message.data() + at, sizeof value);
  return value;
}
enum Kind : std::uint8_t {
  request,
  reply,
  cancel_request,
  locate_request,
  locate_reply,
  close_connection,
  message_error,
  fragment
};
inline Kind kind_of(const Octets& message) {
  return static_cast<Kind>(message.size() > 7 ? message[7] : 255);
}

inline Octets giop_message(Kind kind, const Octets& body, bool more_fragments = false) {
  const std::uint8_t order = std::endian::native == std::endian::little ? 1 : 0;
  Octets out{'G', 'I', 'O', 'P', 1, 2, static_cast<std::uint8_t>(order | (more_fragments ? 2 : 0)), kind};
  put_ulong(out, static_cast<std::uint32_t>(body.size()));
  out.insert(out.end(), body.begin(), body.end());
  return out;
}
/// A request without service contexts, for arguments that are `arguments`, aligned to 8.
inline Octets giop_request(std::uint32_t id, const Octets& key, const std::string& operation,
                           const Octets& arguments, bool two_way = true, bool more_fragments = false) {
  Octets body;
  put_ulong(body, id);
  body.insert(body.end(), {static_cast<std::uint8_t>(two_way ? 3 : 0), 0, 0, 0});
  put_ulong(body, 0);  // KeyAddr, and padding
  put_ulong(body, static_cast<std::uint32_t>(key.size()));
  body.insert(body.end(), key.begin(), key.end());
  body.resize((body.size() + 3) / 4 * 4);
  put_ulong(body, static_cast<std::uint32_t>(operation.size() + 1));
  body.insert(body.end(), operation.begin(), operation.end());
  body.resize((body.size() + 4) / 4 * 4);
  put_ulong(body, 0);  // no contexts
  // From here on multiples of 8 in the message, fragments too.
  if (!arguments.empty() || more_fragments) body.resize((body.size() + 12 + 7) / 8 * 8 - 12);
  body.insert(body.end(), arguments.begin(), arguments.end());
  return giop_message(request, body, more_fragments);
}
inline Octets giop_reply(std::uint32_t id, std::uint32_t status, std::uint32_t result) {
  Octets body;
  put_ulong(body, id);
  put_ulong(body, status);
  put_ulong(body, 0);  // no contexts: the body begins at 24
  put_ulong(body, result);
  return giop_message(reply, body);
}
/// Two longs, for add().
inline Octets two_longs(std::uint32_t a, std::uint32_t b) {
  Octets out;
  put_ulong(out, a);
  put_ulong(out, b);
  return out;
}

// --- this program once more ---

/// Kills it at the latest when it goes out of scope. Its first line of text that begins with `mark` is kept.
class OtherProcess {
 public:
  OtherProcess(const std::string& role, const Case& which, const std::string& reference = "");
  ~OtherProcess() { kill(); }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;
  /// -9, and waits for its end.
  void kill() noexcept;
  const std::string& reference() const { return reference_; }

 private:
  int pid_ = 0;
  std::string reference_;
};

// --- fixtures ---

/// With a server and its client, in a way of serving.
class PairSuite : public ::testing::TestWithParam<PairCase> {
 protected:
  /// A pair with more options, instead of the one that SetUp() makes.
  Pair& again(const Words& server_options, const Words& client_options = {}) {
    pair.reset();
    pair = std::make_unique<Pair>(GetParam(), server_options, client_options);
    return *pair;
  }
  void SetUp() override { pair = std::make_unique<Pair>(GetParam()); }
  void TearDown() override { pair.reset(); }
  bool one_thread() const { return GetParam().serving == "single-thread"; }

  std::unique_ptr<Pair> pair;
};

/// With a client alone. The server is one by hand.
class PairClientSuite : public ::testing::TestWithParam<PairCase> {
 protected:
  const std::string& protocol() const { return GetParam().protocol; }
};

/// Call ends in one of the ways in which calls may end while servers go.
inline bool is_server_gone(const std::string& outcome) {
  return outcome.starts_with("TRANSIENT") || outcome.starts_with("COMM_FAILURE");
}

/// Calls on threads of its own until it is stopped. Counts what came of them, by the exception's name; "" is success.
class CallerThreads {
 public:
  CallerThreads(int threads, const std::function<void(int)>& call) {
    for (int t = 0; t < threads; ++t) {
      threads_.emplace_back([this, t, call] {
        while (!stopped_) {
          const std::string outcome = outcome_of([&] { call(t); });
          const std::lock_guard lock(mutex_);
          ++(outcome.empty() ? good_ : bad_);
          outcomes_.insert(outcome);
        }
      });
    }
  }
  ~CallerThreads() { stop(); }
  CallerThreads(const CallerThreads&) = delete;
  CallerThreads& operator=(const CallerThreads&) = delete;
  void stop() {
    stopped_ = true;
    for (std::thread& each : threads_) each.join();
    threads_.clear();
  }
  int good() const {
    const std::lock_guard lock(mutex_);
    return good_;
  }
  int bad() const {
    const std::lock_guard lock(mutex_);
    return bad_;
  }
  bool more_good(int count) const {
    return eventually([this, wanted = good() + count] { return good() >= wanted; });
  }
  std::set<std::string> outcomes() const {
    const std::lock_guard lock(mutex_);
    return outcomes_;
  }

 private:
  mutable std::mutex mutex_;  // guards what follows
  int good_ = 0, bad_ = 0;
  std::set<std::string> outcomes_;
  std::atomic<bool> stopped_{false};
  std::vector<std::thread> threads_;
};

}  // namespace tenon::conformance

#include "tests/conformance/pair_suite_calls.hpp"
#include "tests/conformance/pair_suite_endings.hpp"
#include "tests/conformance/pair_suite_hostile.hpp"

/// Once for each pair of a program, outside any namespace but tenon::conformance.
#define TENON_INSTANTIATE_PAIR_SUITE(NAME, PAIR)                                                            \
  INSTANTIATE_TEST_SUITE_P(NAME, PairSuite, ::testing::ValuesIn(::tenon::conformance::cases_of(PAIR)),      \
                           [](const auto& each) { return ::tenon::suite::name_of(each.param); });           \
  INSTANTIATE_TEST_SUITE_P(NAME, PairClientSuite,                                                           \
                           ::testing::Values(::tenon::conformance::case_of(PAIR, "thread-per-connection")), \
                           [](const auto& each) { return ::tenon::suite::name_of(each.param); })
