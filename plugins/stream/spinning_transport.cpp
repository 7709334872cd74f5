// SPDX-License-Identifier: Apache-2.0
#include "plugins/stream/spinning_transport.hpp"

#include "plugins/stream/bulk_transport.hpp"

namespace tenon::stream {

protocol::Transfer SpinningTransport::receive(MutableBytes into, Deadline deadline) {
  protocol::Transfer got{protocol::Io::timed_out, 0, 0};
  const auto look = [&] {
    got = StreamTransport::receive(into, Deadline::immediately());
    return got.result != protocol::Io::timed_out;
  };
  if (!deadline.is_immediate() && spin_.until(look, deadline)) return got;
  return StreamTransport::receive(into, deadline);
}

std::unique_ptr<protocol::Transport> make_stream_transport(net::Descriptor&& socket, std::string peer,
                                                           std::optional<std::uint32_t> spin_us) {
  if (spin_us) return std::make_unique<SpinningTransport>(std::move(socket), std::move(peer), *spin_us);
  if (bulk_spin && BulkTransport::pays())
    return std::make_unique<BulkTransport>(std::move(socket), std::move(peer));
  return std::make_unique<StreamTransport>(std::move(socket), std::move(peer));
}

}  // namespace tenon::stream
