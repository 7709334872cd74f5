// SPDX-License-Identifier: Apache-2.0
//
// What generated declarations of reply handlers and pollers include (tenon-idl --ami).
#pragma once

#include "mapping/cpp11/pollable_set.hpp"
#include "mapping/cpp11/poller.hpp"
#include "mapping/cpp11/reply_handler.hpp"
