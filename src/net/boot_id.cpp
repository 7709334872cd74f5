// SPDX-License-Identifier: Apache-2.0
#include "net/boot_id.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string_view>

#include "net/descriptor.hpp"

namespace tenon::net {

std::string boot_id(const char* file) {
  char text[64];
  const Descriptor opened(::open(file, O_RDONLY | O_CLOEXEC));
  const ssize_t octets = opened ? ::read(opened.get(), text, sizeof text) : -1;
  if (octets <= 0) return {};
  const std::string_view whole(text, static_cast<std::size_t>(octets));
  return std::string(whole.substr(0, whole.find('\n')));
}

}  // namespace tenon::net
