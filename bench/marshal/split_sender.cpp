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

bool encode_struct(const PrecomputedType& type, const std::uint8_t* value, Stream& stream);

/// `local` is a copy in the caller, which the compiler keeps in registers; only what is nested is given its address.
[[gnu::always_inline]] inline bool encode_value(const PrecomputedType& type, const std::uint8_t* value,
                                                Stream& local) {
  if (type.primitive) [[likely]]
    return encode_primitive(type.kind, value, local);
  Stream nested = local;
  const bool good = type.kind == types::Kind::tk_struct ? encode_struct(type, value, nested)
                                                        : encode_sequence(type, value, nested);
  local = nested;
  return good;
}

[[gnu::noinline]] bool encode_struct(const PrecomputedType& type, const std::uint8_t* value, Stream& stream) {
  Stream local = stream;
  for (const PrecomputedType::Member& member : type.members) {
    if (member.primitive ? !encode_primitive(member.kind, value + member.offset, local)
                         : !encode_value(*member.type, value + member.offset, local)) [[unlikely]]
      return full();
  }
  stream = local;
  return true;
}

}  // namespace

[[gnu::noinline]] bool encode_sequence(const PrecomputedType& type, const std::uint8_t* value,
                                       Stream& stream) {
  const auto& sequence = *reinterpret_cast<const RawSequence*>(value);
  const PrecomputedType& element = *type.content;
  Stream local = stream;
  if (!local.put_long(sequence.length)) [[unlikely]]
    return full();
  const std::uint8_t* at = sequence.buffer;
  std::uint32_t left = sequence.length;
  if (element.size == 1 && element.primitive) {
    for (; left > 0; --left) {
      if (!local.put_byte(*at++)) [[unlikely]]
        return full();
    }
  }
  for (; left > 0; --left, at += element.size) {
    if (!encode_value(element, at, local)) [[unlikely]]
      return full();
  }
  stream = local;
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
