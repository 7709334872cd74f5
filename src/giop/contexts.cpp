// SPDX-License-Identifier: Apache-2.0
// Service context lists. See contexts.hpp.
#include "giop/contexts.hpp"

#include "cdr/writer.hpp"

namespace tenon::giop {

void ContextList::read(cdr::Reader& reader) noexcept {
  clear();
  // A context takes at least its id and the length of its data.
  const std::size_t count = reader.get_length(8, most);
  if (count == 0) return;
  first_.emplace(reader);
  const std::size_t from = reader.position();
  for (std::size_t i = 0; i < count; ++i) {
    reader.get<std::uint32_t>();
    reader.get_octet_sequence();
  }
  if (!reader.good()) return;
  count_ = static_cast<std::uint32_t>(count);
  cdr::Reader again = *first_;
  raw_ = again.get_octets(reader.position() - from);
}

ByteView ContextList::find(std::uint32_t id) const noexcept {
  ServiceContext context;
  for (Walk at = walk(); at.next(context);) {
    if (context.id == id) return context.data;
  }
  return {};
}

void write_contexts(cdr::Writer& writer, std::span<const ServiceContext> contexts) noexcept {
  writer.put_length(contexts.size());
  for (const ServiceContext& context : contexts) {
    writer.put(context.id);
    writer.put_length(context.data.size());
    writer.put_octets(context.data);
  }
}

}  // namespace tenon::giop
