// SPDX-License-Identifier: Apache-2.0
//
// What generated code includes besides the support header if the IDL file has @tenon::view.
#pragma once

#include "mapping/cpp11/types/view.hpp"
