// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "marshal/block.hpp"
#include "marshal/choice.hpp"
#include "marshal/held_value.hpp"
#include "marshal/layout.hpp"
#include "marshal/moves.hpp"
#include "marshal/parameters.hpp"
#include "marshal/program.hpp"

namespace tenon::marshal {

namespace {

template <typename T>
T load(const std::byte* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Where a loop goes on when nothing more is to be written.
constexpr Word no_more = 0;

class Encoder {
 public:
  Encoder(const Unit& unit, cdr::Writer& out) noexcept : unit_(unit), out_(out) {}

  /// Runs the instructions from `at` on, up to `end`.
  /// A copy of the loop is inlined into parameter(), unless code is to be small; this one is for deeper parts.
  [[gnu::noinline]] void run(const Word* at, const std::byte* base) { instructions<handled>(at, base); }
  void parameter(Word word, const std::byte* from);
  bool put_whole(const Block& block, const std::byte* from);
  void put_held(const HeldValue* value);
  /// Up to `end`, or of one group one instruction; returns the one that follows.
  template <Group group>
  [[gnu::always_inline]] const Word* instructions(const Word* at, const std::byte* base);

 private:
  [[gnu::noinline]] void element_run(const Word* type, const std::byte* from, std::size_t count);
  [[gnu::noinline]] void put_strings(Word bound, const std::byte* from);
  [[gnu::noinline]] void put_choice(const Word* at, const std::byte* from);
  [[gnu::noinline]] void put_map(const Word* at, const std::byte* from);
  template <typename T>
  void put_sequence(Word bound, const std::byte* from) {
    const RawVector vector = load_vector(from);
    const std::size_t count = vector.bytes() / sizeof(T);
    if (begin_sequence(count, bound)) out_.put_array(reinterpret_cast<const T*>(vector.begin), count);
  }
  bool begin_sequence(std::size_t count, Word bound) {
    if (bound != 0 && count > bound) [[unlikely]] {
      out_.fail_over_bound(count, bound);
      return false;
    }
    out_.put_length(count);
    return true;
  }
  const Foreign& foreign(Word index) const noexcept { return *unit_.foreign[index]; }

  const Unit& unit_;
  cdr::Writer& out_;
};

template <Group group>
inline const Word* Encoder::instructions(const Word* at, const std::byte* base) {
  do {
    const Word word = *at;
    const std::byte* from = base + offset_of(word);
    const Op op = op_of(word);
    if constexpr (group == Group::common) {
      if (op > last_common) {
        at = unit_.moves_of(op).put(this, at, from);
        continue;
      }
    }
    only<group>(op);
    switch (op) {
      case Op::end: return at;
      case Op::copy1: out_.put(load<std::uint8_t>(from)); break;
      case Op::copy2: out_.put(load<std::uint16_t>(from)); break;
      case Op::copy4: out_.put(load<std::uint32_t>(from)); break;
      case Op::copy8: out_.put(load<std::uint64_t>(from)); break;
      case Op::boolean: out_.put(load<std::uint8_t>(from) != 0); break;
      case Op::character: out_.put_char(load<char>(from)); break;
      case Op::wide_character: out_.put_wchar(load<wchar_t>(from)); break;
      case Op::long_double: out_.put_long_double(load<long double>(from)); break;
      case Op::enumeration: {
        const auto value = load<std::uint32_t>(from);
        if (value >= at[1]) [[unlikely]]
          out_.fail(errors::enum_out_of_range);
        out_.put(value);
        at += 2;
        continue;
      }
      case Op::fixed:
        out_.put_fixed(*reinterpret_cast<const Fixed*>(from), at[1] >> 16, at[1] & 0xFFFF);
        at += 2;
        continue;
      case Op::string: do { out_.put_string(*reinterpret_cast<const std::string*>(base + offset_of(*at)));
        } while (op_of(*++at) == Op::string);
        continue;
      case Op::wide_string: out_.put_wstring(*reinterpret_cast<const std::wstring*>(from)); break;
      case Op::bounded_string: {
        const auto& text = *reinterpret_cast<const std::string*>(from);
        if (text.size() > at[1]) return out_.fail_over_bound(text.size(), at[1]), &no_more;
        out_.put_string(text);
        at += 2;
        continue;
      }
      case Op::bounded_wide_string: {
        const auto& text = *reinterpret_cast<const std::wstring*>(from);
        if (text.size() > at[1]) return out_.fail_over_bound(text.size(), at[1]), &no_more;
        out_.put_wstring(text);
        at += 2;
        continue;
      }
      case Op::sequence1:
        put_sequence<std::uint8_t>(at[1], from);
        at += 2;
        continue;
      case Op::sequence2:
        put_sequence<std::uint16_t>(at[1], from);
        at += 2;
        continue;
      case Op::sequence4:
        put_sequence<std::uint32_t>(at[1], from);
        at += 2;
        continue;
      case Op::sequence8:
        put_sequence<std::uint64_t>(at[1], from);
        at += 2;
        continue;
      case Op::characters:
        put_sequence<char>(at[1], from);
        at += 2;
        continue;
      case Op::booleans: {
        const auto& values = *reinterpret_cast<const std::vector<bool>*>(from);
        if (begin_sequence(values.size(), at[1])) out_.put_booleans(values);
        at += 2;
        continue;
      }
      case Op::strings:
        put_strings(at[1], from);
        at += 2;
        if (op_of(*at) == Op::end) return at;
        continue;
      case Op::sequence: {
        const Word* type = unit_.type(at[3]);
        const RawVector vector = load_vector(from);
        const std::size_t count = vector.bytes() / size_of(*type);
        if (begin_sequence(count, at[1])) element_run(type, vector.begin, count);
        at += 4;
        continue;
      }
      case Op::array1:
        out_.put_array(reinterpret_cast<const std::uint8_t*>(from), at[1]);
        at += 2;
        continue;
      case Op::array2:
        out_.put_array(reinterpret_cast<const std::uint16_t*>(from), at[1]);
        at += 2;
        continue;
      case Op::array4:
        out_.put_array(reinterpret_cast<const std::uint32_t*>(from), at[1]);
        at += 2;
        continue;
      case Op::array8:
        out_.put_array(reinterpret_cast<const std::uint64_t*>(from), at[1]);
        at += 2;
        continue;
      case Op::character_array:
        out_.put_array(reinterpret_cast<const char*>(from), at[1]);
        at += 2;
        continue;
      case Op::boolean_array:
        out_.put_boolean_array(reinterpret_cast<const bool*>(from), at[1]);
        at += 2;
        continue;
      case Op::array:
        element_run(unit_.type(at[2]), from, at[1]);
        at += 3;
        continue;
      case Op::call:
        if (op_of(at[2]) == Op::end) {  // no instruction follows the call, so there is no need to return
          at = unit_.type(at[1]) + 1;
          base = from;
          continue;
        }
        run(unit_.type(at[1]) + 1, from);
        at += 2;
        continue;
      case Op::block: {
        const Block block(at);
        if constexpr (small_code) {
          at = block.parts();
        } else {
          at = put_whole(block, from) ? block.after() : block.parts();
        }
        continue;
      }
      case Op::choice:
        put_choice(at, from);
        at += 3;
        continue;
      case Op::map:
        put_map(at, from);
        at += 6;
        continue;
      case Op::reference:
      case Op::any:
      case Op::typecode:
      case Op::value:
        foreign(at[1]).put(out_, from);
        at += 2;
        continue;
      case Op::foreign:
        foreign(at[1]).put(out_, from);
        at += 3;
        continue;
      case Op::held:
        unit_.values->moves->put(this, HeldPlace::value(from));
        at += 2;
        continue;
      default: __builtin_unreachable();
    }
    ++at;
  } while (goes_on<group>);
  return at;
}

void Encoder::put_strings(Word bound, const std::byte* from) {
  const auto& values = *reinterpret_cast<const std::vector<std::string>*>(from);
  if (!begin_sequence(values.size(), bound)) return;
  cdr::Writer& out = out_;
  for (const std::string& text : values) out.put_string(text);
}

/// Moves a block as memory if this message allows it. False: its parts must be written one by one.
bool Encoder::put_whole(const Block& block, const std::byte* from) {
  if (out_.swaps() || !out_.aligned(block.align())) return false;
  std::uint8_t* to = out_.claim(block.bytes());
  if (to != nullptr && !block.copy_out(to, from, cdr::plain_chars(out_.format()))) [[unlikely]]
    out_.fail(errors::char_not_in_code_set);
  return true;
}

/// Elements of one type side by side.
void Encoder::element_run(const Word* type, const std::byte* from, std::size_t count) {
  const std::size_t stride = size_of(*type);
  if (!small_code && op_of(type[1]) == Op::block && count > 2 && !out_.swaps()) {
    const Block block(type + 1);
    if (block.repeats() && op_of(*block.after()) == Op::end) {
      run(type + 1, from);
      // Behind the first block memory and CDR are equal, whatever its phase is.
      return cdr::put_blocks(out_, block.in_memory(stride), from + stride, count - 1);
    }
  }
  for (std::size_t i = 0; i < count; ++i) run(type + 1, from + i * stride);
}

void Encoder::put_choice(const Word* at, const std::byte* from) {
  const Cases cases(unit_.words + at[1]);
  const Selected selected = selected_member(unit_, at, from);
  put_discriminator(out_, cases, selected.label);
  if (selected.member != nullptr) {
    run(unit_.type(selected.type) + 1, static_cast<const std::byte*>(selected.member));
  }
}

void Encoder::put_map(const Word* at, const std::byte* from) {
  const Foreign& access = foreign(at[1]);
  if (!begin_sequence(access.entries(from), at[2])) return;
  struct Context {
    Encoder& encoder;
    const Word* key;
    const Word* value;
  } context{*this, unit_.type(at[4]) + 1, unit_.type(at[5]) + 1};
  access.each(from, &context, [](void* raw, const void* key, const void* value) {
    const auto& entry = *static_cast<const Context*>(raw);
    entry.encoder.run(entry.key, static_cast<const std::byte*>(key));
    entry.encoder.run(entry.value, static_cast<const std::byte*>(value));
  });
}

void Encoder::put_held(const HeldValue* value) {
  if (value == nullptr) return out_.put_null_value();
  if (out_.put_shared_value(value)) return;
  const ValueType& type = value->type();
  out_.begin_value(value, type.ids, type.chunked(), value);
  if (!out_.good()) return;
  // The value may have been read by another program than this one.
  Encoder(value->unit(), out_).run(value->unit().type(type.state) + 1, value->state());
  out_.end_value();
}

void Encoder::parameter(Word word, const std::byte* from) {
  if constexpr (small_code) {
    if (has_type(op_of(word))) return run(unit_.type(operand_of(word)) + 1, from);
    return run(instruction_of(word).data(), from);
  }
  switch (op_of(word)) {
    case Op::copy1: return out_.put(load<std::uint8_t>(from));
    case Op::copy2: return out_.put(load<std::uint16_t>(from));
    case Op::copy4: return out_.put(load<std::uint32_t>(from));
    case Op::copy8: return out_.put(load<std::uint64_t>(from));
    case Op::boolean: return out_.put(load<std::uint8_t>(from) != 0);
    case Op::character: return out_.put_char(load<char>(from));
    case Op::enumeration:
      if (load<std::uint32_t>(from) >= operand_of(word)) [[unlikely]]
        out_.fail(errors::enum_out_of_range);
      return out_.put(load<std::uint32_t>(from));
    case Op::string: return out_.put_string(*reinterpret_cast<const std::string*>(from));
    case Op::block: {
      const Block block(unit_.type(operand_of(word)) + 1);
      if (!put_whole(block, from)) run(block.parts(), from);
      return;
    }
    default: {
      instructions<handled>(unit_.type(operand_of(word)) + 1, from);
      return;
    }
  }
}

}  // namespace

template <Group group>
const Word* put_part(void* encoder, const Word* at, const std::byte* from) {
  return static_cast<Encoder*>(encoder)->instructions<group>(at, from - offset_of(*at));
}

#define TENON_PART(group) template const Word* put_part<Group::group>(void*, const Word*, const std::byte*);
TENON_EACH_GROUP(TENON_PART)
#undef TENON_PART

void put_held_value(void* encoder, const HeldValue* value) {
  static_cast<Encoder*>(encoder)->put_held(value);
}

void encode_each(const Parameters& all, Direction direction, cdr::Writer& out, const void* const* values) {
  Encoder encoder(all.unit, out);
  for (unsigned i = 0; i != all.count; ++i) {
    if ((all.words[i] & direction) != 0)
      encoder.parameter(all.words[i], static_cast<const std::byte*>(values[i]));
  }
}

void encode(const Unit& unit, TypeIndex type, cdr::Writer& out, const void* memory) {
  // A number, a string or a struct of fixed size by itself, as most parameters are.
  const Word* at = unit.type(type) + 1;
  if (!small_code && op_of(at[1]) == Op::end) {
    const auto* from = static_cast<const std::byte*>(memory) + offset_of(at[0]);  // exceptions have a base
    switch (op_of(at[0])) {
      case Op::copy1: return out.put(load<std::uint8_t>(from));
      case Op::copy2: return out.put(load<std::uint16_t>(from));
      case Op::copy4: return out.put(load<std::uint32_t>(from));
      case Op::copy8: return out.put(load<std::uint64_t>(from));
      case Op::string: return out.put_string(*reinterpret_cast<const std::string*>(from));
      default: break;
    }
  }
  Encoder encoder(unit, out);
  if (!small_code && op_of(*at) == Op::block) {
    const Block block(at);
    if (op_of(*block.after()) == Op::end && encoder.put_whole(block, static_cast<const std::byte*>(memory))) {
      return;
    }
  }
  encoder.run(at, static_cast<const std::byte*>(memory));
}

}  // namespace tenon::marshal
