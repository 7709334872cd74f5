// SPDX-License-Identifier: Apache-2.0
// A transport of one's own: GIOP over Unix-domain sockets that have a name and no file. docs/writing-a-protocol.md explains it.
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>

#include <tenon/protocol_plugin.hpp>

namespace toy {

namespace protocol = tenon::protocol;
using tenon::Deadline;
using tenon::Result;

constexpr std::uint32_t profile_tag = 0x544F5900;  // of your own, as OMG registers them

// --- one connection ---

class Transport final : public protocol::Transport {
 public:
  Transport(int socket, std::string peer) : socket_(socket), peer_(std::move(peer)) {}
  ~Transport() override { ::close(socket_); }

  protocol::Transfer send(std::span<const tenon::cdr::Piece> gather, Deadline deadline) override {
    // One piece at a time, and as much of it as there is room for: it may move less than it was given, and must not wait for longer.
    while (ready(POLLOUT, deadline, send_ms_)) {
      const tenon::cdr::Piece& first = gather.front();
      const ssize_t moved = ::send(socket_, first.data, first.size, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (moved >= 0) return {protocol::Io::ok, static_cast<std::size_t>(moved), 0};
      if (errno != EAGAIN) return {protocol::Io::failed, 0, errno};
    }
    return {protocol::Io::timed_out, 0, 0};
  }

  protocol::Transfer receive(tenon::MutableBytes into, Deadline deadline) override {
    if (!ready(POLLIN, deadline, receive_ms_)) return {protocol::Io::timed_out, 0, 0};
    const ssize_t moved = ::recv(socket_, into.data(), into.size(), 0);
    if (moved < 0) return {protocol::Io::failed, 0, errno};
    if (moved == 0) return {protocol::Io::closed, 0, 0};
    return {protocol::Io::ok, static_cast<std::size_t>(moved), 0};
  }

  bool wait(Deadline deadline) override { return ready(POLLIN, deadline, 0); }
  std::optional<int> poll_descriptor() const noexcept override { return socket_; }
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) override {
    send_ms_ = send_ms;
    receive_ms_ = receive_ms;
  }
  void shut_down() noexcept override { ::shutdown(socket_, SHUT_RDWR); }
  std::string peer() const override { return peer_; }
  std::string local() const override { return "toy"; }

 private:
  // An infinite deadline stands for the time-out; 0 ms: there is none.
  bool ready(short what, Deadline deadline, std::uint32_t timeout_ms) const {
    if (deadline.is_never() && timeout_ms != 0) deadline = Deadline::after_ms(timeout_ms);
    pollfd watched{socket_, what, 0};
    int found = 0;
    do {
      found = ::poll(&watched, 1, deadline.remaining_ms());
    } while (found < 0 && errno == EINTR);
    return found != 0;
  }

  const int socket_;
  const std::string peer_;
  std::atomic<std::uint32_t> send_ms_{0};
  std::atomic<std::uint32_t> receive_ms_{0};
};

sockaddr_un address_of(std::string_view name, socklen_t& size) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string whole = std::string("\0toy-", 5).append(name.substr(0, 80));
  std::memcpy(address.sun_path, whole.data(), whole.size());
  size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + whole.size());
  return address;
}

// --- a place to listen ---

class Acceptor final : public protocol::Acceptor {
 public:
  Acceptor(int socket, std::string name) : socket_(socket), name_(std::move(name)) {}
  ~Acceptor() override { close(); }

  Result<std::unique_ptr<protocol::Transport>> accept() override {
    while (!ended_) {
      const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket >= 0) return std::unique_ptr<protocol::Transport>(new Transport(socket, "toy://" + name_));
      if (errno != EINTR && errno != ECONNABORTED && !ended_) ::usleep(10'000);  // out of descriptors
    }
    return tenon::errors::cannot_listen;
  }
  void shut_down() noexcept override {
    ended_ = true;
    ::shutdown(socket_, SHUT_RDWR);
  }
  void close() noexcept override {
    const int socket = socket_.exchange(-1);
    if (socket >= 0) ::close(socket);
  }
  std::string endpoint() const override { return "toy://" + name_; }
  std::vector<std::string> published() const override { return {name_}; }

 private:
  std::atomic<int> socket_;
  const std::string name_;
  std::atomic<bool> ended_{false};
};

// --- the plug-in ---

class Plugin final : public protocol::TransportPlugin {
 public:
  std::string_view name() const noexcept override { return "toy"; }
  std::uint32_t profile_tag() const noexcept override { return toy::profile_tag; }

  std::span<const protocol::PluginOption> own_options() const noexcept override {
    static constexpr protocol::PluginOption all[] = {
        {"backlog", "connections", "How many may wait to be accepted (default: 16)."}};
    return all;
  }
  bool set_option(std::string_view, std::string_view value, std::string& why) override {
    const char* const end = value.data() + value.size();
    const auto [stop, code] = std::from_chars(value.data(), end, backlog_);
    if (code == std::errc() && stop == end && backlog_ > 0) return true;
    why = "wants a number of connections, at least 1";
    return false;
  }

  std::unique_ptr<protocol::Acceptor> listen(std::string_view endpoint, std::string& why) override {
    std::string name(endpoint.substr(std::min(endpoint.size(), sizeof "toy://" - 1)));
    if (name.empty()) name = std::to_string(::getpid());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t size = 0;
    const sockaddr_un address = address_of(name, size);
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
        ::listen(socket, backlog_) == 0)
      return std::make_unique<Acceptor>(socket, std::move(name));
    why = "endpoint '" + std::string(endpoint) + "': " + std::strerror(errno);
    ::close(socket);
    return nullptr;
  }

  Result<std::unique_ptr<protocol::Transport>> connect(std::string_view name, Deadline) override {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return tenon::errors::out_of_descriptors;
    socklen_t size = 0;
    const sockaddr_un address = address_of(name, size);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), size) != 0) {
      ::close(socket);
      return tenon::errors::cannot_connect;
    }
    return std::unique_ptr<protocol::Transport>(new Transport(socket, "toy://" + std::string(name)));
  }

  Result<protocol::ProfileView> read_profile(tenon::ByteView data) const override {
    tenon::cdr::Reader reader = tenon::cdr::Reader::encapsulation(data);
    protocol::ProfileView view;
    view.minor = reader.get<std::uint8_t>();
    view.addresses.push_back({std::string(reader.get_raw_string())});
    const tenon::ByteView key = reader.get_octet_sequence();
    view.object_key.assign(key.begin(), key.end());
    tenon::ior::read_tagged(reader, view.components);
    if (!reader.good()) return tenon::errors::bad_profile;
    return view;
  }
  tenon::ior::TaggedProfile make_profile(const protocol::ProfileView& view) const override {
    tenon::cdr::Encapsulation body;
    body.content().put(view.minor);
    body.content().put_raw_string(view.addresses.front().text);
    body.content().put_octet_sequence(view.object_key);
    tenon::ior::write_tagged(body.content(), view.components);
    return tenon::ior::tagged(toy::profile_tag, body);
  }
  bool read_url_address(std::string_view text, protocol::ProfileView& into, std::string& why) const override {
    if (text.empty()) why = "wants a name";
    into.minor = 2;
    into.addresses.push_back({std::string(text)});
    return !text.empty();
  }
  std::string url_address(const protocol::ProfileView& view, std::size_t index) const override {
    return view.addresses[index].text;
  }

 private:
  int backlog_ = 16;
};

void add(tenon::orb::Protocols& protocols) {
  protocols.push_back({std::make_unique<Plugin>(), tenon::giop::make_messaging()});
}

}  // namespace toy

TENON_PROTOCOL_LIBRARY(toy::add)
