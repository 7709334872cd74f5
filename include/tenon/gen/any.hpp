// SPDX-License-Identifier: Apache-2.0
//
// Any and TypeCode for generated code and for programs that name them. Generated foo.hpp includes it only where the IDL file says
// `any` or CORBA::TypeCode; foo_any.hpp always does. A program that includes it links tenon::any.
#pragma once

#include <tenon/language.hpp>

#include "dynamic/any/any_types.hpp"
#include "tenon/dynamic/any.hpp"
#include "tenon/dynamic/standard_types.hpp"
#include "tenon/dynamic/typecode.hpp"
#include "tenon/dynamic/typecode_members.hpp"
