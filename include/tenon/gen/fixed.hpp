// SPDX-License-Identifier: Apache-2.0
//
// What generated code includes beyond the support header where an IDL file has a fixed.
#pragma once

#include "mapping/cpp11/types/fixed.hpp"
