// SPDX-License-Identifier: Apache-2.0
//
// What an error of a cdr::Reader or cdr::Writer means when its message is a reply. They do not know which way a message goes;
// the standard's minor codes for wide text do (CORBA 3.4 part 2 §9.3.1.6, §7.10.2.6). No state.
#pragma once

#include "base/minor_codes.hpp"

namespace tenon::protocol {

inline Error in_reply(Error error) noexcept {
  const auto is = [&error](const Error& other) { return error.id == other.id && error.minor == other.minor; };
  if (is(errors::wchar_sent_in_giop_1_0)) return errors::wchar_returned_in_giop_1_0.with(error.completed);
  // A server's reference has nothing to do with it: the client has stated no code set for wide text.
  if (is(errors::wchar_not_supported)) return errors::wchar_not_in_context.with(error.completed);
  return error;
}

}  // namespace tenon::protocol
