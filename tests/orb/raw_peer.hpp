// SPDX-License-Identifier: Apache-2.0
//
// The other side of a connection by hand: a TCP server whose replies a test writes byte for byte, and a client that sends any bytes.
// No GIOP is parsed here; requests are told apart by counting them.
//
// Threads: a RawServer has one of its own, which runs the test's function for one connection after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace tenon::suite {

using Bytes = std::vector<std::uint8_t>;

/// A socket that closes itself.
class RawSocket {
 public:
  RawSocket() = default;
  explicit RawSocket(int fd) : fd_(fd) {}
  RawSocket(RawSocket&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  RawSocket& operator=(RawSocket&& other) noexcept;
  ~RawSocket() { close(); }
  static RawSocket connect(std::uint16_t port);

  int fd() const noexcept { return fd_; }
  void close() noexcept;
  /// False: the peer has gone.
  bool send(const Bytes& bytes) const;
  /// One whole message, header included; empty: the peer has gone, or was silent for half a minute.
  Bytes receive_message() const;
  bool receive(Bytes& into, std::size_t count) const;

 private:
  int fd_ = -1;
};

class RawServer {
 public:
  using Talk = std::function<void(RawSocket& peer)>;
  /// Listens on a free port of 127.0.0.1.
  explicit RawServer(Talk talk, int backlog = 16);
  ~RawServer();
  std::uint16_t port() const noexcept { return port_; }
  std::string url() const { return "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port_) + "/key"; }
  int connections() const noexcept { return connections_; }

 private:
  RawSocket listener_;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_{0};
  std::thread thread_;
};

/// A GIOP 1.2 message in this machine's byte order (little-endian).
Bytes message(std::uint8_t type, const Bytes& body, std::uint8_t flags = 1);
/// A reply without an exception, whose body is one long.
Bytes long_reply(std::uint32_t request_id, std::uint32_t value);
/// A request for an object key, without contexts; `body` begins at an 8-octet boundary.
Bytes request(std::uint32_t id, const std::string& key, const std::string& operation, const Bytes& body = {},
              bool two_way = true);
std::uint32_t request_id_of(const Bytes& request);

}  // namespace tenon::suite
