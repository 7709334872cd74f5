// SPDX-License-Identifier: Apache-2.0
//
// The operations that every object has (CORBA 3.4 part 2 §9.4.2.2), by their names on the wire. Each mapping answers them itself. No
// state.
#pragma once

#include <cstdint>
#include <string_view>

namespace tenon::poa {

enum class BuiltIn : std::int8_t {
  none = -1,
  is_a,
  non_existent,
  not_existent,  ///< of GIOP 1.0
  repository_id,
  component,
  interface,
  domain_managers,
};

/// Whether it may be one of them. Attributes too begin with an underscore on the wire.
inline bool may_be_built_in(std::string_view operation) noexcept {
  return operation.starts_with('_') && !operation.starts_with("_get_") && !operation.starts_with("_set_");
}

/// Which one it is.
BuiltIn built_in(std::string_view operation) noexcept;

/// Whether the repository id is in such a list as Implemented::ids.
bool is_one_of(std::string_view repository_id, const char* ids) noexcept;

}  // namespace tenon::poa
