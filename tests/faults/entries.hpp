// SPDX-License-Identifier: Apache-2.0
//
// How many entries a directory has, such as /proc/self/fd and /proc/self/task: what a process holds. 0: it cannot be read.
#pragma once

#include <dirent.h>

#include <cstdint>

namespace tenon::faults {

inline std::uint32_t entries_of(const char* path) {
  std::uint32_t count = 0;
  DIR* directory = ::opendir(path);
  if (directory == nullptr) return 0;
  while (const dirent* entry = ::readdir(directory)) count += entry->d_name[0] != '.' ? 1 : 0;
  ::closedir(directory);
  return count;
}

}  // namespace tenon::faults
