// SPDX-License-Identifier: Apache-2.0
#include "poa/built_in.hpp"

namespace tenon::poa {
namespace {

/// In the order of BuiltIn.
constexpr char names[] =
    "_is_a\0_non_existent\0_not_existent\0_repository_id\0_component\0_interface\0_domain_managers\0";

/// The place of a text in such a list as Implemented::ids; -1 for one that is not there.
int place_among(std::string_view text, const char* list) noexcept {
  int place = 0;
  for (std::string_view each = list; !each.empty(); each = each.data() + each.size() + 1, ++place) {
    if (each == text) return place;
  }
  return -1;
}

}  // namespace

BuiltIn built_in(std::string_view operation) noexcept {
  return static_cast<BuiltIn>(place_among(operation, names));
}

bool is_one_of(std::string_view repository_id, const char* ids) noexcept {
  return place_among(repository_id, ids) >= 0;
}

}  // namespace tenon::poa
