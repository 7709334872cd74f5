// SPDX-License-Identifier: Apache-2.0
//
// Time-outs of calls: tenon::set_timeout(object, 200ms) for one reference, tenon::TimeoutScope for what a thread does meanwhile. The
// ORB's own are options (-ORBCallTimeout, -ORBConnectTimeout, -ORBSendTimeout).
#pragma once

#include "mapping/cpp11/corba/timeout.hpp"
