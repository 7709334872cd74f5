// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/shaken/shaken.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "net/connect.hpp"
#include "net/listener.hpp"
#include "net/wait.hpp"
#include "plugins/stream/spinning_transport.hpp"
#include "plugins/stream/stream_transport.hpp"
#include "protocol/connecting_handshake.hpp"
#include "protocol/endpoint_text.hpp"
#include "protocol/identity.hpp"

namespace tenon::shaken {
namespace {

using protocol::Handshake;
using protocol::Transfer;
using protocol::Transport;

thread_local bool has_accepted = false;

class ShakenTransport final : public Transport {
 public:
  ShakenTransport(net::Descriptor&& socket, std::string peer, const Settings& settings, bool accepted,
                  std::shared_ptr<Seen> seen)
      : stream_(stream::make_stream_transport(std::move(socket), std::move(peer), std::nullopt)),
        settings_(settings),
        accepted_(accepted),
        seen_(std::move(seen)) {}

  Handshake handshake(Deadline deadline, std::string& why) override {
    if (inside_.exchange(true)) ++seen_->at_once;
    ++seen_->steps;
    if (has_accepted) ++seen_->by_acceptor;
    const Handshake come = accepted_ ? accept(deadline, why) : ask(deadline, why);
    switch (come) {
      case Handshake::done: ++seen_->done; break;
      case Handshake::failed: ++seen_->failed; break;
      case Handshake::wants_input: ++seen_->wanted_input; break;
      case Handshake::wants_output: ++seen_->wanted_output; break;
    }
    if (come == Handshake::done) done_ = true;
    inside_ = false;
    return come;
  }
  Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) override {
    return ready() ? stream_->send(gather, deadline) : not_yet();
  }
  Transfer send_last(std::span<const cdr::Piece> gather, Deadline deadline) override {
    return ready() ? stream_->send_last(gather, deadline) : not_yet();
  }
  Transfer receive(MutableBytes into, Deadline deadline) override {
    return ready() ? stream_->receive(into, deadline) : not_yet();
  }
  std::optional<int> poll_descriptor() const noexcept override {
    return settings_.polled ? stream_->poll_descriptor() : std::nullopt;
  }
  bool wait(Deadline deadline) override { return stream_->wait(deadline); }
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) override {
    stream_->set_timeouts(send_ms, receive_ms);
  }
  void shut_down() noexcept override { stream_->shut_down(); }
  std::string peer() const override { return stream_->peer(); }
  std::string local() const override { return stream_->local(); }
  std::int64_t ms_idle() const noexcept override { return stream_->ms_idle(); }
  bool identify(protocol::Identity& into) const override {
    if (!ready()) return false;
    into.kind = "shaken";
    into.attributes = {{"rounds", std::to_string(settings_.rounds)}};
    return true;
  }

 private:
  int fd() const noexcept { return stream_->poll_descriptor().value_or(-1); }
  bool ready() const noexcept { return done_.load(std::memory_order_acquire); }
  Transfer not_yet() noexcept {
    ++seen_->too_early;
    return {protocol::Io::failed, 0, ENOTCONN};
  }
  static Handshake fail(std::string& why, const char* what) {
    why = what;
    return Handshake::failed;
  }

  Handshake ask(Deadline deadline, std::string& why) {
    std::array<std::uint8_t, 4096> octets;
    while (round_ < settings_.rounds) {
      if (left_ == 0) {
        if (::send(fd(), &asks, 1, MSG_NOSIGNAL) != 1) return fail(why, "it cannot be asked");
        left_ = settings_.answer;
      }
      const ssize_t came =
          ::recv(fd(), octets.data(), std::min(left_, octets.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (came > 0) {
        left_ -= static_cast<std::size_t>(came);
        if (left_ == 0) ++round_;
      } else if (came == 0 || errno != EAGAIN) {
        return fail(why, "it has ended");
      } else if (!net::wait_for(fd(), POLLIN, deadline)) {
        return Handshake::wants_input;
      }
    }
    return Handshake::done;
  }

  Handshake accept(Deadline deadline, std::string& why) {
    static const std::array<std::uint8_t, 4096> octets = [] {
      std::array<std::uint8_t, 4096> made;
      made.fill(answers);
      return made;
    }();
    while (true) {
      while (left_ != 0) {
        const ssize_t sent =
            ::send(fd(), octets.data(), std::min(left_, octets.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent > 0) {
          left_ -= static_cast<std::size_t>(sent);
        } else if (errno != EAGAIN) {
          return fail(why, "it does not take the answer");
        } else if (!net::wait_for(fd(), POLLOUT, deadline)) {
          return Handshake::wants_output;
        }
      }
      if (round_ == settings_.rounds) return Handshake::done;
      std::uint8_t octet = 0;
      const ssize_t came = ::recv(fd(), &octet, 1, MSG_DONTWAIT);
      if (came == 0 || (came < 0 && errno != EAGAIN)) return fail(why, "it has ended");
      if (came < 0) {
        if (!net::wait_for(fd(), POLLIN, deadline)) return Handshake::wants_input;
        continue;
      }
      if (octet == refuses) return fail(why, "it is not wanted here");
      if (octet != asks) return fail(why, "that is no handshake");
      ++round_;
      left_ = settings_.answer;
    }
  }

  const std::unique_ptr<Transport> stream_;
  const Settings settings_;
  const bool accepted_;
  const std::shared_ptr<Seen> seen_;
  std::atomic<bool> done_{false};
  std::atomic<bool> inside_{false};
  unsigned round_ = 0;
  std::size_t left_ = 0;  // octets of the answer of this round
};

class ShakenAcceptor final : public protocol::Acceptor {
 public:
  ShakenAcceptor(std::unique_ptr<net::Listener> listener, const Settings& settings,
                 std::shared_ptr<Seen> seen)
      : listener_(std::move(listener)), settings_(settings), seen_(std::move(seen)) {}

  Result<std::unique_ptr<Transport>> accept() override {
    has_accepted = true;
    net::SocketAddress peer;
    net::Descriptor socket = listener_->accept(peer);
    if (!socket) return errors::listener_closed;
    return over(std::move(socket), peer);
  }
  // Where one thread does everything, it accepts, too.
  Result<std::unique_ptr<Transport>> accept_now() override {
    net::SocketAddress peer;
    net::Descriptor socket = listener_->accept_now(peer);
    if (socket) return over(std::move(socket), peer);
    if (listener_->is_shut_down()) return errors::listener_closed;
    return std::unique_ptr<Transport>();
  }
  std::optional<int> poll_descriptor() const noexcept override { return listener_->descriptor(); }
  void shut_down() noexcept override { listener_->shut_down(); }
  void close() noexcept override { listener_->close(); }
  std::string endpoint() const override { return "shaken://" + listener_->address().text(); }
  std::vector<std::string> published() const override { return {listener_->address().text()}; }

 private:
  std::unique_ptr<Transport> over(net::Descriptor socket, const net::SocketAddress& peer) {
    const int octets = settings_.send_buffer;
    if (octets != 0) ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDBUF, &octets, sizeof octets);
    return std::make_unique<ShakenTransport>(std::move(socket), peer.text(), settings_, true, seen_);
  }

  const std::unique_ptr<net::Listener> listener_;
  const Settings settings_;
  const std::shared_ptr<Seen> seen_;
};

class ShakenPlugin final : public Plugin {
 public:
  explicit ShakenPlugin(const Settings& settings) : settings_(settings) {}

  const std::shared_ptr<Seen>& seen() const noexcept override { return seen_; }
  protocol::Properties properties() const noexcept override {
    protocol::Properties properties;
    properties.handshake = true;
    return properties;
  }
  std::string_view name() const noexcept override { return "shaken"; }
  std::uint32_t profile_tag() const noexcept override { return shaken::profile_tag; }

  std::unique_ptr<protocol::Acceptor> listen(std::string_view endpoint, std::string& why) override {
    if (endpoint != "shaken://") {
      why = protocol::endpoint_error(endpoint, "write shaken://, which is a port of 127.0.0.1");
      return nullptr;
    }
    auto listener = std::make_unique<net::Listener>();
    if (!listener->open(*net::numeric_address("127.0.0.1", 0), {}, why)) return nullptr;
    return std::make_unique<ShakenAcceptor>(std::move(listener), settings_, seen_);
  }

  Result<std::unique_ptr<Transport>> connect(std::string_view address, Deadline deadline) override {
    std::string why;
    const auto where = net::parse_host_port(address, 0, why);
    const auto numbers = where ? net::numeric_address(*where) : std::nullopt;
    if (!numbers) return errors::bad_address;
    int os_error = 0;
    net::Descriptor socket = net::connect_to(*numbers, deadline, os_error);
    if (!socket) return stream::connect_error(os_error);
    auto made = std::make_unique<ShakenTransport>(std::move(socket), std::string(address), settings_, false,
                                                  std::make_shared<Seen>());
    if (const Status done = protocol::connecting_handshake(*made, deadline); !done) return done.error();
    return std::unique_ptr<Transport>(std::move(made));
  }

  Result<protocol::ProfileView> read_profile(ByteView data) const override {
    cdr::Reader reader = cdr::Reader::encapsulation(data);
    protocol::ProfileView view;
    view.minor = reader.get<std::uint8_t>();
    view.addresses.push_back({std::string(reader.get_raw_string())});
    const ByteView key = reader.get_octet_sequence();
    view.object_key.assign(key.begin(), key.end());
    ior::read_tagged(reader, view.components);
    if (!reader.good()) return errors::bad_profile;
    return view;
  }
  ior::TaggedProfile make_profile(const protocol::ProfileView& view) const override {
    cdr::Encapsulation body;
    body.content().put(view.minor);
    body.content().put_raw_string(view.addresses.front().text);
    body.content().put_octet_sequence(view.object_key);
    ior::write_tagged(body.content(), view.components);
    return ior::tagged(shaken::profile_tag, body);
  }
  bool read_url_address(std::string_view text, protocol::ProfileView& into, std::string& why) const override {
    if (text.empty()) why = "the address is a host in numbers and a port";
    if (text.empty() || !net::parse_host_port(text, 0, why)) return false;
    into.minor = 2;
    into.addresses.push_back({std::string(text)});
    return true;
  }
  std::string url_address(const protocol::ProfileView& view, std::size_t index) const override {
    return view.addresses[index].text;
  }

 private:
  const Settings settings_;
  const std::shared_ptr<Seen> seen_ = std::make_shared<Seen>();
};

}  // namespace

std::unique_ptr<Plugin> make_plugin(const Settings& settings) {
  return std::make_unique<ShakenPlugin>(settings);
}

}  // namespace tenon::shaken
