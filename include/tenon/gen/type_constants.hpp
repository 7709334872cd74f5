// SPDX-License-Identifier: Apache-2.0
//
// What a generated foo_any.cpp includes that has nothing but TypeCodes.
#pragma once

#include "dynamic/any/type_constants.hpp"
