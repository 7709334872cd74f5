// SPDX-License-Identifier: Apache-2.0
//
// Tagged components (CORBA 3.4 part 2 §7.6.6): what a profile says besides address and key. Reads and makes the list, and the
// few components that the engine itself understands; all others pass through untouched. Values, no state.
#pragma once

#include <optional>
#include <span>

#include "base/operation_number.hpp"
#include "cdr/code_sets.hpp"
#include "ior/interface_numbers.hpp"
#include "ior/ior.hpp"

namespace tenon::ior {

/// Our own ORB type id, for TAG_ORB_TYPE: "TNON".
inline constexpr std::uint32_t orb_type = 0x544e4f4e;

/// TAG_ORB_TYPE (§7.6.6.1).
TaggedComponent orb_type_component(std::uint32_t type = orb_type);
std::optional<std::uint32_t> read_orb_type(const std::vector<TaggedComponent>& components) noexcept;

/// TAG_CODE_SETS (§7.10.2.4). nullopt: it is missing or malformed, and both mean ISO 8859-1 and no wide text.
TaggedComponent code_sets_component(const cdr::CodeSetComponentInfo& info);
std::optional<cdr::CodeSetComponentInfo> read_code_sets(const std::vector<TaggedComponent>& components);

/// One entry of TAG_POLICIES (part 1 §17.2; Messaging::PolicyValue). `value`: the policy's attributes as an encapsulation.
struct PolicyValue {
  std::uint32_t type;
  std::vector<std::uint8_t> value;
};
TaggedComponent policies_component(std::span<const PolicyValue> policies);
/// The value of the policy of that type, inside `components`; nullopt: there is none, or the component is malformed.
std::optional<ByteView> find_policy(const std::vector<TaggedComponent>& components,
                                    std::uint32_t type) noexcept;

/// A component of our own: which numbers an object understands in place of the names of its operations (docs/decisions/0030).
inline constexpr std::uint32_t tag_operation_numbers = 0x544e4f01;

struct OperationNumbers {
  static constexpr std::size_t most_interfaces = 64;
  NumberCheck check{};                       ///< goes with every number: letters and digits
  std::vector<InterfaceNumbers> interfaces;  ///< the most derived one first
  bool operator==(const OperationNumbers&) const = default;

  /// Null: operations of that interface go by name.
  const InterfaceNumbers* find(std::uint64_t fingerprint) const noexcept {
    for (const InterfaceNumbers& each : interfaces) {
      if (each.fingerprint == fingerprint) return &each;
    }
    return nullptr;
  }
};

/// Interfaces beyond most_interfaces are left out.
TaggedComponent operation_numbers_component(const NumberCheck& check,
                                            std::span<const InterfaceNumbers> interfaces);
/// nullopt: the component is missing or malformed; operations then go by name.
std::optional<OperationNumbers> read_operation_numbers(const std::vector<TaggedComponent>& components);

/// The components of a TAG_MULTIPLE_COMPONENTS profile (§7.6.5), which is nothing but a list in an encapsulation.
Result<std::vector<TaggedComponent>> parse_multiple_components(ByteView data) noexcept;
TaggedProfile make_multiple_components(const std::vector<TaggedComponent>& components);

}  // namespace tenon::ior
