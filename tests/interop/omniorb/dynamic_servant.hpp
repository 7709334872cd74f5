// SPDX-License-Identifier: Apache-2.0
//
// omniORB's servant of dynamic.idl.
#pragma once

#include "dynamic.hh"

namespace peer {

// The caller activates it and drops its reference.
POA_InteropDynamic::Dynamic* new_dynamic_servant();

}  // namespace peer
