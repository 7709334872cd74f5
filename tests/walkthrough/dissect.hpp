// SPDX-License-Identifier: Apache-2.0
//
// Takes a GIOP 1.2 message apart for people: which octets mean what. Reads primitives one by one, independently of src/giop's
// readers of headers; knows the two messages of Walk::Calc::add and no others.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace tenon::walk {

struct Field {
  std::size_t offset;
  std::size_t size;
  std::string meaning;
};

/// Every octet is in one field, in order. Empty when the message is not what it should be.
std::vector<Field> dissect_request(ByteView message);
std::vector<Field> dissect_reply(ByteView message);

/// One line per 8 octets of a field: offset, octets, printable characters, meaning.
std::string annotated(ByteView message, const std::vector<Field>& fields);

}  // namespace tenon::walk
