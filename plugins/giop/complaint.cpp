// SPDX-License-Identifier: Apache-2.0
//
// What a peer has sent that is not allowed, in words.
#include "base/joined.hpp"
#include "connection.hpp"
#include "giop.hpp"
#include "giop/message_text.hpp"

namespace tenon::giop {

namespace {

std::string complain(const Error& why, const Receiver& receiver) {
  std::string beginning;
  std::string_view more;
  if (receiver.fault() == HeaderFault::too_large) {
    more = " (-ORBMaxMessageSize, -ORBMemory)";
  } else if (!receiver.refused().empty()) {
    more = ": it begins with ";
    beginning = start_in_words(receiver.refused());
  }
  return joined({describe(why), more, beginning});
}

}  // namespace

void enable_complaints() noexcept { complaints.store(complain); }

}  // namespace tenon::giop
