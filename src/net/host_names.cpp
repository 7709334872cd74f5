// SPDX-License-Identifier: Apache-2.0
#include "net/host_names.hpp"

#include <pthread.h>

#include <csignal>
#include <map>
#include <new>
#include <vector>

#include "base/log.hpp"
#include "base/thread_annotations.hpp"

namespace tenon::net {
namespace {

constexpr std::int64_t ns_per_ms = 1'000'000;

class SystemNames final : public NameSource {
 public:
  std::vector<SocketAddress> look_up(const std::string& host, std::string& why) override {
    return resolve({host, 0}, Purpose::connect, why);
  }
};

/// Starts a detached thread that blocks all signals: those are for the threads that the program knows of. False: there can be none, and
/// `argument` is still the caller's.
bool start_thread(void* (*work)(void*), void* argument) noexcept {
  pthread_attr_t detached;
  if (::pthread_attr_init(&detached) != 0) return false;
  ::pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool started = ::pthread_create(&thread, &detached, work, argument) == 0;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::pthread_attr_destroy(&detached);
  return started;
}

}  // namespace

std::shared_ptr<NameSource> system_names() { return std::make_shared<SystemNames>(); }

/// The data that the threads share. It outlives the HostNames as long as one of them is in the resolver.
class HostNames::Table {
 public:
  Table(std::shared_ptr<NameSource> source, Settings settings)
      : source_(std::move(source)), settings_(settings) {}

  void set_settings(const Settings& settings) TENON_EXCLUDES(mutex_);
  void expect(const std::string& host, const std::shared_ptr<Table>& self) TENON_EXCLUDES(mutex_);
  Answer addresses(const HostPort& where, Deadline deadline, std::int64_t not_before,
                   const std::shared_ptr<Table>& self) TENON_EXCLUDES(mutex_);
  /// Starts no thread from now on, and lets those that run end.
  void stop() TENON_EXCLUDES(mutex_);

 private:
  enum class Search : std::uint8_t { none, queued_last, queued_first, running };
  struct Name {
    std::vector<SocketAddress> addresses;  // what the last search that found some has found
    std::int64_t asked_at = 0;             // when that search began
    std::int64_t failed_at = 0;            // when the last search ended, if it found none; else 0
    std::string why;                       // why it found none
    Search search = Search::none;
    std::uint64_t searches = 0;   // that have ended
    unsigned waiting = 0;         // threads
    std::uint64_t last_used = 0;  // by the count of uses
  };
  using Names = std::map<std::string, Name>;
  using Entry = Names::value_type;

  /// Null: the table is full of names that are being asked for, and no caller waits for this one.
  Entry* entry(const std::string& host, bool somebody_waits) TENON_REQUIRES(mutex_);
  bool make_room() TENON_REQUIRES(mutex_);
  /// Makes sure that a thread will look up the name.
  void ask(Entry& entry, bool somebody_waits, const std::shared_ptr<Table>& self) TENON_REQUIRES(mutex_);
  /// Looks the name up again in the background, if what is known of it is old.
  void ask_if_due(Entry& entry, std::int64_t now, const std::shared_ptr<Table>& self) TENON_REQUIRES(mutex_);
  /// Starts a thread that runs work() and keeps the table alive. False: there can be none.
  static bool start_worker(const std::shared_ptr<Table>& self);
  void work() TENON_EXCLUDES(mutex_);
  /// The next name to look up. Null: there is none, or none that may be begun now.
  Entry* next(bool& somebody_waits) TENON_REQUIRES(mutex_);
  void end_search(Entry& entry, std::vector<SocketAddress> found, std::int64_t asked_at, std::string why)
      TENON_REQUIRES(mutex_);

  const std::shared_ptr<NameSource> source_;
  Mutex mutex_;
  CondVar ended_;  // notified when a search ends
  Settings settings_ TENON_GUARDED_BY(mutex_);
  // Names that are queued, looked up or waited for stay here, so that pointers to them stay valid.
  Names names_ TENON_GUARDED_BY(mutex_);
  std::vector<Entry*> first_ TENON_GUARDED_BY(mutex_);
  std::vector<Entry*> last_ TENON_GUARDED_BY(mutex_);
  unsigned threads_ TENON_GUARDED_BY(mutex_) = 0;
  unsigned asking_ahead_ TENON_GUARDED_BY(mutex_) =
      0;  // how many of them ask for names that no caller waited for
  std::uint64_t uses_ TENON_GUARDED_BY(mutex_) = 0;
  bool stopping_ TENON_GUARDED_BY(mutex_) = false;
};

void HostNames::Table::set_settings(const Settings& settings) {
  const LockGuard lock(mutex_);
  settings_ = settings;
}

void HostNames::Table::stop() {
  const LockGuard lock(mutex_);
  stopping_ = true;
}

void HostNames::Table::expect(const std::string& host, const std::shared_ptr<Table>& self) {
  const LockGuard lock(mutex_);
  if (Entry* const known = entry(host, false)) ask_if_due(*known, steady_now(), self);
}

HostNames::Answer HostNames::Table::addresses(const HostPort& where, Deadline deadline,
                                              std::int64_t not_before, const std::shared_ptr<Table>& self) {
  const LockGuard lock(mutex_);
  Entry& known = *entry(where.host, true);
  Name& name = known.second;
  const std::uint64_t searches_before = name.searches;
  std::uint64_t seen = searches_before;
  Answer answer;
  ++name.waiting;
  while (true) {
    const std::int64_t now = steady_now();
    // A caller that has waited for an answer takes it, even if the settings make it too old at once.
    const bool just_came = name.searches != searches_before;
    if (!name.addresses.empty() && name.asked_at >= not_before &&
        ((just_came && name.failed_at == 0) || now - name.asked_at < settings_.usable_ms * ns_per_ms)) {
      answer = {Outcome::found, name.addresses, name.asked_at, {}};
      if (!just_came) ask_if_due(known, now, self);
      break;
    }
    if (name.failed_at != 0 && name.failed_at >= not_before &&
        (just_came || now - name.failed_at < settings_.failed_ms * ns_per_ms)) {
      answer.why = name.why;
      break;
    }
    ask(known, true, self);
    if (name.search != Search::none && !ended_.wait_until(mutex_, deadline) && name.searches == seen) {
      answer.outcome = Outcome::timed_out;
      break;
    }
    seen = name.searches;
  }
  --name.waiting;
  for (SocketAddress& address : answer.addresses) address.set_port(where.port);
  return answer;
}

// --- the table ---

HostNames::Table::Entry* HostNames::Table::entry(const std::string& host, bool somebody_waits) {
  auto found = names_.find(host);
  if (found == names_.end()) {
    if (names_.size() >= settings_.names_most && !make_room() && !somebody_waits) return nullptr;
    found = names_.try_emplace(host).first;
  }
  found->second.last_used = ++uses_;
  return &*found;
}

bool HostNames::Table::make_room() {
  auto oldest = names_.end();
  for (auto at = names_.begin(); at != names_.end(); ++at) {
    if (at->second.search != Search::none || at->second.waiting != 0) continue;
    if (oldest == names_.end() || at->second.last_used < oldest->second.last_used) oldest = at;
  }
  if (oldest == names_.end()) return false;
  names_.erase(oldest);
  return true;
}

void HostNames::Table::ask_if_due(Entry& entry, std::int64_t now, const std::shared_ptr<Table>& self) {
  const Name& name = entry.second;
  if (!name.addresses.empty() && now - name.asked_at < settings_.fresh_ms * ns_per_ms) return;
  if (name.failed_at != 0 && now - name.failed_at < settings_.failed_ms * ns_per_ms) return;
  ask(entry, false, self);
}

void HostNames::Table::ask(Entry& entry, bool somebody_waits, const std::shared_ptr<Table>& self) {
  Name& name = entry.second;
  if (name.search == Search::running || name.search == Search::queued_first) return;
  if (name.search == Search::queued_last) {
    if (!somebody_waits) return;
    std::erase(last_, &entry);
  }
  (somebody_waits ? first_ : last_).push_back(&entry);
  name.search = somebody_waits ? Search::queued_first : Search::queued_last;
  if (threads_ >= settings_.threads_most) return;
  ++threads_;
  if (start_worker(self)) return;
  if (--threads_ != 0) return;  // one of the others will look it up
  log(LogLevel::warning, "net", "no thread can be made to look up host '" + entry.first + '\'');
  (somebody_waits ? first_ : last_).pop_back();
  end_search(entry, {}, 0, "no thread can be made to look it up");
}

// --- the threads ---

bool HostNames::Table::start_worker(const std::shared_ptr<Table>& self) {
  const auto work = [](void* given) -> void* {
    const std::unique_ptr<std::shared_ptr<Table>> table(static_cast<std::shared_ptr<Table>*>(given));
    (*table)->work();
    return nullptr;
  };
  std::unique_ptr<std::shared_ptr<Table>> kept(new (std::nothrow) std::shared_ptr<Table>(self));
  if (kept == nullptr || !start_thread(work, kept.get())) return false;
  static_cast<void>(kept.release());  // NOLINT(bugprone-unused-return-value): the thread has it now
  return true;
}

HostNames::Table::Entry* HostNames::Table::next(bool& somebody_waits) {
  somebody_waits = !first_.empty();
  // Look-ups that no caller waits for leave half of the threads free.
  if (!somebody_waits && (last_.empty() || asking_ahead_ >= (settings_.threads_most + 1) / 2)) return nullptr;
  std::vector<Entry*>& queue = somebody_waits ? first_ : last_;
  Entry* const entry = queue.front();
  queue.erase(queue.begin());  // there are few
  return entry;
}

void HostNames::Table::work() {
  LockGuard lock(mutex_);
  bool somebody_waits = false;
  while (!stopping_) {
    Entry* const entry = next(somebody_waits);
    if (entry == nullptr) break;
    entry->second.search = Search::running;
    if (!somebody_waits) ++asking_ahead_;
    const std::int64_t asked_at = steady_now();
    std::string why;
    lock.unlock();
    std::vector<SocketAddress> found = source_->look_up(entry->first, why);
    if (found.empty() && log_enabled(LogLevel::info)) log(LogLevel::info, "net", why);
    lock.lock();
    if (!somebody_waits) --asking_ahead_;
    end_search(*entry, std::move(found), asked_at, std::move(why));
  }
  --threads_;
}

void HostNames::Table::end_search(Entry& entry, std::vector<SocketAddress> found, std::int64_t asked_at,
                                  std::string why) {
  Name& name = entry.second;
  name.search = Search::none;
  ++name.searches;
  if (found.empty()) {
    name.failed_at = steady_now();  // addresses that were found before are kept: better old ones than none
    name.why = std::move(why);
  } else {
    name.failed_at = 0;
    name.asked_at = asked_at;
    name.addresses = std::move(found);
  }
  ended_.notify_all();
}

// --- HostNames ---

HostNames::HostNames(std::shared_ptr<NameSource> source, Settings settings)
    : table_(std::make_shared<Table>(std::move(source), settings)) {}

HostNames::~HostNames() { table_->stop(); }

void HostNames::set_settings(const Settings& settings) { table_->set_settings(settings); }

void HostNames::expect(const std::string& host) { table_->expect(host, table_); }

HostNames::Answer HostNames::addresses(const HostPort& where, Deadline deadline, std::int64_t not_before) {
  return table_->addresses(where, deadline, not_before, table_);
}

}  // namespace tenon::net
