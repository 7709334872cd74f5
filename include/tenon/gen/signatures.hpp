// SPDX-License-Identifier: Apache-2.0
//
// What a generated foo_any.hpp of tenon-idl --signatures includes: how interceptors are shown the values of stubs and skeletons.
#pragma once

#include "tenon/interceptors/operation_signature.hpp"
