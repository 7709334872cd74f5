// SPDX-License-Identifier: Apache-2.0
#include "tenon/peer.hpp"

#include "base/minor_codes.hpp"
#include "orb/server/serving.hpp"
#include "tenon/corba/exception.hpp"

namespace tenon {

Identity peer() {
  const orb::UpcallScope* const upcall = orb::UpcallScope::innermost();
  if (upcall == nullptr) gen::raise(errors::no_upcall_here);
  Identity who;
  static_cast<void>(upcall->call().identify_caller(who));
  return who;
}

}  // namespace tenon
