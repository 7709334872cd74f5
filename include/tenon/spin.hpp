// SPDX-License-Identifier: Apache-2.0
//
// Waiting without sleep: tenon::SpinScope, for ORBs with the option -ORBSpin. It pays if client and server run on processors of their
// own and replies come within tens of microseconds.
#pragma once

#include <tenon/language.hpp>

#include "mapping/cpp11/corba/spin.hpp"
