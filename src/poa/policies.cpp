// SPDX-License-Identifier: Apache-2.0
//
// Which POA policies go together (CORBA 3.4 part 1 §15.3.8 and the table of §15.3.9.1, create_POA).
#include "poa/policies.hpp"

#include <cstddef>
#include <initializer_list>

namespace tenon::poa {
namespace {

constexpr std::uint32_t first_type = thread_policy;
constexpr std::size_t types = 9;  // the standard's seven, in a row, ours, and that of connections
constexpr std::uint16_t not_given = 0xFFFF;

struct Given {
  std::uint16_t index[types] = {not_given, not_given, not_given, not_given, not_given,
                                not_given, not_given, not_given, not_given};

  /// The first of the policies in question that the caller named; one of them is, because the initial values agree.
  Fault offends(std::initializer_list<PolicyType> types_in_question, const char* rule) const noexcept {
    std::uint16_t first = not_given;
    for (const PolicyType type : types_in_question) {
      if (index[type - first_type] < first) first = index[type - first_type];
    }
    return {Exception::invalid_policy, first, rule};
  }
};

/// Its place among the types; `types` when it is none of them.
std::size_t place_of(std::uint32_t type) noexcept {
  if (type == bidirectional_policy) return types - 1;
  if (type == demux_policy) return types - 2;
  const std::size_t place = std::size_t{type} - first_type;
  return type >= first_type && place < types - 2 ? place : types;
}

/// How many values each has. Policies has them in the same order, an octet each.
constexpr std::uint8_t values_of[types] = {3, 2, 2, 2, 2, 2, 3, 3, 2};
static_assert(sizeof(Policies) == types && offsetof(Policies, thread) == 0 &&
              offsetof(Policies, lifespan) == 1 && offsetof(Policies, uniqueness) == 2 &&
              offsetof(Policies, assignment) == 3 && offsetof(Policies, activation) == 4 &&
              offsetof(Policies, retention) == 5 && offsetof(Policies, processing) == 6 &&
              offsetof(Policies, demux) == types - 2 && offsetof(Policies, bidirectional) == types - 1);

Fault contradiction(const Policies& policies, const Given& given) noexcept {
  if (!policies.retains() && policies.processing == Processing::active_object_map_only) {
    return given.offends({retention_policy, processing_policy},
                         "NON_RETAIN wants USE_DEFAULT_SERVANT or USE_SERVANT_MANAGER");
  }
  if (policies.has_default_servant() && policies.unique()) {
    return given.offends({processing_policy, uniqueness_policy}, "USE_DEFAULT_SERVANT wants MULTIPLE_ID");
  }
  if (policies.implicit() && !policies.system_ids()) {
    return given.offends({activation_policy, assignment_policy}, "IMPLICIT_ACTIVATION wants SYSTEM_ID");
  }
  if (policies.implicit() && !policies.retains())
    return given.offends({activation_policy, retention_policy}, "IMPLICIT_ACTIVATION wants RETAIN");
  return {};
}

}  // namespace

Outcome<Policies> read_policies(std::span<const PolicyValue> list) {
  Policies policies;
  Given given;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].of_program) continue;
    const auto index = static_cast<std::uint16_t>(i);
    const std::size_t place = place_of(list[i].type);
    if (place == types) return Fault(Exception::invalid_policy, index, "no policy of POAs");
    if (given.index[place] != not_given) return Fault(Exception::invalid_policy, index, "given twice");
    if (list[i].value >= values_of[place])
      return Fault(Exception::invalid_policy, index, "there is no such value");
    reinterpret_cast<std::uint8_t*>(&policies)[place] = static_cast<std::uint8_t>(list[i].value);
    given.index[place] = index;
  }
  if (const Fault fault = contradiction(policies, given)) return fault;
  return policies;
}

}  // namespace tenon::poa
