// SPDX-License-Identifier: Apache-2.0
//
// What an ORB's protocols are while they can change: which ones it has now, those that were added, and over which one each connection
// was accepted. ProtocolChanges (protocol_changes.hpp) writes it.
//
// Who reads the list takes no lock: a change makes a new list. A list that was replaced, and a protocol that was removed, stay until the
// ORB goes, since references, connections and threads that read may still use them.
//
// Threads: now(), find() and accepted connections from any; what changes the list holds `changing`.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/memory.hpp"
#include "base/thread_annotations.hpp"
#include "orb/parts.hpp"
#include "orb/server/server.hpp"

namespace tenon::orb {

/// The protocols of one moment, in order: those that the ORB was made with, or a list of others.
class CurrentProtocols {
 public:
  class Iterator {
   public:
    Iterator(const Protocol* one, const Protocol* const* many) noexcept : one_(one), many_(many) {}
    const Protocol& operator*() const noexcept { return many_ != nullptr ? **many_ : *one_; }
    Iterator& operator++() noexcept {
      if (many_ != nullptr) {
        ++many_;
      } else {
        ++one_;
      }
      return *this;
    }
    bool operator==(const Iterator&) const noexcept = default;

   private:
    const Protocol* one_;
    const Protocol* const* many_;
  };

  explicit CurrentProtocols(const Protocols& all) noexcept
      : begin_(all.data(), nullptr), end_(all.data() + all.size(), nullptr) {}
  explicit CurrentProtocols(const std::vector<const Protocol*>& all) noexcept
      : begin_(nullptr, all.data()), end_(nullptr, all.data() + all.size()) {}

  Iterator begin() const noexcept { return begin_; }
  Iterator end() const noexcept { return end_; }
  bool empty() const noexcept { return begin_ == end_; }
  const Protocol& front() const noexcept { return *begin_; }

 private:
  Iterator begin_;
  Iterator end_;
};

class ProtocolTable final : public memory::Of<memory::Kind::connections> {
 public:
  ProtocolTable() = default;
  ProtocolTable(const ProtocolTable&) = delete;
  ProtocolTable& operator=(const ProtocolTable&) = delete;
  ~ProtocolTable();

  /// `at_first`: those that the ORB was made with, which are its protocols until there is a change.
  CurrentProtocols now(const Protocols& at_first) const noexcept {
    const List* const list = now_.load(std::memory_order_acquire);
    return list != nullptr ? CurrentProtocols(list->all) : CurrentProtocols(at_first);
  }
  /// The protocol of a plug-in that was added, whether it has been removed since or not; null: it was not added.
  const Protocol* find(const protocol::TransportPlugin& transport) const noexcept;
  /// How often a protocol was added.
  std::uint16_t additions() const noexcept { return additions_.load(std::memory_order_acquire); }

  /// A connection has been accepted over that plug-in, or is no longer served.
  void accepted(const protocol::Connection& connection, const protocol::TransportPlugin& over)
      TENON_EXCLUDES(mutex_);
  void ended(const protocol::Connection& connection) noexcept TENON_EXCLUDES(mutex_);
  bool is_accepted_over(const protocol::Connection& connection,
                        const protocol::TransportPlugin& transport) const TENON_EXCLUDES(mutex_);

  /// Held by one change at a time. Calls never take it.
  Mutex changing;

 private:
  friend class ProtocolChanges;
  /// Each owns the one before it.
  struct List {
    std::vector<const Protocol*> all;
    std::unique_ptr<List> before;
  };
  struct Added {
    Protocol protocol;
    std::unique_ptr<Added> before;
  };
  struct Closed {
    std::unique_ptr<Server::Point> point;
    std::unique_ptr<Closed> before;
  };

  void replace(std::unique_ptr<List> list) noexcept TENON_REQUIRES(changing);
  const Protocol& keep(Protocol&& protocol) TENON_REQUIRES(changing);
  void keep(std::unique_ptr<Server::Point> closed) TENON_REQUIRES(changing);

  std::atomic<const List*> now_{nullptr};      // lists_; null: there has been no change
  std::atomic<const Added*> newest_{nullptr};  // added_
  std::atomic<std::uint16_t> additions_{0};
  std::unique_ptr<List> lists_ TENON_GUARDED_BY(changing);
  std::unique_ptr<Added> added_ TENON_GUARDED_BY(changing);
  std::unique_ptr<Closed> closed_ TENON_GUARDED_BY(changing);
  mutable Mutex mutex_;
  std::map<const protocol::Connection*, const protocol::TransportPlugin*> accepted_ TENON_GUARDED_BY(mutex_);
};

}  // namespace tenon::orb
