// SPDX-License-Identifier: Apache-2.0
//
// libtenon-ssliop.so, for -ORBProtocolLibrary.
#include "orb/protocol_library.hpp"

#include "plugins/giop/giop.hpp"
#include "plugins/ssliop/ssliop.hpp"

namespace tenon::ssliop {
namespace {

void add(orb::Protocols& protocols) { protocols.push_back({make_plugin(), giop::make_messaging()}); }

}  // namespace
}  // namespace tenon::ssliop

TENON_PROTOCOL_LIBRARY(tenon::ssliop::add)
