// SPDX-License-Identifier: Apache-2.0
//
// Tagged components (CORBA 3.4 part 2 §7.6.6): what a profile says beside address and key. Reading and making the list, and the
// few components that the engine itself understands; all others pass through untouched. Values, no state.
#pragma once

#include <optional>

#include "cdr/code_sets.hpp"
#include "ior/ior.hpp"

namespace tenon::ior {

/// Our own ORB type id, for TAG_ORB_TYPE: "TNON".
inline constexpr std::uint32_t orb_type = 0x544e4f4e;

/// sequence<TaggedComponent>; errors fail the reader.
void read_components(cdr::Reader& reader, std::vector<TaggedComponent>& into);
void write_components(cdr::Writer& writer, const std::vector<TaggedComponent>& components) noexcept;

/// TAG_ORB_TYPE (§7.6.6.1).
TaggedComponent orb_type_component(std::uint32_t type = orb_type);
std::optional<std::uint32_t> read_orb_type(const std::vector<TaggedComponent>& components) noexcept;

/// TAG_CODE_SETS (§7.10.2.4). Nothing: there is none, or it is malformed, which means the same: ISO 8859-1 and no wide text.
TaggedComponent code_sets_component(const cdr::CodeSetComponentInfo& info);
std::optional<cdr::CodeSetComponentInfo> read_code_sets(const std::vector<TaggedComponent>& components);

/// The components of a TAG_MULTIPLE_COMPONENTS profile (§7.6.5), which is nothing but a list in an encapsulation.
Result<std::vector<TaggedComponent>> parse_multiple_components(ByteView data);
TaggedProfile make_multiple_components(const std::vector<TaggedComponent>& components);

}  // namespace tenon::ior
