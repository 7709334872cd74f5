// SPDX-License-Identifier: Apache-2.0
//
// What table-driven stubs and skeletons need beyond the support header (tenon-idl --stubs=interpreted). A program that includes it
// links tenon::interpreted.
#pragma once

#include <cstddef>

#include "interpreted/interpreted.hpp"
