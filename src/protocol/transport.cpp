// SPDX-License-Identifier: Apache-2.0
#include "protocol/transport.hpp"

#include <cerrno>

namespace tenon::protocol {

// What a transport that lends nothing says to a caller that did not ask lends() first.
Transfer Transport::lend(ByteView& view, Deadline /*deadline*/) {
  view = {};
  return {Io::failed, 0, EOPNOTSUPP};
}

void Transport::release(std::size_t /*used*/) noexcept {}

}  // namespace tenon::protocol
