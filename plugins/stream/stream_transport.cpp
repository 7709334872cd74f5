// SPDX-License-Identifier: Apache-2.0
#include "plugins/stream/stream_transport.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "plugins/stream/spinning_transport.hpp"

namespace tenon::stream {
namespace {

protocol::Transfer failure(int error) noexcept {
  return {error == EAGAIN ? protocol::Io::timed_out : protocol::Io::failed, 0, error == EAGAIN ? 0 : error};
}

[[gnu::cold]] protocol::Transfer nothing_came(int error) noexcept {
  return error != 0 ? failure(error) : protocol::Transfer{protocol::Io::closed, 0, 0};
}

}  // namespace

protocol::Transfer StreamTransport::send(std::span<const cdr::Piece> gather, Deadline deadline) {
  if (gather.size() != 1 || gather[0].size > most_at_once) [[unlikely]]
    return send_pieces(gather, deadline);
  const net::Moved moved = stream_.send(ByteView(gather[0].data, gather[0].size), deadline);
  if (moved.error != 0) [[unlikely]]
    return failure(moved.error);
  return {protocol::Io::ok, moved.bytes, 0};
}

protocol::Transfer StreamTransport::send_last(std::span<const cdr::Piece> gather, Deadline deadline) {
  if (gather.size() != 1) return send_pieces(gather, deadline);
  const net::Moved moved = stream_.send_last(ByteView(gather[0].data, gather[0].size));
  return moved.error != 0 ? send(gather, deadline) : protocol::Transfer{protocol::Io::ok, moved.bytes, 0};
}

protocol::Transfer StreamTransport::send_pieces(std::span<const cdr::Piece> gather, Deadline deadline) {
  iovec pieces[most_pieces];
  const std::size_t count = gather.size() < most_pieces ? gather.size() : most_pieces;
  std::size_t octets = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // The kernel only reads through it.
    pieces[i] = {const_cast<std::uint8_t*>(gather[i].data), gather[i].size};
    octets += gather[i].size;
  }
  const std::span<iovec> all(pieces, count);
  if (octets > most_at_once) return send_in_two(all, deadline);
  const net::Moved moved = stream_.send(all, deadline);
  if (moved.error != 0) return failure(moved.error);
  return {protocol::Io::ok, moved.bytes, 0};
}

protocol::Transfer StreamTransport::send_in_two(std::span<iovec> pieces, Deadline deadline) {
  std::size_t left = first_part;  // octets of the first part in pieces[cut], where it ends
  std::size_t cut = 0;
  while (pieces[cut].iov_len < left) left -= pieces[cut++].iov_len;
  const std::size_t whole = std::exchange(pieces[cut].iov_len, left);
  const net::Moved first = stream_.send(pieces.first(cut + 1), deadline);
  if (first.error != 0) return failure(first.error);
  if (first.bytes != first_part) return {protocol::Io::ok, first.bytes, 0};
  pieces[cut] = {static_cast<std::uint8_t*>(pieces[cut].iov_base) + left, whole - left};
  // If nothing of the rest moves, the next send says why.
  const net::Moved rest = stream_.send(pieces.subspan(cut), deadline);
  return {protocol::Io::ok, first_part + rest.bytes, 0};
}

protocol::Transfer StreamTransport::receive(MutableBytes into, Deadline deadline) {
  const net::Moved moved = stream_.receive(into, deadline);
  if (moved.bytes == 0) [[unlikely]]
    return nothing_came(moved.error);
  return {protocol::Io::ok, moved.bytes, 0};
}

namespace {

bool ask(int fd, tcp_info& into) noexcept {
  socklen_t size = sizeof into;
  return ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &into, &size) == 0;
}

}  // namespace

std::int64_t StreamTransport::ms_since_send() const noexcept {
  tcp_info info{};
  return ask(stream_.descriptor(), info) ? std::int64_t{info.tcpi_last_data_sent} : -1;
}

std::int64_t StreamTransport::ms_idle() const noexcept {
  tcp_info info{};
  if (!ask(stream_.descriptor(), info)) return -1;
  return std::min(info.tcpi_last_data_sent, info.tcpi_last_data_recv);
}

namespace {

constexpr std::string_view short_memory = "memory is short";

/// Hangs up on a peer that is not served. A reset leaves no TIME_WAIT behind here.
[[gnu::noinline]] void hang_up(net::Descriptor& socket, const net::SocketAddress& peer, LogLevel level,
                               std::string_view why) noexcept {
  const linger reset{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  socket.reset();
  if (log_enabled(level)) log(level, "stream", worded("% is not served: %", {peer.text(), why}));
}

}  // namespace

Result<std::unique_ptr<protocol::Transport>> StreamAcceptor::accept() {
  net::SocketAddress peer;
  while (net::Descriptor socket = listener_->accept(peer)) {
    if (auto path = path_over(std::move(socket), peer)) return path;
  }
  return errors::listener_closed;
}

Result<std::unique_ptr<protocol::Transport>> StreamAcceptor::accept_now() {
  net::SocketAddress peer;
  while (net::Descriptor socket = listener_->accept_now(peer)) {
    if (auto path = path_over(std::move(socket), peer)) return path;
  }
  if (listener_->is_shut_down()) return errors::listener_closed;
  return std::unique_ptr<protocol::Transport>();
}

/// Null: the peer is not served.
std::unique_ptr<protocol::Transport> StreamAcceptor::path_over(net::Descriptor socket,
                                                               const net::SocketAddress& peer) const {
  if (settings_.over_unix != nullptr) return settings_.over_unix(std::move(socket), settings_);
  std::unique_ptr<protocol::Transport> path;
  const bool served = settings_.serves == nullptr || settings_.serves(*settings_.rules, peer);
  if (!served || memory::is_exhausted()) {
    hang_up(socket, peer, served ? LogLevel::warning : LogLevel::debug,
            served ? short_memory : "-ORBserverTransportRule does not let it");
    return path;
  }
  net::prepare_tcp(socket.get(), settings_.keep_alive, settings_.no_delay);
  std::string name = memory::is_known() ? std::string() : peer.text();
  path = make_stream_transport(std::move(socket), std::move(name), settings_.spin_us);
  if (path == nullptr) hang_up(socket, peer, LogLevel::warning, short_memory);
  return path;
}

Error connect_error(int os_error) noexcept {
  switch (os_error) {
    case ETIMEDOUT: return errors::connect_timed_out;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOBUFS: return errors::out_of_descriptors;
    default: return errors::cannot_connect;
  }
}

}  // namespace tenon::stream
