// SPDX-License-Identifier: Apache-2.0
//
// What generated skeletons of reply handlers include (tenon-idl --ami).
#pragma once

#include "mapping/cpp11/messaging/reply_upcall.hpp"
