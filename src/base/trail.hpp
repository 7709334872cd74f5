// SPDX-License-Identifier: Apache-2.0
//
// What a call has tried in vain: a few lines per call that fails, for the user to find out why. Layers below a call note
// here what failed and still return their Error; the code that turns the Error into an exception takes the trail along.
//
// Not a log: nothing is noted on the way to success, and a trail is bounded. Threads: each has a trail of its own; a Trail that was
// taken is a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace tenon {

/// How far a try got.
enum class Step : std::uint8_t {
  choose,   ///< the profile cannot be used
  look_up,  ///< the host's name
  connect,
  call,     ///< sending the request and waiting for its reply
  forward,  ///< the server sent the call elsewhere
  answer,   ///< the server replied with this exception
};

/// One way to an object that was tried in vain.
struct Try {
  Step step = Step::connect;
  std::size_t profile = 0;  ///< of the reference, counted from 1; 0: not known
  std::string place;        ///< "iiop host.test:2809", as the reference says it
  std::string address;      ///< in numbers, where that differs: "192.0.2.7:2809"
  Error error;              ///< how it ended
  int os_error = 0;         ///< errno, where the system gave one
  std::int64_t took_ns =
      -1;  ///< -1: not measured, as is the rule for calls over a connection that was open already
  /// answer: by the server (ExceptionDetailMessage); look_up: by the resolver; connect: by a transport whose handshake failed.
  std::string said;
};

/// "0.2 ms", "30.0 s"
std::string duration_text(std::int64_t ns);

/// "profile 1, iiop host.test:2809 (192.0.2.7:2809): connect: Connection refused (errno 111), after 0.2 ms"
std::string text(const Try& each);

class Trail {
 public:
  /// `most` tries are kept, further ones are only counted. The texts of a try are cut beyond `longest` octets.
  static constexpr std::size_t most = 16;
  static constexpr std::size_t longest = 512;

  /// The calling thread's.
  static Trail& mine() noexcept;

  void restart() noexcept;
  /// Never fails: a try for which there is no memory is only counted.
  void add(Try each) noexcept;
  void append(Trail&& later) noexcept;
  /// Completes the entries from number `from` on that have no place yet: sets their profile and place, and `error` where they have none.
  /// If there is no entry from `from` on, first adds a try that ended in `error`.
  void place(std::size_t from, std::size_t profile, std::string_view where, Error error,
             std::int64_t took_ns) noexcept;
  /// Returns the trail and leaves an empty one.
  Trail take() noexcept;

  const std::vector<Try>& tries() const noexcept { return tries_; }
  std::size_t size() const noexcept { return tries_.size() + uncounted_; }
  bool empty() const noexcept { return size() == 0; }

 private:
  std::vector<Try> tries_;
  std::size_t uncounted_ = 0;
};

/// "tried: ...; ...", empty for an empty trail.
std::string text(const Trail& trail);

}  // namespace tenon
