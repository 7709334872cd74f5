// SPDX-License-Identifier: Apache-2.0
//
// Rung 4: the sender is split as the receiver was in rung 3. The receiver is that of rung 3.
#include "precomputed_type.hpp"

namespace tenon::bench {
namespace precomputed {
namespace {

[[gnu::cold, gnu::noinline]] bool full() { return false; }

[[gnu::always_inline]] inline bool encode_primitive(types::Kind kind, const std::uint8_t* value,
                                                    Stream& stream) {
  switch (kind) {
    case types::Kind::tk_char:
    case types::Kind::tk_octet: return stream.put_byte(*value);
    case types::Kind::tk_short: return stream.put_short(load<std::uint16_t>(value, false));
    case types::Kind::tk_long: return stream.put_long(load<std::uint32_t>(value, false));
    case types::Kind::tk_double: return stream.put_longlong(load<std::uint64_t>(value, false));
    default: return false;
  }
}

[[gnu::noinline]] bool encode_struct(const PrecomputedType& type, const std::uint8_t* value, Stream& stream) {
  for (const PrecomputedType::Member& member : type.members) {
    const std::uint8_t* at = value + member.offset;
    const PrecomputedType& part = *member.type;
    bool good = false;
    if (part.primitive) [[likely]] {
      good = encode_primitive(part.kind, at, stream);
    } else {
      good = part.kind == types::Kind::tk_struct ? encode_struct(part, at, stream)
                                                 : encode_sequence(part, at, stream);
    }
    if (!good) [[unlikely]]
      return full();
  }
  return true;
}

}  // namespace

[[gnu::noinline]] bool encode_sequence(const PrecomputedType& type, const std::uint8_t* value,
                                       Stream& stream) {
  const auto& sequence = *reinterpret_cast<const RawSequence*>(value);
  const PrecomputedType& element = *type.content;
  if (!stream.put_long(sequence.length)) [[unlikely]]
    return full();
  const std::uint8_t* at = sequence.buffer;
  for (std::uint32_t left = sequence.length; left > 0; --left, at += element.size) {
    bool good = false;
    if (element.primitive) {
      good = encode_primitive(element.kind, at, stream);
    } else {
      good = element.kind == types::Kind::tk_struct ? encode_struct(element, at, stream)
                                                    : encode_sequence(element, at, stream);
    }
    if (!good) [[unlikely]]
      return full();
  }
  return true;
}

namespace {

class Split {
 public:
  explicit Split(ByteView typecode) : type_(precompute(typecode)) {}
  bool encode(const RawSequence& value, std::span<std::uint8_t> into, bool swap, std::size_t& written) {
    Stream out(into.data(), into.size(), swap);
    if (!encode_sequence(type_, reinterpret_cast<const std::uint8_t*>(&value), out)) return false;
    written = into.size() - out.remaining();
    return true;
  }
  bool decode(ByteView bytes, bool swap, RawSequence& value) {
    Stream in(bytes.data(), bytes.size(), swap);
    return decode_sequence(type_, reinterpret_cast<std::uint8_t*>(&value), in);
  }
  void release(RawSequence& value) { free_sequence(type_, reinterpret_cast<std::uint8_t*>(&value)); }

 private:
  PrecomputedType type_;
};

}  // namespace
}  // namespace precomputed

std::unique_ptr<Coder> make_split_sender(Type type) {
  return std::make_unique<RawCoder<precomputed::Split>>(type);
}

}  // namespace tenon::bench
