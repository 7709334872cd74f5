// SPDX-License-Identifier: Apache-2.0
//
// Rung 2: sizes and alignments are precomputed, the visitors are merged into the traversal, and a sequence of primitives is freed
// without a look at its elements. Structs are still freed one by one.
#include "precomputed_type.hpp"

namespace tenon::bench {
namespace precomputed {
namespace {

/// What to do with a value of which kind: one number, so that one jump finds the code.
constexpr unsigned step(Action action, types::Kind kind) {
  return static_cast<unsigned>(action) * 64 + static_cast<unsigned>(kind);
}

template <typename T>
[[gnu::always_inline]] inline T& at(std::uint8_t* value) {
  return *reinterpret_cast<T*>(value);
}

/// `local` is a copy of the caller's stream, which the compiler keeps in registers; what is nested is given `stream`.
[[gnu::always_inline]] inline bool simple(const PrecomputedType& part, types::Kind kind, Action action,
                                          std::uint8_t* where, Stream& stream, Stream& local) {
  switch (step(action, kind)) {
    case step(Action::encode, types::Kind::tk_char):
    case step(Action::encode, types::Kind::tk_octet): return local.put_byte(*where);
    case step(Action::encode, types::Kind::tk_short): return local.put_short(at<std::uint16_t>(where));
    case step(Action::encode, types::Kind::tk_long): return local.put_long(at<std::uint32_t>(where));
    case step(Action::encode, types::Kind::tk_double): return local.put_longlong(at<std::uint64_t>(where));
    case step(Action::decode, types::Kind::tk_char):
    case step(Action::decode, types::Kind::tk_octet): return local.get_byte(*where);
    case step(Action::decode, types::Kind::tk_short): return local.get_short(at<std::uint16_t>(where));
    case step(Action::decode, types::Kind::tk_long): return local.get_long(at<std::uint32_t>(where));
    case step(Action::decode, types::Kind::tk_double): return local.get_longlong(at<std::uint64_t>(where));
    default: break;
  }
  stream = local;
  const bool good = traverse(part, action, where, stream);
  local = stream;
  return good;
}

/// Elements of one octet have no order and no alignment to ask for.
[[gnu::always_inline]] inline bool octets(Action action, RawSequence& sequence, Stream& stream,
                                          Stream local) {
  for (std::uint32_t i = 0; i < sequence.length; ++i) {
    std::uint8_t& octet = sequence.buffer[i];
    if (!(action == Action::encode ? local.put_byte(octet) : local.get_byte(octet))) return false;
  }
  stream = local;
  return true;
}

}  // namespace

/// Starts with `stream` and leaves it where it ends; works on a copy, which the compiler keeps in registers.
[[gnu::noinline]] bool traverse(const PrecomputedType& type, Action action, std::uint8_t* value,
                                Stream& stream) {
  if (action == Action::free && type.kind == types::Kind::tk_struct) {
    for (const PrecomputedType::Member& member : type.members) {
      if (!member.primitive && !traverse(*member.type, action, value + member.offset, stream)) return false;
    }
    return true;
  }
  Stream local = stream;
  if (type.kind == types::Kind::tk_struct) {
    for (const PrecomputedType::Member& member : type.members) {
      if (!simple(*member.type, member.kind, action, value + member.offset, stream, local)) return false;
    }
    stream = local;
    return true;
  }
  if (type.kind != types::Kind::tk_sequence) return false;
  auto& sequence = at<RawSequence>(value);
  const PrecomputedType& element = *type.content;
  if (action == Action::encode) {
    if (!local.put_long(sequence.length)) return false;
  } else if (action == Action::decode) {
    std::uint32_t count = 0;
    if (!local.get_long(count) || count > local.remaining()) return false;
    if (!allocate(sequence, count, element.size)) return false;
  }
  if (action != Action::free || !element.primitive) {
    const std::size_t size = element.size;
    std::uint8_t* where = sequence.buffer;
    if (element.primitive && size == 1) return octets(action, sequence, stream, local);
    for (std::uint32_t left = sequence.length; left > 0; --left, where += size) {
      if (!simple(element, element.kind, action, where, stream, local)) return false;
    }
  }
  if (action == Action::free) {
    std::free(sequence.buffer);
    sequence = {};
  }
  stream = local;
  return true;
}

namespace {

class Engine {
 public:
  explicit Engine(ByteView typecode) : type_(precompute(typecode)) {}
  bool encode(const RawSequence& value, std::span<std::uint8_t> into, bool swap, std::size_t& written) {
    Stream out(into.data(), into.size(), swap);
    RawSequence copy = value;
    if (!traverse(type_, Action::encode, reinterpret_cast<std::uint8_t*>(&copy), out)) return false;
    written = into.size() - out.remaining();
    return true;
  }
  bool decode(ByteView bytes, bool swap, RawSequence& value) {
    Stream in(bytes.data(), bytes.size(), swap);
    return traverse(type_, Action::decode, reinterpret_cast<std::uint8_t*>(&value), in);
  }
  void release(RawSequence& value) {
    Stream none(static_cast<const std::uint8_t*>(nullptr), 0, false);
    traverse(type_, Action::free, reinterpret_cast<std::uint8_t*>(&value), none);
  }

 private:
  PrecomputedType type_;
};

}  // namespace
}  // namespace precomputed

std::unique_ptr<Coder> make_precomputed(Type type) {
  return std::make_unique<RawCoder<precomputed::Engine>>(type);
}

}  // namespace tenon::bench
