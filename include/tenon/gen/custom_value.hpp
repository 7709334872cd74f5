// SPDX-License-Identifier: Apache-2.0
//
// Streams of custom value types, for generated code of IDL files that have such types.
#pragma once

#include "tenon/corba/custom_value.hpp"
