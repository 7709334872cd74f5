// SPDX-License-Identifier: Apache-2.0
//
// Which protocols calls use, and references lead over: policies per ORB, thread, object and POA (docs/protocols.md).
#pragma once

#include <tenon/language.hpp>

#include "tenon/corba/protocol_policies.hpp"
