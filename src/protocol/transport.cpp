// SPDX-License-Identifier: Apache-2.0
#include "protocol/transport.hpp"

#include <cerrno>

namespace tenon::protocol {

// For a caller that did not ask lends() first, of a transport that does not lend.
Transfer Transport::lend(ByteView& view, Deadline /*deadline*/) {
  view = {};
  return {Io::failed, 0, EOPNOTSUPP};
}

void Transport::release(std::size_t /*used*/) noexcept {}

}  // namespace tenon::protocol
