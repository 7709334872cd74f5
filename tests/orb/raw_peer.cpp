// SPDX-License-Identifier: Apache-2.0
#include "tests/orb/raw_peer.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

namespace tenon::suite {

namespace {

constexpr int patience_ms = 30000;

void put(Bytes& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

}  // namespace

RawSocket& RawSocket::operator=(RawSocket&& other) noexcept {
  close();
  fd_ = other.fd_;
  other.fd_ = -1;
  return *this;
}

void RawSocket::close() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

RawSocket RawSocket::connect(std::uint16_t port) {
  RawSocket made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in to = loopback(port);
  if (::connect(made.fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) made.close();
  return made;
}

bool RawSocket::send(const Bytes& bytes) const {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t now = ::send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) return false;
    sent += static_cast<std::size_t>(now);
  }
  return true;
}

bool RawSocket::receive(Bytes& into, std::size_t count) const {
  while (count != 0) {
    pollfd watched{fd_, POLLIN, 0};
    if (::poll(&watched, 1, patience_ms) <= 0) return false;
    std::uint8_t piece[4096];
    const ssize_t came = ::recv(fd_, piece, count < sizeof piece ? count : sizeof piece, 0);
    if (came <= 0) return false;
    into.insert(into.end(), piece, piece + came);
    count -= static_cast<std::size_t>(came);
  }
  return true;
}

Bytes RawSocket::receive_message() const {
  Bytes whole;
  if (!receive(whole, 12)) return {};
  const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(whole[i]); };
  const bool little = (whole[6] & 1) != 0;
  const std::uint32_t size = little ? at(8) | at(9) << 8 | at(10) << 16 | at(11) << 24
                                    : at(11) | at(10) << 8 | at(9) << 16 | at(8) << 24;
  if (!receive(whole, size)) return {};
  return whole;
}

RawServer::RawServer(Talk talk, int backlog) : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(listener_.fd(), reinterpret_cast<const sockaddr*>(&address), size) != 0) return;
  ::listen(listener_.fd(), backlog);
  ::getsockname(listener_.fd(), reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  if (!talk) return;
  thread_ = std::thread([this, talk = std::move(talk)] {
    while (true) {
      RawSocket peer(::accept4(listener_.fd(), nullptr, nullptr, SOCK_CLOEXEC));
      if (peer.fd() < 0) return;
      ++connections_;
      talk(peer);
    }
  });
}

RawServer::~RawServer() {
  ::shutdown(listener_.fd(), SHUT_RDWR);
  if (thread_.joinable()) thread_.join();
}

Bytes message(std::uint8_t type, const Bytes& body, std::uint8_t flags) {
  Bytes out{'G', 'I', 'O', 'P', 1, 2, flags, type};
  put(out, static_cast<std::uint32_t>(body.size()));
  out.insert(out.end(), body.begin(), body.end());
  return out;
}

Bytes long_reply(std::uint32_t request_id, std::uint32_t value) {
  Bytes body;
  put(body, request_id);
  put(body, 0);  // no exception
  put(body, 0);  // no contexts: the body begins at 24
  put(body, value);
  return message(1, body);
}

Bytes request(std::uint32_t id, const std::string& key, const std::string& operation, const Bytes& arguments,
              bool two_way) {
  Bytes body;
  put(body, id);
  body.insert(body.end(), {static_cast<std::uint8_t>(two_way ? 3 : 0), 0, 0, 0});
  put(body, 0);  // KeyAddr, and its padding
  put(body, static_cast<std::uint32_t>(key.size()));
  body.insert(body.end(), key.begin(), key.end());
  body.resize((body.size() + 3) / 4 * 4);
  put(body, static_cast<std::uint32_t>(operation.size() + 1));
  body.insert(body.end(), operation.begin(), operation.end());
  body.push_back(0);
  body.resize((body.size() + 3) / 4 * 4);
  put(body, 0);  // no contexts
  if (!arguments.empty()) {
    body.resize((body.size() + 12 + 7) / 8 * 8 - 12);
    body.insert(body.end(), arguments.begin(), arguments.end());
  }
  return message(0, body);
}

std::uint32_t request_id_of(const Bytes& request) {
  std::uint32_t id = 0;
  std::memcpy(&id, request.data() + 12, sizeof id);
  return id;
}

}  // namespace tenon::suite
