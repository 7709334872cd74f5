// SPDX-License-Identifier: Apache-2.0
#include "plugins/stream/bulk_transport.hpp"

#include <unistd.h>

namespace tenon::stream {

bool BulkTransport::pays() noexcept {
  // Not those that this process may use: the peer may have another one for itself.
  static const bool two = ::sysconf(_SC_NPROCESSORS_ONLN) >= 2;
  return two;
}

protocol::Transfer BulkTransport::receive(MutableBytes into, Deadline deadline) {
  if (into.size() <= small) [[likely]]
    return StreamTransport::receive(into, deadline);
  return receive_bulk(into, deadline);
}

protocol::Transfer BulkTransport::receive_bulk(MutableBytes into, Deadline deadline) {
  protocol::Transfer got;
  const auto look = [&] {
    got = StreamTransport::receive(into, Deadline::immediately());
    return got.result != protocol::Io::timed_out;
  };
  const bool soon = into.size() > read_ahead || came_last_ >= large;
  if (!soon || deadline.is_immediate() || !spin_.until(look, deadline))
    got = StreamTransport::receive(into, deadline);
  came_last_ = got.bytes;
  return got;
}

}  // namespace tenon::stream
