// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/caller_words.hpp"

#include "base/hex.hpp"
#include "protocol/identity.hpp"

namespace tenon::gen {

std::string caller_words(const protocol::IncomingCall& call) {
  protocol::Identity who;
  if (!call.identify_caller(who)) return "";
  return ", called by " + printable(who.text());  // a certificate's owner has chosen the names in it
}

void use_caller_words() noexcept {}

}  // namespace tenon::gen
