// SPDX-License-Identifier: Apache-2.0
//
// The short messages that steer a connection: CancelRequest (CORBA 3.4 part 2 §9.4.4), CloseConnection (§9.4.7) and MessageError
// (§9.4.8). The last two are only a header. All are made in arrays, so that a connection can send them when memory is short.
#pragma once

#include <array>

#include "giop/header.hpp"

namespace tenon::giop {

using HeaderOnly = std::array<std::uint8_t, header_size>;
using CancelRequest = std::array<std::uint8_t, header_size + 4>;

/// `minor`: the highest that was used on the connection (§9.5.1).
HeaderOnly close_connection(std::uint8_t minor, ByteOrder order = native_order) noexcept;
/// `minor`: the highest that we support, when it answers a version above ours (§9.4.1).
HeaderOnly message_error(std::uint8_t minor = highest_minor, ByteOrder order = native_order) noexcept;
CancelRequest cancel_request(std::uint32_t request_id, std::uint8_t minor,
                             ByteOrder order = native_order) noexcept;

/// The id of the request that is to be cancelled. `body`: what follows the header.
Result<std::uint32_t> read_cancel_request(const CheckedHeader& header, ByteView body) noexcept;

}  // namespace tenon::giop
