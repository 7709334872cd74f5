// SPDX-License-Identifier: Apache-2.0
//
// What every file of generated code includes. Rarer parts have a header each beside this one, because every file of a program that
// includes generated code pays for what is here (docs/decisions/0032).
#pragma once

#include <tenon/language.hpp>

#include "mapping/cpp11/calls/call.hpp"
#include "mapping/cpp11/types/any_fwd.hpp"
#include "mapping/cpp11/types/codec.hpp"
#include "mapping/cpp11/types/sequences.hpp"
#include "mapping/cpp11/types/traits.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/corba/object.hpp"
#include "tenon/corba/object_reference.hpp"
#include "tenon/corba/value.hpp"
#include "tenon/corba/value_factory.hpp"
