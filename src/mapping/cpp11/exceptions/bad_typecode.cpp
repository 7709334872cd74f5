// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/exceptions/define.hpp"

TENON_DEFINE_EXCEPTION(BAD_TYPECODE)
