// SPDX-License-Identifier: Apache-2.0
//
// An endpoint as an ORB tells it ("iiop://127.0.0.1:1234", "uiop:///path", "shmiop://@name") as an address of the system. Loopback only.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace tenon::faults {

inline bool is_path(const std::string& endpoint) {
  return endpoint.starts_with("uiop") || endpoint.starts_with("shmiop");
}

struct Place {
  sockaddr_storage address{};
  socklen_t size = 0;

  /// Without a port: any.
  explicit Place(const std::string& endpoint) {
    const std::string where = endpoint.substr(endpoint.find("://") + 3);
    if (is_path(endpoint)) {
      auto& local = reinterpret_cast<sockaddr_un&>(address);
      local.sun_family = AF_UNIX;
      std::strncpy(local.sun_path, where.c_str(), sizeof local.sun_path - 1);
      size = sizeof(sockaddr_un);
      if (where.starts_with('@')) {
        local.sun_path[0] = '\0';
        size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + where.size());
      }
    } else {
      auto& internet = reinterpret_cast<sockaddr_in&>(address);
      internet.sin_family = AF_INET;
      internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      const std::size_t colon = where.rfind(':');
      const unsigned long port = colon == std::string::npos ? 0 : std::stoul(where.substr(colon + 1));
      internet.sin_port = htons(static_cast<std::uint16_t>(port));
      size = sizeof(sockaddr_in);
    }
  }
  const sockaddr* to() const noexcept { return reinterpret_cast<const sockaddr*>(&address); }
  int new_socket() const noexcept { return ::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0); }
};

}  // namespace tenon::faults
