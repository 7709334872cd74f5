// SPDX-License-Identifier: Apache-2.0
#include "plugins/uiop/abandoned.hpp"

#include <dirent.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "net/address.hpp"
#include "net/descriptor.hpp"

namespace tenon::uiop {
namespace {

constexpr std::string_view own_names = "tenon-uiop-";

std::string folder_of_paths() {
  const char* const folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder == '/' ? folder : "/tmp";
}

/// Whether the name is one of ours and its process has ended.
bool has_ended(std::string_view name) noexcept {
  if (!name.starts_with(own_names)) return false;
  name.remove_prefix(own_names.size());
  pid_t process = 0;
  const char* const end = std::to_address(name.end());
  const auto [stop, code] = std::from_chars(std::to_address(name.begin()), end, process);
  if (code != std::errc() || stop == end || *stop != '-' || process <= 0) return false;
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

bool is_abandoned(const std::string& path) {
  struct stat entry{};
  if (::lstat(path.c_str(), &entry) != 0 || !S_ISSOCK(entry.st_mode) || entry.st_uid != ::geteuid())
    return false;
  std::string why;
  const auto where = net::unix_address(path, why);
  const net::Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  return where && probe && ::connect(probe.get(), where->get(), where->size()) != 0 && errno == ECONNREFUSED;
}

}  // namespace

std::string fresh_path() {
  static std::atomic<unsigned> count{0};
  std::string path = folder_of_paths();
  return path.append("/").append(own_names).append(std::to_string(::getpid())) + '-' +
         std::to_string(count.fetch_add(1));
}

void remove_abandoned_paths() noexcept {
  const std::string folder = folder_of_paths();
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), &::closedir);
  if (entries == nullptr) return;
  // readdir() of 32-bit systems ends at the first entry whose number in the file system is larger.
  while (const dirent64* const entry =
             ::readdir64(entries.get())) {  // NOLINT(concurrency-mt-unsafe): the stream is ours
    if (!has_ended(entry->d_name)) continue;
    const std::string path = folder + '/' + entry->d_name;
    if (is_abandoned(path)) ::unlink(path.c_str());
  }
}

}  // namespace tenon::uiop
