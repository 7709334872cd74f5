// SPDX-License-Identifier: Apache-2.0
//
// What stands for dynamic_servant.cpp and dynamic_checks.cpp in a build without the typed wing: no object, no checks.

#include "tests/interop/tenon/checks.hpp"
#include "tests/interop/tenon/dynamic_servant.hpp"

CORBA::object_reference<CORBA::Object> make_dynamic() { return nullptr; }

void checks::dynamic_checks(const EchoRef&, const program::Options&) {}
