// SPDX-License-Identifier: Apache-2.0
//
// The lower half of a pluggable protocol: how bytes travel. A transport plug-in implements Transport, Acceptor and
// TransportPlugin; it knows sockets or memory, and nothing of messages. The upper half (messages) is messaging.hpp.
//
// No function of a plug-in may throw: what calls it is compiled without exceptions. What it cannot do it says by what it returns; `new` for
// a transport gives null where there is no memory (memory::Of).
//
// Threads: one thread sends and one thread receives at a time (the connection above sees to that), and these two may do so at once;
// shut_down() may be called from any thread and wakes both. A transport whose state does not allow that, as that of a TLS session, has a
// lock of its own, which it does not hold while it waits: a thread that waits in receive() keeps no other one from sending.
//
// A receive waits for input only, and a send for room only; pollers above rely on it. What a transport has to say by itself (new keys, an
// alert) it keeps, in bounded memory, until it can be sent without waiting, or goes out before the next send. What would make a send wait
// for input (renegotiation) is to be refused.
#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/memory.hpp"
#include "cdr/writer.hpp"
#include "ior/ior.hpp"
#include "net/address_mask.hpp"
#include "net/keep_alive.hpp"
#include "net/socket_buffers.hpp"

namespace tenon::protocol {

struct Identity;

enum class Io : std::uint8_t {
  ok,         ///< at least one byte moved
  closed,     ///< the peer closed in order (receive only)
  lent,       ///< something has come that lend() shows; nothing moved (receive of a transport that lends())
  timed_out,  ///< nothing moved before the deadline
  failed,     ///< os_error says why
};

/// Sixteen octets, so that it is returned in registers.
struct Transfer {
  Io result = Io::ok;
  int os_error = 0;
  std::size_t bytes = 0;  ///< moved; may be less than asked for

  constexpr Transfer() noexcept = default;
  constexpr Transfer(Io what, std::size_t moved, int error) noexcept
      : result(what), os_error(error), bytes(moved) {}
};

/// How far Transport::handshake() has come.
enum class Handshake : std::uint8_t {
  done,
  wants_input,   ///< it goes on when the descriptor has input
  wants_output,  ///< it goes on when the descriptor takes more
  failed,        ///< there is no connection
};

/// One open byte path.
class Transport : public memory::Of<memory::Kind::connections> {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// For a plug-in whose connections begin with a handshake (Properties::handshake): does this side's part of it, as far as it goes, and waits
  /// until the deadline where it cannot go on; an immediate one never waits. wants_input, wants_output: the deadline has passed first, and
  /// that is what it would go on with. failed: `why` says what was wrong with the peer or with this side, for the log; an end of input, too.
  ///
  /// The ORB calls it on accepted connections, by one thread at a time, none of which only accepts, until it returns done or failed or its
  /// time is over. Before it has returned done only lends(), set_timeouts(), wait(), shut_down(), poll_descriptor() and those for the log are
  /// called besides, and nothing else may send or receive: such calls fail with ENOTCONN. Where a poller watches, it is called when there is
  /// input; so the connecting side speaks first, and octets that were received are not left to be seen by the poller. On the connecting
  /// side TransportPlugin::connect() returns when the handshake is done.
  virtual Handshake handshake(Deadline deadline, std::string& why) {
    static_cast<void>(deadline);
    static_cast<void>(why);
    return Handshake::done;
  }

  /// Sends from the front of `gather` (borrowed until the call returns); blocks until some bytes moved. An infinite deadline
  /// means the transport's own send time-out.
  virtual Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) = 0;
  /// The same for the last bytes before shut_down(); they may be held back until then.
  virtual Transfer send_last(std::span<const cdr::Piece> gather, Deadline deadline) {
    return send(gather, deadline);
  }

  /// Receives up to into.size() bytes; blocks until at least one came. An infinite deadline means the transport's own receive
  /// time-out, whose end is Io::timed_out too. An immediate one never blocks.
  virtual Transfer receive(MutableBytes into, Deadline deadline) = 0;

  /// Whether receive() may say Io::lent: of a transport that has what comes in memory already, so that a large message need not be copied.
  /// It decides itself when it says so. Never changes; the functions below are called only where it is true, by the receiving thread.
  virtual bool lends() const noexcept { return false; }
  /// Shows what has come and was not received or released; waits as receive() does. `view`: empty, or what the last lend() gave; it waits
  /// until there is more than that, unless the view has lendable() octets. The view may move in memory when it grows; it stays valid, and
  /// nothing is received, until release() or keep(). Not Io::ok: the view has not changed. Transfer::bytes is its size.
  virtual Transfer lend(ByteView& view, Deadline deadline) {
    static_cast<void>(view);
    static_cast<void>(deadline);
    return {Io::failed, 0, EOPNOTSUPP};
  }
  /// lend() shows a message of so many octets whole, if that begins with the first octet that was not received or released. May be 0.
  virtual std::size_t lendable() const noexcept { return 0; }
  /// The first `used` octets of the view are not needed any more; those behind them come again. True: there are such, or a poller has
  /// not been told of others.
  virtual bool release(std::size_t used) noexcept {
    static_cast<void>(used);
    return false;
  }
  /// release() of octets that stay where they are for as long as the buffer lives. An empty buffer: it cannot be done (no memory), and
  /// nothing has changed.
  virtual Buffer keep(std::size_t used) noexcept {
    static_cast<void>(used);
    return {};
  }

  /// Waits until receive() would not block. True when it would not.
  virtual bool wait(Deadline deadline) = 0;

  /// A descriptor that a poller can watch for input; none: the connection gets a thread of its own.
  virtual std::optional<int> poll_descriptor() const noexcept { return std::nullopt; }
  /// May hold bytes that no poller sees (TLS records): a reader drains it before it polls.
  virtual bool may_hold_unseen_bytes() const noexcept { return false; }

  /// The time-outs that an infinite deadline stands for. Milliseconds; 0: none. Before use; the last call counts.
  virtual void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) = 0;
  /// Another one for receive(), at any time, by the receiving thread. False: it stays as it was; the ORB then gives receive() deadlines.
  virtual bool set_receive_timeout(std::uint32_t ms) {
    static_cast<void>(ms);
    return false;
  }

  /// Ends both directions; wakes threads that are blocked. Idempotent, any thread.
  virtual void shut_down() noexcept = 0;

  /// For logs and messages, such as "127.0.0.1:2809". Never a DNS look-up.
  virtual std::string peer() const = 0;
  virtual std::string local() const = 0;

  /// For messages about failures: how long ago bytes last went out; -1: not known. May ask the system.
  virtual std::int64_t ms_since_send() const noexcept { return -1; }
  /// How long ago bytes last came or went out; -1: not known. May ask the system.
  virtual std::int64_t ms_idle() const noexcept { return -1; }

  /// What is known for certain of the peer (identity.hpp). False: nothing, and nothing changed. Any thread, as long as the transport exists,
  /// once its handshake is done; the answer stays the same. May ask the system, never the peer.
  virtual bool identify(Identity& into) const {
    static_cast<void>(into);
    return false;
  }
};

/// A listening endpoint.
class Acceptor {
 public:
  Acceptor() = default;
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;
  virtual ~Acceptor() = default;

  /// Blocks for the next connection. Out of descriptors or memory: keeps the listening socket, waits a little and tries again
  /// (with a descriptor in reserve, so that peers are refused and do not wait in vain). Null: there was no memory for the connection, which
  /// has been closed. An error only after shut_down().
  virtual Result<std::unique_ptr<Transport>> accept() = 0;
  /// A descriptor that a poller can watch for connections; none: they must be waited for.
  virtual std::optional<int> poll_descriptor() const noexcept { return std::nullopt; }
  /// The same without waiting, where there is a descriptor. Null: there is no connection, or no memory for it.
  virtual Result<std::unique_ptr<Transport>> accept_now() { return accept(); }
  virtual void shut_down() noexcept = 0;
  /// Closes its descriptors; called after shut_down(), once no thread accepts any more. endpoint() and published() stay the same.
  virtual void close() noexcept {}
  /// What it listens on, as an endpoint text with the real port: "iiop://127.0.0.1:40123".
  virtual std::string endpoint() const = 0;
  /// The addresses that go into references, in order; never a wildcard address. Each is an Address::text.
  virtual std::vector<std::string> published() const = 0;
  /// Whether a later process that is given the same endpoint text publishes the same addresses; else they were chosen by the system.
  virtual bool fixed() const noexcept { return true; }
  /// The highest GIOP minor that references to it may say, if its endpoint text limits that.
  virtual std::optional<std::uint8_t> highest_minor() const noexcept { return std::nullopt; }
};

/// One address to connect to, in the plug-in's own form. Equal texts mean the same address, and one cached connection.
struct Address {
  std::string text;  ///< "127.0.0.1:2809", "[::1]:2809", "/run/app.sock"
  bool operator==(const Address&) const = default;
};

/// What a profile says to the plug-in that owns its tag.
struct ProfileView {
  std::uint8_t minor = 0;  ///< highest GIOP minor that may be used
  std::vector<std::uint8_t> object_key;
  std::vector<Address> addresses;  ///< in the order to try; alternates included
  std::vector<ior::TaggedComponent> components;
};

/// Which transports a server serves for some peers. Of a list of rules, the first that covers a peer counts.
struct PeerRule {
  net::AddressMask peers;
  bool tcp = false;
  bool unix_sockets = false;
};

/// In TransportOptions::publish: the addresses that an endpoint has by itself.
inline constexpr std::string_view own_addresses = "addr";

/// What TransportOptions has that is plain, so that it is copied as one piece.
struct PlainTransportOptions {
  /// How long the addresses of a host name are used before they are looked up again. 0: a look-up for each connection.
  std::uint32_t host_names_fresh_ms = 60000;
  /// How long a wait for input spins before it sleeps, where the thread does not say otherwise (net/spin.hpp). nullopt: as the
  /// transport finds right; 0: only as the thread says.
  std::optional<std::uint32_t> spin_us;
  /// For TCP connections, opened and accepted ones; an endpoint may do without.
  net::KeepAlive keep_alive;
  /// Whether TCP connections send small messages at once (TCP_NODELAY).
  bool no_delay = true;
  net::SocketBuffers socket_buffers;
};

/// What an ORB's options say to its transports.
struct TransportOptions : PlainTransportOptions {
  /// For endpoints of iiop. What references have instead of the endpoint's own addresses ("host:port", without a port its own; or
  /// own_addresses), if its text does not say it; and what they have in addition.
  std::vector<std::string> publish;
  std::vector<std::string> publish_also;
  /// Which peers are served. None: all; else a peer that no rule covers is not.
  std::vector<PeerRule> peer_rules;
  /// Whether references have numbers where the text names a host.
  bool publish_numbers = false;
};

/// What a transport does with what is sent over one of its connections. By default what TCP does.
struct Properties {
  bool ordered = true;    ///< it comes in the order in which it was sent
  bool reliable = true;   ///< it comes once, or the connection ends
  bool both_ways = true;  ///< both sides send
  bool byte_stream =
      true;  ///< where one send ends and the next begins is not kept, and there is no largest message
  /// Its connections begin with Transport::handshake(). (No messaging needs one.)
  bool handshake = false;
};

/// A setting of one plug-in: `-ORBProtocolOption <transport>.<name>=<value>`.
struct PluginOption {
  std::string_view name;      ///< "ring"
  std::string_view argument;  ///< "octets"
  std::string_view text;      ///< one sentence, with the default
  /// Whether set_option() may be called for it at any time and on any thread: it counts for connections and endpoints that are opened
  /// later. False: before configure().
  bool changes = false;
};

/// A transport under its messaging: "iiop" (GIOP over TCP), "uiop" (GIOP over a Unix-domain socket).
class TransportPlugin {
 public:
  virtual ~TransportPlugin() = default;

  virtual Properties properties() const noexcept { return {}; }

  /// What it can be told besides TransportOptions; constant.
  virtual std::span<const PluginOption> own_options() const noexcept { return {}; }
  /// One of own_options(), before configure() or, as PluginOption::changes says, later too. False: `why` says what would be right, such as "wants a number of octets".
  virtual bool set_option(std::string_view name, std::string_view value, std::string& why) {
    static_cast<void>(name);
    static_cast<void>(value);
    static_cast<void>(why);
    return false;
  }

  /// Scheme of endpoints and corbaloc addresses: "iiop".
  virtual std::string_view name() const noexcept = 0;
  virtual std::uint32_t profile_tag() const noexcept = 0;

  /// Called once, before use.
  virtual void configure(const TransportOptions&) {}

  /// Whether an endpoint text is meant for this plug-in.
  virtual bool takes_endpoint(std::string_view endpoint) const noexcept {
    const std::string_view scheme = name();
    return endpoint.starts_with(scheme) && endpoint.substr(scheme.size()).starts_with("://");
  }
  /// `endpoint` is "iiop://[1.2@][host][:port[-port]][/option=value,...]"; port 0: any. Options of iiop: `publish=host[:port]`
  /// (repeatable), `reuseaddr` and others. On an error `why` is text for the user that wrote the option.
  virtual std::unique_ptr<Acceptor> listen(std::string_view endpoint, std::string& why) = 0;

  /// A connection to the address will be needed: begins what takes time, such as looking up a name. Never waits.
  virtual void expect(const Address&) {}
  /// `address` is an Address::text. Waits for nothing beyond the deadline, a name service or a handshake included: the connection can be
  /// used when it returns. Null: there is no memory for it.
  virtual Result<std::unique_ptr<Transport>> connect(std::string_view address, Deadline deadline) = 0;
  /// The same for calls whose policy wants something of their connections: `properties` is "name=value,name=value", such as
  /// "send_buffer=65536,no_delay=0" (socket_properties.hpp has those of sockets). What a plug-in does not know does not apply to it, and
  /// it passes over it. Calls whose properties differ share no connection.
  virtual Result<std::unique_ptr<Transport>> connect_with(std::string_view properties,
                                                          std::string_view address, Deadline deadline) {
    static_cast<void>(properties);
    return connect(address, deadline);
  }

  virtual Result<ProfileView> read_profile(ByteView profile_data) const = 0;
  virtual ior::TaggedProfile make_profile(const ProfileView& view) const = 0;
  /// Adds to the profiles of other plug-ins, once all of them are in a reference that this process makes: what is reached at `acceptor`, an
  /// endpoint of this plug-in. False: there is no memory. Called for each endpoint, in their order.
  virtual bool compose(const Acceptor& acceptor, ior::Ior& made) const {
    static_cast<void>(acceptor);
    static_cast<void>(made);
    return true;
  }
  /// The inverse: what a profile of another plug-in (with that tag) says to this one, if an address of its own stands in a component and
  /// can be reached from this machine. Such a way is tried before the profile's own addresses.
  virtual std::optional<ProfileView> addresses_in(std::uint32_t profile_tag,
                                                  const ProfileView& profile) const {
    static_cast<void>(profile_tag);
    static_cast<void>(profile);
    return std::nullopt;
  }
  /// The address part of a corbaloc ("1.1@host:port" behind "iiop:"); appended to `into`, which is made by the first one.
  virtual bool read_url_address(std::string_view text, ProfileView& into, std::string& why) const = 0;
  virtual std::string url_address(const ProfileView& view, std::size_t index) const = 0;
};

}  // namespace tenon::protocol
