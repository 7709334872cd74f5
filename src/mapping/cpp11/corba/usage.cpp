// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/usage.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "mapping/cpp11/calls/watched_call.hpp"

namespace tenon::gen {

namespace {

constexpr std::string_view first_line = "tenon-usage 1\n";
constexpr std::size_t most_rows = 10'000;
constexpr std::size_t largest_file = std::size_t{4} << 20;

struct Counts {
  std::uint64_t calls = 0;
  std::uint64_t octets = 0;
};
/// "client add IDL:Calc/Calculator:1.0": the end of a line of the file.
using Rows = std::map<std::string, Counts, std::less<>>;

struct Sums {
  Rows rows;
  std::uint64_t dropped = 0;

  void add(std::string_view name, const Counts& more) {
    auto row = rows.lower_bound(name);
    if (row == rows.end() || row->first != name) {
      if (rows.size() >= most_rows) {
        dropped += more.calls;
        return;
      }
      row = rows.emplace_hint(row, name, Counts{});
    }
    row->second.calls += more.calls;
    row->second.octets += more.octets;
  }
};

struct State {
  std::mutex mutex;
  std::string file;
  Sums sums;
};
State& state() {
  static State* const one =
      new State;  // never destroyed: threads may still end calls while the process exits
  return *one;
}

std::string_view word(std::string_view& line) noexcept {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view found = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return found;
}
bool number(std::string_view text, std::uint64_t& into) noexcept {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// Adds the file's rows to `sums`. False: it is not such a file, and `why` names the place.
bool add_text(std::string_view text, Sums& sums, std::string& why) {
  if (text.empty()) return true;
  if (!text.starts_with(first_line)) {
    why = "line 1: is not 'tenon-usage 1'";
    return false;
  }
  text.remove_prefix(first_line.size());
  for (unsigned at = 2; !text.empty(); ++at) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::string_view calls = word(line);
    const std::string_view octets = word(line);
    Counts read;
    if (calls == "dropped" && number(octets, read.calls)) {
      sums.dropped += read.calls;
      continue;
    }
    const bool side = line.starts_with("client ") || line.starts_with("server ");
    if (!number(calls, read.calls) || !number(octets, read.octets) || !side) {
      why = worded("line %: wants 'calls octets client|server operation repository-id'", {decimal(at)});
      return false;
    }
    sums.add(line, read);
  }
  return true;
}

/// The file, locked against other processes. If that fails, it is not good() and `why` says why.
class LockedFile {
 public:
  LockedFile(const std::string& path, std::string& why)
      : fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)),
        good_(fd_ >= 0 && ::flock(fd_, LOCK_EX) == 0) {
    if (!good_) why = std::strerror(errno);
  }
  bool good() const noexcept { return good_; }
  ~LockedFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  bool read(std::string& text, std::string& why) const {
    char piece[4096];
    for (;;) {
      // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): a file; the lock keeps other runs' figures whole
      const ssize_t got = ::read(fd_, piece, sizeof piece);
      if (got == 0) return true;
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 || text.size() > largest_file) {
        why = got < 0 ? std::strerror(errno) : "is too large for a usage file";
        return false;
      }
      text.append(piece, static_cast<std::size_t>(got));
    }
  }
  bool replace(std::string_view text, std::string& why) const {
    bool good = ::lseek(fd_, 0, SEEK_SET) == 0 && ::ftruncate(fd_, 0) == 0;
    while (good && !text.empty()) {
      const ssize_t put = ::write(fd_, text.data(), text.size());
      if (put < 0 && errno == EINTR) continue;
      good = put > 0;
      if (good) text.remove_prefix(static_cast<std::size_t>(put));
    }
    if (!good) why = std::strerror(errno);
    return good;
  }

 private:
  int fd_;
  bool good_;
};

void put(std::string& text, std::uint64_t number, char end) { text.append(decimal(number)) += end; }

std::string as_text(const Sums& sums) {
  std::string text(first_line);
  for (const auto& [name, counts] : sums.rows) {
    put(text, counts.calls, ' ');
    put(text, counts.octets, ' ');
    text.append(name) += '\n';
  }
  if (sums.dropped != 0) put(text.append("dropped "), sums.dropped, '\n');
  return text;
}

bool merge(State& all, std::string& why) {
  const LockedFile file(all.file, why);
  std::string text;
  Sums sums;
  if (!file.good() || !file.read(text, why) || !add_text(text, sums, why) ||
      !add_text(as_text(all.sums), sums, why) || !file.replace(as_text(sums), why))
    return false;
  all.sums.rows.clear();
  all.sums.dropped = 0;
  return true;
}

void write_or_warn() {
  std::string why;
  if (!write_usage(why)) log(LogLevel::warning, "usage", why);
}

void count_one_use(Side side, std::string_view interface, std::string_view operation, std::uint64_t calls,
                   std::uint64_t octets) noexcept {
  // the operations of CORBA::Object belong to no interface's stubs
  const bool attribute = operation.starts_with("_get_") || operation.starts_with("_set_");
  if (operation.starts_with('_') && !attribute) return;
  State& all = state();
  const std::lock_guard lock(all.mutex);
  if (memory::is_exhausted()) {
    all.sums.dropped += calls;
    return;
  }
  std::string name(side == Side::client ? "client " : "server ");
  name.append(operation).append(" ").append(interface);
  if (name.find('\n') == name.npos) all.sums.add(name, {calls, octets});
}

constexpr UsageCounting counting{&count_one_use, &write_or_warn};

}  // namespace

bool count_usage(const std::string& file, std::string& why) {
  State& all = state();
  {
    const std::lock_guard lock(all.mutex);
    if (all.file == file) return true;
    if (!all.file.empty()) {
      why = worded("%: this process counts usage for % already", {file, all.file});
      return false;
    }
    all.file = file;
    if (!merge(all, why)) {
      all.file.clear();
      why = worded("%: %", {file, why});
      return false;
    }
  }
  std::atexit(&write_or_warn);
  usage_counting.store(&counting, std::memory_order_release);
  watch_calls(upcalls_counted);
  return true;
}

bool write_usage(std::string& why) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  if (all.file.empty() || (all.sums.rows.empty() && all.sums.dropped == 0)) return true;
  if (merge(all, why)) return true;
  why = worded("%: usage was not written: %", {all.file, why});
  return false;
}

bool count_usage_of_environment(std::string& why) {
  const char* const file = std::getenv("TENON_USAGE");
  if (file == nullptr || *file == '\0' || usage_counted() || count_usage(file, why)) return true;
  why = "TENON_USAGE=" + why;
  return false;
}

}  // namespace tenon::gen
