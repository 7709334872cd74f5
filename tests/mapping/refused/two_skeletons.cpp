// SPDX-License-Identifier: Apache-2.0
//
// Does not compile: one servant cannot be two objects.
#include "calculator_skel.hpp"

namespace {

class Both : public CORBA::servant_traits<Calc::Listener>::base_type,
             public CORBA::servant_traits<Calc::Calculator>::base_type {};

}  // namespace

void make() { static_cast<void>(CORBA::make_reference<Both>()); }
