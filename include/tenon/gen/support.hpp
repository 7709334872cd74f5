// SPDX-License-Identifier: Apache-2.0
//
// All that generated stubs and skeletons may include.
#pragma once

#include "mapping/cpp11/any_fwd.hpp"
#include "mapping/cpp11/call.hpp"
#include "mapping/cpp11/codec.hpp"
#include "mapping/cpp11/exception.hpp"
#include "mapping/cpp11/fixed.hpp"
#include "mapping/cpp11/kept.hpp"
#include "mapping/cpp11/object.hpp"
#include "mapping/cpp11/object_reference.hpp"
#include "mapping/cpp11/operation_tables.hpp"
#include "mapping/cpp11/sequences.hpp"
#include "mapping/cpp11/skeleton.hpp"
#include "mapping/cpp11/traits.hpp"
#include "mapping/cpp11/union.hpp"
#include "mapping/cpp11/value.hpp"
#include "mapping/cpp11/value_factory.hpp"
