// SPDX-License-Identifier: Apache-2.0
#include "idl/driver/standard_idl.hpp"

#include <filesystem>
#include <system_error>

namespace tenon::idl {

std::string standard_idl_directory() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path beside = program.parent_path();
  for (const fs::path& candidate : {beside / "standard", beside.parent_path() / "share" / "tenon" / "idl"}) {
    if (fs::exists(candidate / "orb.idl", error)) return candidate.string();
  }
  return {};
}

}  // namespace tenon::idl
