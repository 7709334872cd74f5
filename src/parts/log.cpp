// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include "mapping/cpp11/calls/caller_words.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void log(orb::Parts& parts) {
  use_log();
  gen::use_caller_words();
  texts(parts);  // its lines have them
}

}  // namespace tenon::parts
