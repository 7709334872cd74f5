// SPDX-License-Identifier: Apache-2.0
//
// What generated code includes besides the support header if the IDL file has a fixed.
#pragma once

#include "tenon/corba/fixed.hpp"
