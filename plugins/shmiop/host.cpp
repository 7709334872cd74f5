// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/host.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>

#include "base/joined.hpp"
#include "net/descriptor.hpp"

namespace tenon::shmiop {

std::string place_from(const char* boot_id_file, const char* namespace_file, unsigned user) {
  char text[64];
  const net::Descriptor file(::open(boot_id_file, O_RDONLY | O_CLOEXEC));
  const ssize_t octets = file ? ::read(file.get(), text, sizeof text) : -1;
  struct stat space{};
  if (octets <= 0 || ::stat(namespace_file, &space) != 0) return {};
  std::string_view boot_id(text, static_cast<std::size_t>(octets));
  boot_id = boot_id.substr(0, boot_id.find('\n'));
  if (boot_id.empty()) return {};
  return worded("%/%:%/%", {boot_id, decimal_unsigned(space.st_dev), decimal_unsigned(space.st_ino),
                            decimal_unsigned(user)});
}

// It stays the same while the process runs, unless that changes its user or namespace; then connections are refused, and references
// lead to the next profile.
const std::string& this_place() {
  static const std::string place =
      place_from("/proc/sys/kernel/random/boot_id", "/proc/self/ns/net", ::geteuid());
  return place;
}

}  // namespace tenon::shmiop
