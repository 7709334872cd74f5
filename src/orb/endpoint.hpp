// SPDX-License-Identifier: Apache-2.0
//
// The connections of this process to one address, shared by all references that lead there. A call takes an idle one, else opens
// another up to the limit, else shares the least busy one.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/ref.hpp"
#include "orb/options.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

/// What connections are kept apart by. Open for what later asks for its own connections; equal keys share.
struct LinkKey {
  std::string transport;   ///< "iiop"
  std::string address;     ///< in the transport's own words
  std::string properties;  ///< protocol properties that differ from the default
  int priority_band = 0;
  bool is_private = false;  ///< with a key of its own in `properties`
  std::string identity;     ///< TLS identity
  auto operator<=>(const LinkKey&) const = default;
};

class Endpoint final : public RefCounted {
 public:
  Endpoint(LinkKey key, protocol::TransportPlugin& transport, protocol::Messaging& messaging, const Options& options);

  struct Taken {
    Ref<protocol::Connection> connection;
    bool fresh = false;  ///< made for this call: a failure is not a stale connection
  };
  /// TRANSIENT when no connection can be made, TIMEOUT when the deadline passed while it was being made.
  Result<Taken> take(Deadline deadline);
  void close_all(bool orderly) noexcept;
  const LinkKey& key() const noexcept { return key_; }

 private:
  const LinkKey key_;
  protocol::TransportPlugin& transport_;
  protocol::Messaging& messaging_;
  const Options& options_;  // the ORB's, which outlives this
  std::mutex mutex_;        // guards what follows
  std::condition_variable opened_;
  std::vector<Ref<protocol::Connection>> connections_;
  unsigned opening_ = 0;
  bool closed_ = false;
};

}  // namespace tenon::orb
