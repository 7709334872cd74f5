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

}  // namespace tenon::giop
