// SPDX-License-Identifier: Apache-2.0
//
// What the text of an endpoint inside this process says. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::inproc {

struct Endpoint {
  /// Connections that wait to be accepted at most, unless the text says how many: about as many as the system lets wait at a
  /// socket.
  static constexpr int usual_backlog = 4096;

  std::string name;  ///< empty: one that is new each time
  int backlog = usual_backlog;
};

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why);

}  // namespace tenon::inproc
