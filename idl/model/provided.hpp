// SPDX-License-Identifier: Apache-2.0
//
// Which declarations of the standard modules the ORB's own headers have, so that no back end emits them a second time.
//
// The list is by scoped name, not by module: a user's `module CORBA { interface Repository ...}` (the
// interface repository) is not in our headers and is emitted like everything else.
#pragma once

#include <string_view>
#include <vector>

namespace tenon::idl::model {

// `scoped_name` as in Decl ("::CORBA::OctetSeq"). Declarations inside a provided one are provided too.
bool provided_by_orb(std::string_view scoped_name);
// True for an interface that no other one can inherit in C++.
bool is_final_in_orb(std::string_view scoped_name);
// True for a value type that only the ORB has values of, so that no other one can inherit it.
bool is_orb_value(std::string_view scoped_name);
// True for a value type that is a local object in C++: it stays with its ORB, and can be had where local interfaces can.
bool is_object_in_orb(std::string_view scoped_name);

const std::vector<std::string_view>& provided_names();  // sorted

}  // namespace tenon::idl::model
