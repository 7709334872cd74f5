// SPDX-License-Identifier: Apache-2.0
// CancelRequest, CloseConnection, MessageError. See control.hpp.
#include "giop/control.hpp"

#include "base/minor_codes.hpp"

namespace tenon::giop {

namespace {

HeaderOnly header_only(MessageType type, std::uint8_t minor, ByteOrder order) noexcept {
  HeaderOnly octets;
  write_header(octets.data(), {minor, order, false, type, 0});
  return octets;
}

}  // namespace

HeaderOnly close_connection(std::uint8_t minor, ByteOrder order) noexcept {
  return header_only(MessageType::close_connection, minor, order);
}

HeaderOnly message_error(std::uint8_t minor, ByteOrder order) noexcept {
  return header_only(MessageType::message_error, minor, order);
}

CancelRequest cancel_request(std::uint32_t request_id, std::uint8_t minor, ByteOrder order) noexcept {
  CancelRequest octets;
  write_header(octets.data(), {minor, order, false, MessageType::cancel_request, 4});
  store(octets.data() + header_size, request_id, order != native_order);
  return octets;
}

Result<std::uint32_t> read_cancel_request(const CheckedHeader& header, ByteView body) noexcept {
  if (body.size() < 4) return errors::out_of_data;
  return load<std::uint32_t>(body.data(), header->order != native_order);
}

}  // namespace tenon::giop
