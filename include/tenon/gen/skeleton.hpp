// SPDX-License-Identifier: Apache-2.0
//
// What generated skeletons include besides the support header: foo_skel.hpp does, foo.hpp does not.
#pragma once

#include <tenon/gen/support.hpp>

#include "mapping/cpp11/calls/kept.hpp"
#include "mapping/cpp11/calls/operation_tables.hpp"
#include "mapping/cpp11/calls/skeleton.hpp"
