// SPDX-License-Identifier: Apache-2.0
//
// PortableServer: POAs and their managers, policies, servants, Current. For programs that have more than one POA or want to
// choose policies; the others do with tenon.hpp.
#pragma once

#include "mapping/cpp11/orb.hpp"
#include "mapping/cpp11/poa.hpp"
#include "mapping/cpp11/poa_policies.hpp"
#include "mapping/cpp11/skeleton.hpp"
#include "mapping/cpp11/tie.hpp"
