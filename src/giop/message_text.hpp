// SPDX-License-Identifier: Apache-2.0
//
// A GIOP message in words, for logs. Never fails: what cannot be read is said to be so. No state; not for hot paths.
#pragma once

#include <string>

#include "base/bytes.hpp"

namespace tenon::giop {

/// "GIOP 1.2 Request 82, 'add' of object 4 octets, 'Calc', reply wanted, 56 octets, little-endian". `message` is
/// the whole message or its beginning.
std::string message_in_words(ByteView message);

/// The beginning of something that is no GIOP message, so that a reader can find out what it is: "'HTTP/1.1 400 Bad Request\x0d\x0a'",
/// "1503030002 (TLS)".
std::string start_in_words(ByteView octets);

}  // namespace tenon::giop
