// SPDX-License-Identifier: Apache-2.0
//
// Where shared objects with protocols are looked for. What is refused of their contents is in tests/install/protocol/try.sh.
#include "orb/protocol_library.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "base/absent_test_support.hpp"

namespace tenon::orb {
namespace {

std::string refusal_of(const std::string& file) {
  Protocols into;
  std::string why;
  EXPECT_FALSE(load_protocols(file, into, why));
  return why;
}

TEST(ProtocolLibraries, AMissingOneIsToldWithThePlaces) {
  const std::string why = refusal_of("libtenon-no-such.so");
  EXPECT_NE(why.find("libtenon-no-such.so: cannot open"), std::string::npos) << why;
  EXPECT_NE(why.find("/tenon; a file of the current folder is ./libtenon-no-such.so"), std::string::npos)
      << why;
  EXPECT_EQ(refusal_of("./libtenon-no-such.so").find("looked for"), std::string::npos);
}

TEST(ProtocolLibraries, ABareNameIsLookedForAmongTenonsPlugIns) {
  if (emulated()) GTEST_SKIP() << "an emulator shows the target's libraries under other names";
  // Beside the library, which here is in the program.
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "tenon";
  const std::string name = "libtenon-test-" + std::to_string(::getpid()) + ".so";
  Dl_info other{};
  ASSERT_NE(::dladdr(reinterpret_cast<void*>(static_cast<double (*)(double)>(&std::cos)), &other), 0);
  std::filesystem::create_directory(folder);
  std::filesystem::create_symlink(std::filesystem::canonical(other.dli_fname), folder / name);
  EXPECT_EQ(refusal_of(name),
            "protocol library " + name +
                ": has no tenon_protocol_library, which TENON_PROTOCOL_LIBRARY() would define");
  std::filesystem::remove(folder / name);
  std::error_code in_use;
  std::filesystem::remove(folder, in_use);
}

}  // namespace
}  // namespace tenon::orb
