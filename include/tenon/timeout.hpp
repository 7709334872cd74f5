// SPDX-License-Identifier: Apache-2.0
//
// Time-outs of calls: tenon::set_timeout(object, 200ms) for one reference, tenon::TimeoutScope for the calls that a thread makes while the
// scope lives. Those of the ORB are options (-ORBCallTimeout, -ORBConnectTimeout, -ORBSendTimeout).
#pragma once

#include <tenon/language.hpp>

#include "mapping/cpp11/corba/timeout.hpp"
