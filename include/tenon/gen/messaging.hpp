// SPDX-License-Identifier: Apache-2.0
//
// What generated declarations of reply handlers and pollers include (tenon-idl --ami).
#pragma once

#include "mapping/cpp11/messaging/pollable_set.hpp"
#include "mapping/cpp11/messaging/poller.hpp"
#include "mapping/cpp11/messaging/reply_handler.hpp"
