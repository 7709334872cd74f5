// SPDX-License-Identifier: Apache-2.0
//
// Rung 3: the receiver has a function for each kind of type instead of the merged one, and what happens on an error stands outside
// of the path that is usually taken. The sender is that of rung 2.
#include "precomputed_type.hpp"

namespace tenon::bench {
namespace precomputed {
namespace {

[[gnu::cold, gnu::noinline]] bool refused() { return false; }

[[gnu::always_inline]] inline bool decode_primitive(types::Kind kind, std::uint8_t* value, Stream& stream) {
  switch (kind) {
    case types::Kind::tk_char:
    case types::Kind::tk_octet: return stream.get_byte(*value);
    case types::Kind::tk_short: return stream.get_short(*reinterpret_cast<std::uint16_t*>(value));
    case types::Kind::tk_long: return stream.get_long(*reinterpret_cast<std::uint32_t*>(value));
    case types::Kind::tk_double: return stream.get_longlong(*reinterpret_cast<std::uint64_t*>(value));
    default: return false;
  }
}

bool decode_struct(const PrecomputedType& type, std::uint8_t* value, Stream& stream);

/// `local` is a copy in the caller, which the compiler keeps in registers; only what is nested is given its address.
[[gnu::always_inline]] inline bool decode_value(const PrecomputedType& type, std::uint8_t* value,
                                                Stream& local) {
  if (type.primitive) [[likely]]
    return decode_primitive(type.kind, value, local);
  Stream nested = local;
  const bool good = type.kind == types::Kind::tk_struct ? decode_struct(type, value, nested)
                                                        : decode_sequence(type, value, nested);
  local = nested;
  return good;
}

[[gnu::noinline]] bool decode_struct(const PrecomputedType& type, std::uint8_t* value, Stream& stream) {
  Stream local = stream;
  for (const PrecomputedType::Member& member : type.members) {
    if (member.primitive ? !decode_primitive(member.kind, value + member.offset, local)
                         : !decode_value(*member.type, value + member.offset, local)) [[unlikely]]
      return refused();
  }
  stream = local;
  return true;
}

[[gnu::noinline]] void free_struct(const PrecomputedType& type, std::uint8_t* value) {
  for (const PrecomputedType::Member& member : type.members) {
    if (member.primitive) continue;
    if (member.kind == types::Kind::tk_struct) {
      free_struct(*member.type, value + member.offset);
    } else {
      free_sequence(*member.type, value + member.offset);
    }
  }
}

}  // namespace

[[gnu::noinline]] bool decode_sequence(const PrecomputedType& type, std::uint8_t* value, Stream& stream) {
  auto& sequence = *reinterpret_cast<RawSequence*>(value);
  const PrecomputedType& element = *type.content;
  Stream local = stream;
  std::uint32_t count = 0;
  if (!local.get_long(count) || count > local.remaining() || !allocate(sequence, count, element.size))
      [[unlikely]] {
    return refused();
  }
  std::uint8_t* at = sequence.buffer;
  if (element.size == 1 && element.primitive) {
    for (; count > 0; --count) {
      if (!local.get_byte(*at++)) [[unlikely]]
        return refused();
    }
  }
  for (; count > 0; --count, at += element.size) {
    if (!decode_value(element, at, local)) [[unlikely]]
      return refused();
  }
  stream = local;
  return true;
}

[[gnu::noinline]] void free_sequence(const PrecomputedType& type, std::uint8_t* value) {
  auto& sequence = *reinterpret_cast<RawSequence*>(value);
  const PrecomputedType& element = *type.content;
  if (!element.primitive) {
    std::uint8_t* at = sequence.buffer;
    for (std::uint32_t left = sequence.length; left > 0; --left, at += element.size) {
      if (element.kind == types::Kind::tk_struct) {
        free_struct(element, at);
      } else {
        free_sequence(element, at);
      }
    }
  }
  std::free(sequence.buffer);
  sequence = {};
}

namespace {

class SplitReceiver {
 public:
  explicit SplitReceiver(ByteView typecode) : type_(precompute(typecode)) {}
  bool encode(const RawSequence& value, std::span<std::uint8_t> into, bool swap, std::size_t& written) {
    Stream out(into.data(), into.size(), swap);
    RawSequence copy = value;
    if (!traverse(type_, Action::encode, reinterpret_cast<std::uint8_t*>(&copy), out)) return false;
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

std::unique_ptr<Coder> make_split_receiver(Type type) {
  return std::make_unique<RawCoder<precomputed::SplitReceiver>>(type);
}

}  // namespace tenon::bench
