// SPDX-License-Identifier: Apache-2.0
//
// A transport over TCP whose connections begin with a handshake of as many rounds as a test wants, so that what TLS will ask of the ORB can
// be tested without it. In each round the connecting side says one octet, `asks`, and the accepting side answers with so many octets.
// Whatever else the accepting side gets is wrong; `refuses` it refuses.
//
// Not a transport for programs. Endpoint: "shaken://", on 127.0.0.1. Threads: as the contract of protocol/transport.hpp says.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "protocol/transport.hpp"

namespace tenon::shaken {

/// Private to tests, in Tenon's vendor range.
inline constexpr std::uint32_t profile_tag = 0x544e00f1;
inline constexpr std::uint8_t asks = 'h';
inline constexpr std::uint8_t refuses = 'x';
inline constexpr std::uint8_t answers = 'a';

struct Settings {
  unsigned rounds = 3;
  std::size_t answer = 100;  ///< octets of one answer; the kernel does not hold very many of them
  bool polled = true;        ///< it has a descriptor for pollers
  int send_buffer = 0;       ///< octets, of the accepting side; 0: the system's
};

/// What the accepting sides of a plug-in have seen.
struct Seen {
  std::atomic<unsigned> steps{0};  ///< calls of handshake()
  std::atomic<unsigned> wanted_input{0};
  std::atomic<unsigned> wanted_output{0};
  std::atomic<unsigned> done{0};
  std::atomic<unsigned> failed{0};
  std::atomic<unsigned> by_acceptor{0};  ///< steps on a thread that has accepted
  std::atomic<unsigned> too_early{0};    ///< sends and receives before the handshake was done
  std::atomic<unsigned> at_once{0};      ///< steps while another thread was in one of the same connection
};

class Plugin : public protocol::TransportPlugin {
 public:
  /// Lives as long as the connections.
  virtual const std::shared_ptr<Seen>& seen() const noexcept = 0;
};

std::unique_ptr<Plugin> make_plugin(const Settings& settings);

}  // namespace tenon::shaken
