// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/custom_value.hpp"

#include "base/minor_codes.hpp"

namespace CORBA {
inline namespace cpp11 {

void DataOutputStream::check_range(std::size_t size, std::uint32_t offset, std::uint32_t length) {
  if (size < std::size_t{offset} + length) tenon::gen::raise(tenon::errors::bad_stream_range);
}

void DataInputStream::check_ahead(std::uint32_t length) {
  if (length > in_.ahead()) in_.fail(tenon::errors::length_beyond_data);
  check();
}

void CustomMarshal::_put_state(tenon::cdr::Writer& out) const {
  // What the class hands to the stream need not live until the message is sent.
  const tenon::cdr::LendingScope copies(out, tenon::cdr::Writer::never);
  const_cast<CustomMarshal*>(this)->marshal(make_reference<DataOutputStream>(out));
}

void CustomMarshal::_get_state(tenon::cdr::Reader& in) { unmarshal(make_reference<DataInputStream>(in)); }

}  // namespace cpp11
}  // namespace CORBA
