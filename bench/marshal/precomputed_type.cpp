// SPDX-License-Identifier: Apache-2.0
#include "precomputed_type.hpp"

#include <algorithm>

namespace tenon::bench::precomputed {
namespace {

bool read_struct(PrecomputedType& type, Stream& in) {
  std::uint32_t count = 0;
  if (!in.skip_string() || !in.skip_string() || !in.get_long(count)) return false;
  while (count-- > 0) {
    auto member = std::make_unique<PrecomputedType>();
    if (!in.skip_string() || !member->read(in)) return false;
    const std::size_t offset = type.size + padding_to(type.size, member->alignment);
    type.size = offset + member->size;
    type.alignment = std::max(type.alignment, member->alignment);
    type.members.push_back({offset, member->kind, member->primitive, member.get()});
    type.owned.push_back(std::move(member));
  }
  type.size += padding_to(type.size, type.alignment);
  return true;
}

}  // namespace

bool PrecomputedType::read(Stream& from) {
  std::uint32_t number = 0;
  if (!from.get_long(number)) return false;
  kind = static_cast<types::Kind>(number);
  switch (kind) {
    case types::Kind::tk_char:
    case types::Kind::tk_octet: size = 1; break;
    case types::Kind::tk_short: size = 2; break;
    case types::Kind::tk_long: size = 4; break;
    case types::Kind::tk_double: size = 8; break;
    case types::Kind::tk_sequence:
    case types::Kind::tk_struct: {
      std::uint32_t length = 0;
      std::uint8_t order = 0;
      if (!from.get_long(length) || length == 0 || length > from.remaining()) return false;
      const std::uint8_t* octets = from.next();
      from.skip(length);
      order = octets[0];
      Stream in(octets, length, static_cast<ByteOrder>(order) != native_order);
      in.skip(1);
      if (kind == types::Kind::tk_struct) return read_struct(*this, in);
      size = sizeof(RawSequence);
      alignment = alignof(RawSequence);
      content = std::make_unique<PrecomputedType>();
      return content->read(in);
    }
    default: return false;
  }
  alignment = size;
  primitive = true;
  return true;
}

PrecomputedType precompute(ByteView typecode) {
  PrecomputedType type;
  Stream in(typecode.data(), typecode.size(), false);
  if (!type.read(in)) type.kind = types::Kind::tk_null;
  return type;
}

}  // namespace tenon::bench::precomputed
