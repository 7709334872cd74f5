// SPDX-License-Identifier: Apache-2.0
#include "tools/ior/tls_trial.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/error_text.hpp"
#include "base/hex.hpp"
#include "net/descriptor.hpp"

extern char** environ;

namespace tenon::explain {
namespace {

bool can_be_run(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

/// What the descriptor gives until its end.
std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> piece{};
  for (;;) {
    const ssize_t count = ::read(fd, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

/// Runs a program and takes what it prints, errors too. `words`: the name that it goes by, and its arguments. The status as of the
/// shell; below 0: -errno, it could not be started.
int run(const std::string& program, std::vector<std::string> words, std::string& printed) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& each : words) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return -errno;
  const net::Descriptor reads(ends[0]);
  net::Descriptor writes(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, writes.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, writes.get(), STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return -error;
  writes.reset();
  printed = read_all(reads.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string find_tenon_cert() {
  std::error_code ignored;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::string beside = (own.parent_path() / "tenon-cert").string();
  if (!ignored && can_be_run(beside)) return beside;
  const char* const path = std::getenv("PATH");
  const std::string folders = path != nullptr ? path : "";
  for (std::size_t at = 0; at < folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string found = folders.substr(at, end - at) + "/tenon-cert";
    if (found.front() == '/' && can_be_run(found)) return found;
    at = end + 1;
  }
  return "";
}

TlsTried try_tls(const std::string& program, const TlsPlace& place, const std::vector<std::string>& options,
                 double timeout_s) {
  std::vector<std::string> words{"tenon-ior",
                                 "try",
                                 place.host.text(),
                                 "--timeout",
                                 std::to_string(timeout_s),
                                 "--giop",
                                 std::to_string(std::min<unsigned>(place.minor, 2))};
  if (!place.key.empty()) words.insert(words.end(), {"--object-key", to_hex(place.key)});
  for (const std::string& each : options) words.insert(words.end(), {"-ORBProtocolOption", each});
  TlsTried tried;
  const int status = run(program, std::move(words), tried.said);
  tried.reached = status == 0;
  tried.refused = status == 2;
  if (status < 0)
    tried.said = "TLS at " + printable(place.host.text()) + ": not tried, " + program +
                 " cannot be run: " + os_error_text(-status) + "\n";
  return tried;
}

}  // namespace tenon::explain
