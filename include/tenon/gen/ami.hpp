// SPDX-License-Identifier: Apache-2.0
//
// What generated definitions of sendc_ and sendp_ operations include (tenon-idl --ami).
#pragma once

#include "mapping/cpp11/messaging/ami_call.hpp"
