// SPDX-License-Identifier: Apache-2.0
//
// For the author of a protocol: a transport (how octets travel) or a messaging (what they say). docs/writing-a-protocol.md makes one step
// by step. A program names it in its start-up (tenon/protocols.hpp), or loads it as a shared object (-ORBProtocolLibrary).
#pragma once

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "ior/ior.hpp"
#include "orb/protocol_library.hpp"
#include "plugins/giop/giop.hpp"
#include "protocol/messaging.hpp"
#include "protocol/transport.hpp"
