// SPDX-License-Identifier: Apache-2.0
// Tagged components. See components.hpp.
#include "ior/components.hpp"

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::ior {

namespace {

TaggedComponent component(std::uint32_t tag, cdr::Encapsulation& body) {
  const ByteView bytes = body.bytes();
  return {tag, {bytes.begin(), bytes.end()}};
}

}  // namespace

void read_components(cdr::Reader& reader, std::vector<TaggedComponent>& into) {
  into.clear();
  // A component takes at least its tag and the length of its data.
  const std::size_t count = reader.get_length(8);
  into.reserve(count);
  for (std::size_t i = 0; i < count && reader.good(); ++i) {
    TaggedComponent& item = into.emplace_back();
    item.tag = reader.get<std::uint32_t>();
    const ByteView data = reader.get_octet_sequence();
    item.data.assign(data.begin(), data.end());
  }
}

void write_components(cdr::Writer& writer, const std::vector<TaggedComponent>& components) noexcept {
  writer.put_length(components.size());
  for (const TaggedComponent& item : components) {
    writer.put(item.tag);
    writer.put_octet_sequence(item.data);
  }
}

TaggedComponent orb_type_component(std::uint32_t type) {
  cdr::Encapsulation body;
  body.content().put(type);
  return component(tag_orb_type, body);
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
  return component(tag_code_sets, body);
}

std::optional<cdr::CodeSetComponentInfo> read_code_sets(const std::vector<TaggedComponent>& components) {
  const TaggedComponent* found = find_component(components, tag_code_sets);
  if (found == nullptr) return std::nullopt;
  cdr::Reader reader = cdr::Reader::encapsulation(found->data);
  Result<cdr::CodeSetComponentInfo> info = cdr::get_code_set_component(reader);
  if (!info) return std::nullopt;
  return std::move(*info);
}

Result<std::vector<TaggedComponent>> parse_multiple_components(ByteView data) {
  cdr::Reader reader = cdr::Reader::encapsulation(data);
  std::vector<TaggedComponent> components;
  read_components(reader, components);
  if (!reader.good()) return errors::bad_profile;
  return components;
}

TaggedProfile make_multiple_components(const std::vector<TaggedComponent>& components) {
  cdr::Encapsulation body;
  write_components(body.content(), components);
  const ByteView bytes = body.bytes();
  return {tag_multiple_components, {bytes.begin(), bytes.end()}};
}

}  // namespace tenon::ior
