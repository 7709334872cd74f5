// SPDX-License-Identifier: Apache-2.0
//
// What generated declarations of reply handlers and pollers include (tenon-idl --ami).
#pragma once

#include "tenon/messaging/pollable_set.hpp"
#include "tenon/messaging/poller.hpp"
#include "tenon/messaging/reply_handler.hpp"
