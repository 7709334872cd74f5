// SPDX-License-Identifier: Apache-2.0
//
// What every file of generated code includes. Rarer parts have a header each beside this one, because every file of a program that
// includes generated code pays for what is here (docs/decisions/0032).
#pragma once

#include "mapping/cpp11/any_fwd.hpp"
#include "mapping/cpp11/call.hpp"
#include "mapping/cpp11/codec.hpp"
#include "mapping/cpp11/exception.hpp"
#include "mapping/cpp11/object.hpp"
#include "mapping/cpp11/object_reference.hpp"
#include "mapping/cpp11/sequences.hpp"
#include "mapping/cpp11/traits.hpp"
#include "mapping/cpp11/value.hpp"
#include "mapping/cpp11/value_factory.hpp"
