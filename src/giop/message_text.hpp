// SPDX-License-Identifier: Apache-2.0
//
// A GIOP message in words, for logs. Never fails: the text says what cannot be read. No state; not for hot paths.
#pragma once

#include <string>

#include "base/bytes.hpp"

namespace tenon::giop {

/// "GIOP 1.2 Request 82, 'add' of object 4 octets, 'Calc', reply wanted, 56 octets, little-endian". `message` is
/// the whole message or its beginning.
std::string message_in_words(ByteView message);

/// The beginning of octets that are no GIOP message, so that a person can find out what they are: "'HTTP/1.1 400 Bad
/// Request\x0d\x0a'", "1503030002 (TLS)".
std::string start_in_words(ByteView octets);

}  // namespace tenon::giop
