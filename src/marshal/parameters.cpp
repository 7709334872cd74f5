// SPDX-License-Identifier: Apache-2.0
//
// Parameters of fixed size: their octets are known, so room, or that there are enough octets, is checked once for all of them. If the
// message differs from memory (byte order, alignment, fragments) or has wrong octets, each parameter is moved by itself instead.
#include "marshal/parameters.hpp"

#include "base/minor_codes.hpp"
#include "marshal/block.hpp"

namespace tenon::marshal {

namespace {

/// Moves parameters of several kinds to `message`, which is at a multiple of 8.
class Putter {
 public:
  Putter(cdr::Writer& out, std::uint8_t* message) noexcept
      : out_(out), message_(message), plain_(cdr::plain_chars(out.format())) {}

  void put(const Unit& unit, Word parameter, const void* from) noexcept {
    switch (op_of(parameter)) {
      case Op::copy2: return copy<std::uint16_t>(from);
      case Op::copy4: return copy<std::uint32_t>(from);
      case Op::copy8: return copy<std::uint64_t>(from);
      case Op::enumeration: {
        std::uint32_t value;
        std::memcpy(&value, from, sizeof value);
        if (value >= operand_of(parameter)) [[unlikely]]
          out_.fail(errors::enum_out_of_range);
        return copy<std::uint32_t>(from);
      }
      case Op::character:
        if (*static_cast<const std::uint8_t*>(from) >= 0x80 && !plain_) [[unlikely]]
          out_.fail(errors::char_not_in_code_set);
        return copy<std::uint8_t>(from);
      case Op::block: return block(Block(unit.type(operand_of(parameter)) + 1), from);
      default: return copy<std::uint8_t>(from);  // copy1, boolean
    }
  }

 private:
  /// As Writer::put(): stores zeros first, then the value over them, so that padding needs no loop.
  template <typename T>
  void copy(const void* from) noexcept {
    std::memset(message_ + at_, 0, sizeof(T));
    at_ += padding_to(at_, sizeof(T));
    std::memcpy(message_ + at_, from, sizeof(T));
    at_ += sizeof(T);
  }
  void block(const Block& block, const void* from) noexcept {
    const std::size_t padding = padding_to(at_, block.align());
    for (std::size_t i = 0; i < padding; ++i) message_[at_++] = 0;
    if (!block.copy_out(message_ + at_, from, plain_)) [[unlikely]]
      out_.fail(errors::char_not_in_code_set);
    at_ += block.bytes();
  }

  cdr::Writer& out_;
  std::uint8_t* const message_;
  const bool plain_;
  std::size_t at_ = 0;
};

/// Moves them from a message. get() is false for a wrong value.
class Getter {
 public:
  Getter(const cdr::WireFormat& format, const std::uint8_t* message) noexcept
      : message_(message), plain_(cdr::plain_chars(format)) {}

  bool get(const Unit& unit, Word parameter, void* into) noexcept {
    switch (op_of(parameter)) {
      case Op::copy2: return copy<std::uint16_t>(into), true;
      case Op::copy4: return copy<std::uint32_t>(into), true;
      case Op::copy8: return copy<std::uint64_t>(into), true;
      case Op::enumeration: return copy<std::uint32_t>(into) < operand_of(parameter);
      case Op::boolean: return copy<std::uint8_t>(into) <= 1;
      case Op::character: return copy<std::uint8_t>(into) < 0x80 || plain_;
      case Op::block: return block(Block(unit.type(operand_of(parameter)) + 1), into);
      default: return copy<std::uint8_t>(into), true;
    }
  }

 private:
  template <typename T>
  T copy(void* into) noexcept {
    at_ += padding_to(at_, sizeof(T));
    T value;
    std::memcpy(&value, message_ + at_, sizeof(T));
    std::memcpy(into, &value, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  bool block(const Block& block, void* into) noexcept {
    const std::uint8_t* from = message_ + at_ + padding_to(at_, block.align());
    at_ = static_cast<std::size_t>(from - message_) + block.bytes();
    return block.copy_in(into, from, plain_) &&
           (!block.has_enumerations() || enumerations_good(block, static_cast<const std::byte*>(into)));
  }

  const std::uint8_t* const message_;
  const bool plain_;
  std::size_t at_ = 0;
};

}  // namespace

void encode_fixed(const Parameters& all, Direction direction, cdr::Writer& out, const void* const* values) {
  if (out.swaps() || !out.aligned(8)) return encode_each(all, direction, out, values);
  std::uint8_t* const to = out.claim(fixed_octets(all.plan, direction));
  if (to == nullptr) [[unlikely]]
    return;
  Putter putter(out, to);
  for (unsigned i = 0; i != all.count; ++i) {
    if ((all.words[i] & direction) != 0) putter.put(all.unit, all.words[i], values[i]);
  }
}

void decode_fixed(const Parameters& all, Direction direction, cdr::Reader& in, void* const* values) {
  const std::size_t octets = fixed_octets(all.plan, direction);
  if (in.remaining() < octets || in.phase() != 0 || !in.block_readable())
    return decode_each(all, direction, in, values);
  Getter getter(in.format(), in.rest().data());
  bool good = true;
  for (unsigned i = 0; i != all.count; ++i) {
    if ((all.words[i] & direction) != 0) good &= getter.get(all.unit, all.words[i], values[i]);
  }
  if (!good) [[unlikely]]
    return decode_each(all, direction, in, values);
  in.skip(octets);
}

}  // namespace tenon::marshal
