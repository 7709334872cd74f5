// SPDX-License-Identifier: Apache-2.0
//
// A record of what happened to each call, in memory that clients and servers share, which outlives any of them that is killed. A client
// draws a ticket for each call and writes down how the call ended; the servant counts how often the ticket was used.
//
// Threads: any, of any process.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace tenon::faults {

/// How a call ended for its client.
enum class Ending : std::uint8_t {
  unknown,  ///< the client is gone
  returned,
  sent,  ///< a oneway that raised nothing
  no,    ///< an exception, with each of the completion statuses
  maybe,
  yes,
};

class Ledger {
 public:
  static constexpr std::uint32_t capacity = 1 << 22;

  /// A new one, in a file that the processes below may open.
  Ledger();
  /// The one that another process made.
  explicit Ledger(const std::string& path);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  const std::string& path() const noexcept { return path_; }
  std::uint32_t draw() noexcept { return pages_->drawn.fetch_add(1) % capacity; }
  std::uint32_t drawn() const noexcept { return pages_->drawn.load(); }
  void use(std::uint32_t ticket) noexcept { pages_->uses[ticket % capacity].fetch_add(1); }
  void end(std::uint32_t ticket, Ending ending) noexcept { pages_->endings[ticket % capacity].store(ending); }
  std::uint32_t count(Ending ending) const noexcept;

  /// Contradictions, in words, such as a call that was reported as not executed but was. Empty: there are none.
  std::string contradictions() const;

 private:
  struct Pages {
    std::atomic<std::uint32_t> drawn;
    std::atomic<std::uint8_t> uses[capacity];
    std::atomic<Ending> endings[capacity];
  };
  void map(int fd);

  std::string path_;
  const bool owned_;
  Pages* pages_ = nullptr;
};

}  // namespace tenon::faults
