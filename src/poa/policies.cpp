// SPDX-License-Identifier: Apache-2.0
//
// Which POA policies go together (CORBA 3.4 part 1 §15.3.8 and the table of §15.3.9.1, create_POA).
#include "poa/policies.hpp"

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

bool set(Policies& policies, const PolicyValue& given) noexcept {
  constexpr std::uint32_t values[types] = {3, 2, 2, 2, 2, 2, 3, 3, 2};
  const std::size_t place = place_of(given.type);
  if (place == types || given.value >= values[place]) return false;
  const auto value = static_cast<std::uint8_t>(given.value);
  switch (static_cast<PolicyType>(given.type)) {
    case thread_policy: policies.thread = static_cast<Thread>(value); break;
    case lifespan_policy: policies.lifespan = static_cast<Lifespan>(value); break;
    case uniqueness_policy: policies.uniqueness = static_cast<Uniqueness>(value); break;
    case assignment_policy: policies.assignment = static_cast<Assignment>(value); break;
    case activation_policy: policies.activation = static_cast<Activation>(value); break;
    case retention_policy: policies.retention = static_cast<Retention>(value); break;
    case processing_policy: policies.processing = static_cast<Processing>(value); break;
    case bidirectional_policy: policies.bidirectional = given.value == 1; break;
    case demux_policy: policies.demux = static_cast<Demux>(value); break;
  }
  return true;
}

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
    const auto index = static_cast<std::uint16_t>(i);
    const std::size_t place = place_of(list[i].type);
    if (place == types) return Fault(Exception::invalid_policy, index, "no policy of POAs");
    if (given.index[place] != not_given) return Fault(Exception::invalid_policy, index, "given twice");
    if (!set(policies, list[i])) return Fault(Exception::invalid_policy, index, "there is no such value");
    given.index[place] = index;
  }
  if (const Fault fault = contradiction(policies, given)) return fault;
  return policies;
}

}  // namespace tenon::poa
