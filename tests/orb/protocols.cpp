// SPDX-License-Identifier: Apache-2.0
//
// The protocols of these programs: those of the library, and one more. The rest of world.hpp knows none of them, so that a program with
// other protocols can use it (tests/conformance/pair_suite.hpp).
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "net/host_names.hpp"
#include "tests/conformance/torture/torture.hpp"
#include "tests/orb/more_protocols.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {
std::shared_ptr<net::NameSource> names_to_use;  // null: the system's
std::atomic<int> paths{0};
void (*adds_more)(orb::Protocols& protocols) = nullptr;

/// Where the sockets of a program and its children are. A child that is killed leaves them; they go with the program.
class SocketFolder {
 public:
  SocketFolder() {
    if (const char* const of_parent = std::getenv(variable)) {
      path_ = of_parent;
      return;
    }
    path_ = ::testing::TempDir() + "tenon-suite-XXXXXX";
    EXPECT_NE(::mkdtemp(path_.data()), nullptr);
    ::setenv(variable, path_.c_str(), 1);
    owner_ = ::getpid();
  }
  ~SocketFolder() {
    std::error_code ignored;
    if (owner_ == ::getpid()) std::filesystem::remove_all(path_, ignored);
  }
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  static constexpr const char* variable = "TENON_SUITE_SOCKETS";
  std::string path_;
  pid_t owner_ = 0;
};

const std::string& socket_folder() {
  static const SocketFolder folder;
  return folder.path();
}
}  // namespace

void use_names(std::shared_ptr<net::NameSource> names) { names_to_use = std::move(names); }

void use_more_protocols(void (*add)(orb::Protocols& protocols)) { adds_more = add; }

orb::Protocols protocols_to_use() {
  const auto messaging = giop::make_messaging();
  orb::Protocols protocols;
  protocols.push_back({iiop::make_plugin(names_to_use ? names_to_use : net::system_names()), messaging});
  protocols.push_back({uiop::make_plugin(), messaging});
  protocols.push_back({shmiop::make_plugin(), messaging});
  protocols.push_back({inproc::make_plugin(), messaging});
  auto torture = torture::make_plugin();
  torture->set_settings({.most_read = 700, .most_written = 900, .seed = 7, .lends = true});
  protocols.push_back({std::move(torture), messaging});
  if (adds_more != nullptr) adds_more(protocols);
  return protocols;
}

std::string endpoint_of(const std::string& protocol) {
  if (protocol == "uiop") {
    return "uiop://" + socket_folder() + "/" + std::to_string(::getpid()) + "-" +
           std::to_string(paths.fetch_add(1));
  }
  if (protocol == "torture" || protocol == "shmiop" || protocol == "inproc") return protocol + "://";
  return protocol == "ssliop" ? "ssliop://127.0.0.1" : "iiop://127.0.0.1";
}

}  // namespace tenon::suite
