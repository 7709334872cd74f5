// SPDX-License-Identifier: Apache-2.0
//
// The scope of a thread that makes an upcall: Current and in_upcall() look at it. Private to the adapters.
#pragma once

#include "poa/current.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::poa {

/// One upcall: visible to Current, and counted in its slot until the end of the scope.
struct RootAdapter::Running {
  Running(RootAdapter& adapter, Slot& slot, ByteView id) noexcept
      : root(adapter), frame{slot.poa, &slot, slot.servant, id, current_frame} {
    current_frame = &frame;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    current_frame = frame.outer;
    root.unpin(*frame.slot);
  }

  RootAdapter& root;
  Frame frame;
};

}  // namespace tenon::poa
