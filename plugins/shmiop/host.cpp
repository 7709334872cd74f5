// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/host.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "base/joined.hpp"
#include "net/boot_id.hpp"

namespace tenon::shmiop {

std::string place_from(const char* boot_id_file, const char* namespace_file, unsigned user) {
  const std::string boot_id = net::boot_id(boot_id_file);
  struct stat space{};
  if (boot_id.empty() || ::stat(namespace_file, &space) != 0) return {};
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
