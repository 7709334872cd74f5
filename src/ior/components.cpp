// SPDX-License-Identifier: Apache-2.0
// Tagged components. See components.hpp.
#include "ior/components.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"
#include "cdr/writer.hpp"
#include "ior/profile_error.hpp"

namespace tenon::ior {

namespace {

bool is_letter_or_digit(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

}  // namespace

TaggedComponent orb_type_component(std::uint32_t type) {
  cdr::Encapsulation body;
  body.content().put(type);
  return tagged(tag_orb_type, body);
}

std::optional<std::uint32_t> read_orb_type(const std::vector<TaggedComponent>& components) noexcept {
  const TaggedComponent* found = find_component(components, tag_orb_type);
  if (found == nullptr) return std::nullopt;
  cdr::Reader reader = cdr::Reader::encapsulation(found->data);
  const auto type = reader.get<std::uint32_t>();
  if (!reader.good()) return std::nullopt;
  return type;
}

TaggedComponent code_sets_component(const cdr::CodeSetComponentInfo& info) {
  cdr::Encapsulation body;
  cdr::put(body.content(), info);
  return tagged(tag_code_sets, body);
}

std::optional<cdr::CodeSetComponentInfo> read_code_sets(const std::vector<TaggedComponent>& components) {
  const TaggedComponent* found = find_component(components, tag_code_sets);
  if (found == nullptr) return std::nullopt;
  cdr::Reader reader = cdr::Reader::encapsulation(found->data);
  Result<cdr::CodeSetComponentInfo> info = cdr::get_code_set_component(reader);
  if (!info) return std::nullopt;
  return std::move(*info);
}

TaggedComponent policies_component(std::span<const PolicyValue> policies) {
  cdr::Encapsulation body;
  body.content().put_length(policies.size());
  for (const PolicyValue& each : policies) {
    body.content().put(each.type);
    body.content().put_octet_sequence(each.value);
  }
  return tagged(tag_policies, body);
}

std::optional<ByteView> find_policy(const std::vector<TaggedComponent>& components,
                                    std::uint32_t type) noexcept {
  for (const TaggedComponent& each : components) {
    if (each.tag != tag_policies) continue;
    cdr::Reader reader = cdr::Reader::encapsulation(each.data);
    for (std::size_t left = reader.get_length(8); left != 0 && reader.good(); --left) {
      const bool found = reader.get<std::uint32_t>() == type;
      const ByteView value = reader.get_octet_sequence();
      if (found && reader.good()) return value;
    }
  }
  return std::nullopt;
}

// Fingerprints are written as two words, so that an entry takes 12 octets and needs no alignment of 8.
TaggedComponent operation_numbers_component(const NumberCheck& check,
                                            std::span<const InterfaceNumbers> interfaces) {
  cdr::Encapsulation body;
  cdr::Writer& out = body.content();
  for (const char each : check) out.put(static_cast<std::uint8_t>(each));
  const auto listed = interfaces.first(std::min(interfaces.size(), OperationNumbers::most_interfaces));
  out.put_length(listed.size());
  for (const InterfaceNumbers& each : listed) {
    out.put(static_cast<std::uint32_t>(each.fingerprint >> 32));
    out.put(static_cast<std::uint32_t>(each.fingerprint));
    out.put(each.first);
  }
  return tagged(tag_operation_numbers, body);
}

std::optional<OperationNumbers> read_operation_numbers(const std::vector<TaggedComponent>& components) {
  const TaggedComponent* found = find_component(components, tag_operation_numbers);
  if (found == nullptr) return std::nullopt;
  cdr::Reader reader = cdr::Reader::encapsulation(found->data);
  OperationNumbers numbers;
  bool legal = true;
  for (char& each : numbers.check) {
    each = static_cast<char>(reader.get<std::uint8_t>());
    legal = legal && is_letter_or_digit(each);
  }
  const std::size_t count = reader.get_length(10);
  if (!reader.good() || !legal || count == 0 || count > OperationNumbers::most_interfaces ||
      cdr::make_room(numbers.interfaces, count) == nullptr)
    return std::nullopt;
  for (InterfaceNumbers& each : numbers.interfaces) {
    const std::uint64_t high = reader.get<std::uint32_t>();
    each.fingerprint = high << 32 | reader.get<std::uint32_t>();
    each.first = reader.get<std::uint16_t>();
  }
  if (!reader.good() || reader.remaining() != 0) return std::nullopt;
  return numbers;
}

Result<std::vector<TaggedComponent>> parse_multiple_components(ByteView data) noexcept {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  std::vector<TaggedComponent> components;
  read_tagged(reader, components);
  if (!reader.good()) return profile_error(reader);
  return components;
}

TaggedProfile make_multiple_components(const std::vector<TaggedComponent>& components) {
  cdr::Encapsulation body;
  write_tagged(body.content(), components);
  return tagged(tag_multiple_components, body);
}

}  // namespace tenon::ior
