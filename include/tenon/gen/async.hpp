// SPDX-License-Identifier: Apache-2.0
//
// What generated asynchronous calls include (tenon-idl --ami).
#pragma once

#include "tenon/messaging/async.hpp"
