// SPDX-License-Identifier: Apache-2.0
//
// Policies of calls: time-outs and how far oneways go, per ORB, thread and object; arguments lent to asynchronous calls (docs/messaging.md).
#pragma once

#include <tenon/language.hpp>

#include "tenon/corba/call_policies.hpp"
#include "tenon/messaging/lent.hpp"
