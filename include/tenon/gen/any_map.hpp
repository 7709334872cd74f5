// SPDX-License-Identifier: Apache-2.0
//
// Maps in an Any: what a generated foo_any.hpp includes where its IDL file has a map.
#pragma once

#include "dynamic/any/any_map.hpp"
