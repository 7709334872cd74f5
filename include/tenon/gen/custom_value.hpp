// SPDX-License-Identifier: Apache-2.0
//
// Streams of custom value types, for generated code where an IDL file has them.
#pragma once

#include "mapping/cpp11/values/custom_value.hpp"
