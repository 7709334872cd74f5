// SPDX-License-Identifier: Apache-2.0
//
// What an attempt at a call that failed leaves in the thread's trail, and in the log. Called on the way to an exception only, and when a
// connection has been opened. These are texts, and a part of the process (tenon::parts::tried): without it nothing is noted.
#pragma once

#include <atomic>
#include <string_view>

#include "base/trail.hpp"
#include "orb/client/link_selector.hpp"

namespace tenon::orb {

/// What notes in words.
struct CallNotes {
  void (*failure)(const Reference& reference, const Link& link, Step step, Error error,
                  std::string_view said) noexcept;
  void (*not_taken)(const Endpoint& endpoint, const UsableProfile& profile, std::size_t before, Error error,
                    std::int64_t took_ns) noexcept;
  void (*no_profile)(Reference& reference) noexcept;
  void (*bad_char)(const Reference& reference, const Link& link, const cdr::WireFormat& format) noexcept;
  void (*connected)(const LinkKey& key, const protocol::Transport& transport) noexcept;
  void (*not_connected)(const LinkKey& key, Error error) noexcept;
};
extern constinit std::atomic<const CallNotes*> call_notes;  ///< null: nothing is noted
/// From now on calls are noted, in the whole process. Any thread.
void note_calls() noexcept;

/// The attempt went over `link`, came as far as `step`, and ended in `error`. What choosing the link has tried in vain stays in front.
inline void note_failure(const Reference& reference, const Link& link, Step step, Error error,
                         std::string_view said = {}) noexcept {
  if (const CallNotes* notes = call_notes.load(std::memory_order_acquire))
    notes->failure(reference, link, step, error, said);
}
/// The endpoint had no connection for the call; completes what the trail has from number `before` on.
inline void note_not_taken(const Endpoint& endpoint, const UsableProfile& profile, std::size_t before,
                           Error error, std::int64_t took_ns) noexcept {
  if (const CallNotes* notes = call_notes.load(std::memory_order_acquire))
    notes->not_taken(endpoint, profile, before, error, took_ns);
}
/// None of the reference's profiles can be used here.
inline void note_no_profile(Reference& reference) noexcept {
  if (const CallNotes* notes = call_notes.load(std::memory_order_acquire)) notes->no_profile(reference);
}
/// An argument has a character that the code sets of that format lack.
inline void note_bad_char(const Reference& reference, const Link& link,
                          const cdr::WireFormat& format) noexcept {
  if (const CallNotes* notes = call_notes.load(std::memory_order_acquire))
    notes->bad_char(reference, link, format);
}

/// Keeps what the earlier attempts of one call have tried in front of what the last one has.
class EarlierTries {
 public:
  EarlierTries() = default;
  EarlierTries(const EarlierTries&) = delete;
  EarlierTries& operator=(const EarlierTries&) = delete;
  ~EarlierTries();
  /// Another attempt comes, which will restart the trail.
  void keep() noexcept { tries_.append(Trail::mine().take()); }

 private:
  Trail tries_;
};

}  // namespace tenon::orb
