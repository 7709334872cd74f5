// SPDX-License-Identifier: Apache-2.0
//
// The addresses that an ORB has connections to, or has failed to connect to. Made when the first call looks for one; what the ORB does
// with it whether it calls or not is virtual, so that an ORB that makes no calls links nothing of it.
// Threads: none of its own; the ORB has a lock. What forget() takes out is dropped without it.
#pragma once

#include <string_view>

#include "orb/client/endpoint.hpp"

namespace tenon::orb {

class Endpoints : public memory::Of<memory::Kind::connections> {
 public:
  Endpoints() = default;
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;
  virtual ~Endpoints();

  /// Null: it is not known.
  Ref<Endpoint> find(const LinkKeyView& key) const noexcept;
  /// Whether there is memory for one more.
  bool can_add() const noexcept { return memory::can_grow(all_); }
  /// One that find() has not found with that key.
  void add(const LinkKeyView& key, Ref<Endpoint> endpoint);
  /// In the order of their keys.
  const EndpointList& all() const noexcept { return all_; }
  /// Moves endpoints to the list, which is empty, that no reference uses and that have no connection, if there is memory for it. Those where
  /// connecting has failed lately are worth keeping, up to most_failed.
  void forget(EndpointList& forgotten);
  /// Moves the endpoints of the transport of that name to the list.
  void take_out(std::string_view transport, EndpointList& into);
  /// There are so many that it is time for forget().
  bool are_many() const noexcept { return all_.size() >= most_; }

  /// Calls Endpoint::divert() of all.
  virtual void divert() noexcept;
  /// Closes all connections, for good. This is the time for all peers that do not read together.
  virtual void close_all_by(Deadline by) noexcept;

 private:
  static constexpr std::size_t at_least = 64;
  static constexpr std::size_t most_failed = 1000;
  /// The place of the first one whose key is not less.
  std::size_t place_of(const LinkKeyView& key) const noexcept;

  EndpointList all_;
  std::size_t most_ = at_least;  // if there are more of them, some are forgotten
};

}  // namespace tenon::orb
