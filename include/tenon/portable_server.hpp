// SPDX-License-Identifier: Apache-2.0
//
// PortableServer: POAs and their managers, policies, servants, Current. For programs that have more than one POA or want to
// choose policies; tenon.hpp is enough for the others.
#pragma once

#include <tenon/language.hpp>

#include "mapping/cpp11/calls/skeleton.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/corba/tie.hpp"
#include "tenon/portable_server/poa.hpp"
#include "tenon/portable_server/poa_policies.hpp"
