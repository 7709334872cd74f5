// SPDX-License-Identifier: Apache-2.0
//
// What generated code includes besides the support header if the IDL file has a union or a bitset.
#pragma once

#include "mapping/cpp11/types/union.hpp"
