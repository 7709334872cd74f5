// SPDX-License-Identifier: Apache-2.0
//
// PortableServer: POAs and their managers, policies, servants, Current. For programs that have more than one POA or want to
// choose policies; tenon.hpp is enough for the others.
#pragma once

#include <tenon/language.hpp>

#include "mapping/cpp11/calls/skeleton.hpp"
#include "mapping/cpp11/calls/tie.hpp"
#include "mapping/cpp11/corba/orb.hpp"
#include "mapping/cpp11/portable_server/poa.hpp"
#include "mapping/cpp11/portable_server/poa_policies.hpp"
