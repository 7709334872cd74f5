// SPDX-License-Identifier: Apache-2.0
//
// What a thread is doing for the adapter: a stack of upcalls, the innermost first (PortableServer::Current, CORBA 3.4 part 1
// §15.3.10). The frames live on the stack of the thread that serves; no other thread sees them.
#pragma once

#include "base/bytes.hpp"
#include "poa/servant.hpp"

namespace tenon::poa {

class Poa;
struct Slot;

struct Frame {
  Poa* poa;
  Slot* slot;        ///< the one that the upcall is counted in; null outside upcalls
  Servant* servant;  ///< null: a servant manager or adapter activator runs
  ByteView id;       ///< of the object, in the request's key
  Frame* outer;
};

inline constinit thread_local Frame* current_frame = nullptr;

}  // namespace tenon::poa
