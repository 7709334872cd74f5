// SPDX-License-Identifier: Apache-2.0
//
// What generated asynchronous calls include (tenon-idl --ami).
#pragma once

#include "mapping/cpp11/messaging/async.hpp"
