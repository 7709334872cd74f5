// SPDX-License-Identifier: Apache-2.0
//
// Which calls have to be protected, and who has to prove who they are: policies per ORB, thread, object and POA (docs/security.md).
#pragma once

#include <tenon/language.hpp>

#include "tenon/corba/security_policies.hpp"
