// SPDX-License-Identifier: Apache-2.0
//
// Twice because encode.cpp goes through the same instructions: they share only the order of cases, and a call between the choice of a
// case and its work would cost more than the work.
// Long because the loop has a case for every op, and its class what the larger ones do.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "marshal/block.hpp"
#include "marshal/choice.hpp"
#include "marshal/held_value.hpp"
#include "marshal/layout.hpp"
#include "marshal/memory.hpp"
#include "marshal/moves.hpp"
#include "marshal/parameters.hpp"
#include "marshal/program.hpp"

namespace tenon::marshal {

namespace {

/// Elements may be larger in memory than in the message. A count that has not been checked may allocate this much.
constexpr std::size_t believed_bytes = 64 * 1024;
/// Limits for the memory of values.
constexpr std::size_t free_value_bytes = 1024 * 1024;
constexpr std::uint64_t value_bytes_per_octet = 256;

template <typename T>
void store(std::byte* into, T value) noexcept {
  std::memcpy(into, &value, sizeof value);
}

class Decoder {
 public:
  Decoder(const Unit& unit, cdr::Reader& in) noexcept : unit_(unit), in_(in) {}

  /// Runs the instructions from `at` on, up to `end`, into a value that exists. Work of more than a few lines is in functions of its
  /// own, so that the loop keeps its position in registers.
  /// A copy of the loop is inlined into parameter(), unless code is to be small; this one is for deeper parts.
  [[gnu::noinline]] void run(const Word* at, std::byte* base) { instructions<handled>(at, base); }
  void parameter(Word word, std::byte* into);
  bool get_whole(const Block& block, std::byte* into);
  void get_held(Word expected, std::byte* into);
  /// Up to `end`, or of one group one instruction; returns the one that follows.
  template <Group group>
  [[gnu::always_inline]] const Word* instructions(const Word* at, std::byte* base);

 private:
  template <typename T>
  [[gnu::noinline]] void get_primitives(Word bound, std::byte* into) {
    const std::size_t count = in_.get_length(sizeof(T), bound);
    T* values = reinterpret_cast<T*>(room_for(into, count * sizeof(T)));
    in_.get_array(values, count);
    if (!in_.good()) [[unlikely]]
      make_room(into, 0);
  }
  /// make_room(); the reader is told if that takes memory.
  std::byte* room_for(std::byte* into, std::size_t bytes) {
    if (load_vector(into).room() < bytes) in_.take_memory();
    return make_room(into, bytes);
  }
  [[gnu::noinline]] void get_strings(Word bound, std::byte* into);
  [[gnu::noinline]] void get_sequence(const Word* at, std::byte* into);
  [[gnu::noinline]] void get_elements(const Word* type, std::byte* into, std::size_t count);
  bool get_blocks(const Word* type, std::byte* into, std::size_t count);
  [[gnu::noinline]] void get_choice(const Word* at, std::byte* into);
  [[gnu::noinline]] void get_map(const Word* at, std::byte* into);
  bool believes(const Word* type, std::size_t count);
  const Foreign& foreign(Word index) const noexcept { return *unit_.foreign[index]; }

  const Unit& unit_;
  cdr::Reader& in_;
  bool proved_ = false;  ///< the part that is being read has been skipped once, so its counts are right
  // The graph of the values that are known by TypeCode only. The place of the first one keeps them all alive.
  ValueGraph* graph_ = nullptr;
  unsigned states_ = 0;  ///< how many states of such values are around the part that is being read
};

template <Group group>
inline const Word* Decoder::instructions(const Word* at, std::byte* base) {
  do {
    const Word word = *at;
    std::byte* into = base + offset_of(word);
    const Op op = op_of(word);
    if constexpr (group == Group::common) {
      if (op > last_common) {
        at = unit_.moves_of(op).get(this, at, into);
        continue;
      }
    }
    only<group>(op);
    switch (op) {
      case Op::end: return at;
      case Op::copy1: store(into, in_.get<std::uint8_t>()); break;
      case Op::copy2: store(into, in_.get<std::uint16_t>()); break;
      case Op::copy4: store(into, in_.get<std::uint32_t>()); break;
      case Op::copy8: store(into, in_.get<std::uint64_t>()); break;
      case Op::boolean: store(into, in_.get_boolean()); break;
      case Op::character: store(into, in_.get_char()); break;
      case Op::wide_character: store(into, in_.get_wchar()); break;
      case Op::long_double: store(into, in_.get_long_double()); break;
      case Op::enumeration: {
        auto value = in_.get<std::uint32_t>();
        if (value >= at[1]) [[unlikely]] {
          in_.fail(errors::value_out_of_range);
          value = 0;
        }
        store(into, value);
        at += 2;
        continue;
      }
      case Op::fixed:
        in_.get_fixed(*reinterpret_cast<Fixed*>(into), at[1] >> 16, at[1] & 0xFFFF);
        at += 2;
        continue;
      case Op::string: do { in_.get_string(*reinterpret_cast<std::string*>(base + offset_of(*at)));
        } while (op_of(*++at) == Op::string);
        continue;
      case Op::wide_string: in_.get_wstring(*reinterpret_cast<std::wstring*>(into)); break;
      case Op::bounded_string:
        in_.get_string(*reinterpret_cast<std::string*>(into), at[1]);
        at += 2;
        continue;
      case Op::bounded_wide_string:
        in_.get_wstring(*reinterpret_cast<std::wstring*>(into), at[1]);
        at += 2;
        continue;
      case Op::sequence1:
        get_primitives<std::uint8_t>(at[1], into);
        at += 2;
        continue;
      case Op::sequence2:
        get_primitives<std::uint16_t>(at[1], into);
        at += 2;
        continue;
      case Op::sequence4:
        get_primitives<std::uint32_t>(at[1], into);
        at += 2;
        continue;
      case Op::sequence8:
        get_primitives<std::uint64_t>(at[1], into);
        at += 2;
        continue;
      case Op::characters:
        get_primitives<char>(at[1], into);
        at += 2;
        continue;
      case Op::booleans: {
        auto& values = *reinterpret_cast<std::vector<bool>*>(into);
        in_.get_booleans(values, in_.get_length(1, at[1]));
        at += 2;
        continue;
      }
      case Op::strings:
        get_strings(at[1], into);
        at += 2;
        if (op_of(*at) == Op::end) return at;
        continue;
      case Op::sequence:
        get_sequence(at, into);
        at += 4;
        continue;
      case Op::array1:
        in_.get_array(reinterpret_cast<std::uint8_t*>(into), at[1]);
        at += 2;
        continue;
      case Op::array2:
        in_.get_array(reinterpret_cast<std::uint16_t*>(into), at[1]);
        at += 2;
        continue;
      case Op::array4:
        in_.get_array(reinterpret_cast<std::uint32_t*>(into), at[1]);
        at += 2;
        continue;
      case Op::array8:
        in_.get_array(reinterpret_cast<std::uint64_t*>(into), at[1]);
        at += 2;
        continue;
      case Op::character_array:
        in_.get_array(reinterpret_cast<char*>(into), at[1]);
        at += 2;
        continue;
      case Op::boolean_array:
        in_.get_boolean_array(reinterpret_cast<bool*>(into), at[1]);
        at += 2;
        continue;
      case Op::array:
        get_elements(unit_.type(at[2]), into, at[1]);
        at += 3;
        continue;
      case Op::call:
        if (op_of(at[2]) == Op::end) {  // no instruction follows the call, so there is no need to return
          at = unit_.type(at[1]) + 1;
          base = into;
          continue;
        }
        if (in_.enter()) {
          run(unit_.type(at[1]) + 1, into);
          in_.leave();
        }
        at += 2;
        continue;
      case Op::block: {
        const Block block(at);
        if constexpr (small_code) {
          at = block.parts();
        } else {
          at = get_whole(block, into) ? block.after() : block.parts();
        }
        continue;
      }
      case Op::choice:
        get_choice(at, into);
        at += 3;
        continue;
      case Op::map:
        get_map(at, into);
        at += 6;
        continue;
      case Op::reference:
      case Op::any:
      case Op::typecode:
      case Op::value:
        foreign(at[1]).get(in_, into);
        at += 2;
        continue;
      case Op::foreign:
        if (foreign(at[1]).unit == nullptr) in_.take_memory();  // get() may take memory
        foreign(at[1]).get(in_, into);
        at += 3;
        continue;
      case Op::held:
        unit_.values->moves->get(this, at[1], into);
        at += 2;
        continue;
      default: __builtin_unreachable();
    }
    ++at;
  } while (goes_on<group>);
  return at;
}

void Decoder::get_strings(Word bound, std::byte* into) {
  constexpr std::size_t believed = believed_bytes / sizeof(std::string);
  auto& values = *reinterpret_cast<std::vector<std::string>*>(into);
  cdr::Reader& in = in_;
  const std::size_t count = in.get_length(4, bound);
  if (values.capacity() < count) in.take_memory();
  // Existing texts keep their memory; of new ones only a limited number is made at a time, since the count may be too large.
  if (values.size() > count) values.resize(count);
  for (std::string& text : values) in.get_string(text);
  while (values.size() < count && in.good()) {
    const std::size_t done = values.size();
    values.resize(std::min(count, done + believed));
    for (auto text = values.begin() + static_cast<std::ptrdiff_t>(done); text != values.end(); ++text)
      in.get_string(*text);
  }
}

/// Whether `count` elements may be made: they need little memory, or skipping them has shown that they are there.
bool Decoder::believes(const Word* type, std::size_t count) {
  if (proved_ || count * size_of(*type) <= believed_bytes) return true;
  cdr::Reader probe = in_;
  for (std::size_t i = 0; i < count && probe.good(); ++i) {
    skip(unit_, static_cast<TypeIndex>(type - unit_.words), probe);
  }
  if (!probe.good()) in_.fail(probe.error());
  return probe.good();
}

void Decoder::get_sequence(const Word* at, std::byte* into) {
  const Word* type = unit_.type(at[3]);
  const std::size_t stride = size_of(*type);
  const std::size_t count = in_.get_length(at[2], at[1]);
  // Elements are larger in memory than in the message, and their octets may be more than a word of 32 bits can count.
  if constexpr (sizeof(std::size_t) < 8) {
    if (count > std::numeric_limits<std::size_t>::max() / stride) return in_.fail(errors::out_of_memory);
  }
  RawVector raw = load_vector(into);
  if (!small_code && get_blocks(type, into, count)) return;
  const bool was_proved = proved_;
  if (!believes(type, count)) return;
  proved_ = proved_ || count * stride > believed_bytes;

  std::size_t made = raw.bytes() / stride;
  if (made > count || raw.room() < count * stride) {
    const std::size_t kept = raw.room() < count * stride ? 0 : count;
    while (made > kept) {
      raw.end -= stride;
      store_vector(into, raw);
      destroy_at(unit_, type, raw.end);
      --made;
    }
  }
  if (raw.room() < count * stride) {
    in_.take_memory();
    std::byte* fresh = allocate(count * stride);
    release(raw);
    raw = {fresh, fresh, fresh + count * stride};
    store_vector(into, raw);
  }
  std::size_t done = 0;
  if (in_.enter()) {
    for (; done < made && in_.good(); ++done) run(type + 1, raw.begin + done * stride);
    const std::size_t before = in_.position();
    for (; done < count && in_.good(); ++done) {
      if (done == most_empty && in_.position() == before) in_.fail(errors::length_beyond_data);
      construct_at(unit_, type, raw.end);
      raw.end += stride;
      store_vector(into, raw);
      run(type + 1, raw.end - stride);
    }
    in_.leave();
  }
  proved_ = was_proved;
}

/// Reads elements into memory where they exist already.
void Decoder::get_elements(const Word* type, std::byte* into, std::size_t count) {
  const std::size_t stride = size_of(*type);
  if (!in_.enter()) return;
  const std::size_t before = in_.position();
  for (std::size_t i = 0; i < count && in_.good(); ++i) {
    if (i == most_empty && in_.position() == before) in_.fail(errors::length_beyond_data);
    run(type + 1, into + i * stride);
  }
  in_.leave();
}

/// A sequence of blocks, in one pass; false when it has to be read part by part.
bool Decoder::get_blocks(const Word* type, std::byte* into, std::size_t count) {
  if (op_of(type[1]) != Op::block || count < 3) return false;
  const Block block(type + 1);
  if (!block.repeats() || op_of(*block.after()) != Op::end || !in_.block_readable()) return false;
  const std::size_t stride = size_of(*type);
  // Only the first block may have another phase; behind it, memory and CDR are equal.
  const std::size_t bytes = (count - 2) * stride + block.bytes();
  if (in_.remaining() < bytes) {
    in_.fail(errors::out_of_data);
    return true;
  }
  std::byte* first = room_for(into, count * stride);
  std::memset(first, 0, stride);
  run(type + 1, first);
  cdr::get_blocks(in_, block.in_memory(stride), first + stride, count - 1);
  if (block.has_enumerations()) {
    for (std::size_t i = 1; i < count; ++i) {
      if (!enumerations_good(block, first + i * stride)) in_.fail(errors::value_out_of_range);
    }
  }
  if (!in_.good()) make_room(into, 0);
  return true;
}

bool Decoder::get_whole(const Block& block, std::byte* into) {
  if (!in_.block_readable() || (in_.phase() & (block.align() - 1)) != 0) return false;
  const ByteView octets = in_.rest();
  if (octets.size() < block.bytes()) [[unlikely]] {
    in_.fail(errors::out_of_data);
    return true;
  }
  in_.skip(block.bytes());
  if (!block.copy_in(into, octets.data(), cdr::plain_chars(in_.format()))) [[unlikely]]
    cdr::take_blocks(in_, block.in_memory(block.bytes()), into, octets.data(), 1);
  if (block.has_enumerations() && !enumerations_good(block, into)) {
    std::memset(into, 0, block.bytes());
    in_.fail(errors::value_out_of_range);
  }
  return true;
}

void Decoder::get_choice(const Word* at, std::byte* into) {
  const Cases cases(unit_.words + at[1]);
  const std::uint64_t label = get_discriminator(in_, cases);
  if (!in_.good()) return;
  const Cases::Case one = cases.find(label);
  void* member;
  if (at[2] != no_foreign) {
    member = foreign(at[2]).select(into, static_cast<std::int64_t>(label), one.which);
  } else {
    member = select_member(unit_, at, into, label);
  }
  if (member == nullptr || one.type == no_case || !in_.enter()) return;
  run(unit_.type(one.type) + 1, static_cast<std::byte*>(member));
  in_.leave();
}

void Decoder::get_map(const Word* at, std::byte* into) {
  const Foreign& access = foreign(at[1]);
  const Word* key_type = unit_.type(at[4]);
  const Word* value_type = unit_.type(at[5]);
  access.clear(into);
  const std::size_t count = in_.get_length(at[3], at[2]);
  if (!in_.enter()) return;
  for (std::size_t i = 0; i < count && in_.good(); ++i) {
    const Temporary key(unit_, key_type);
    run(key_type + 1, static_cast<std::byte*>(key.get()));
    if (!in_.good()) break;
    void* value = access.add(into, key.get());
    if (value == nullptr) {
      in_.fail(errors::duplicate_key);
      break;
    }
    run(value_type + 1, static_cast<std::byte*>(value));
  }
  in_.leave();
}

void Decoder::get_held(Word expected, std::byte* into) {
  HeldPlace place(into);
  place.reset();
  const ValueType* const wanted = unit_.values->expected(expected);
  const cdr::ValueHeader head = in_.begin_value();
  if (head.kind == cdr::ValueHeader::Kind::bad || head.kind == cdr::ValueHeader::Kind::null) return;
  const ValueGraph* const within = states_ != 0 ? graph_ : nullptr;
  if (head.kind == cdr::ValueHeader::Kind::shared) {
    auto* const made = head.object != nullptr && head.object->value_of_program()
                           ? static_cast<HeldValue*>(head.object)
                           : nullptr;
    if (made != nullptr && made->is(wanted)) return place.set(*made, within);
    // The value was skipped, or was read as another type.
    const auto here = in_.seek_value(head.position);
    if (in_.good()) get_held(expected, into);
    in_.return_to(here);
    return;
  }
  bool whole = true;
  const ValueType* const type = unit_.values->known(head, wanted, whole);
  if (type == nullptr) return in_.fail(errors::no_values_in_any);
  Ref<ValueGraph> fresh;
  if (graph_ == nullptr) {
    fresh = make_ref<ValueGraph>(*unit_.values);
    graph_ = fresh.get();
  }
  // A few octets may be a value of a type that is large in memory, and a message may have many of them.
  if (graph_->bytes() > free_value_bytes + value_bytes_per_octet * (in_.position() + in_.ahead()))
    return in_.fail(errors::length_beyond_data);
  HeldValue& value = graph_->make(*unit_.values, *type);
  place.set(value, within);
  in_.value_made(head, value);  // before its state is read, which may refer to the value
  ++states_;
  run(unit_.type(type->state) + 1, value.state());
  --states_;
  in_.end_value(head, !whole);
}

void Decoder::parameter(Word word, std::byte* into) {
  if constexpr (small_code) {
    if (has_type(op_of(word))) return run(unit_.type(operand_of(word)) + 1, into);
    return run(instruction_of(word).data(), into);
  }
  switch (op_of(word)) {
    case Op::copy1: return store(into, in_.get<std::uint8_t>());
    case Op::copy2: return store(into, in_.get<std::uint16_t>());
    case Op::copy4: return store(into, in_.get<std::uint32_t>());
    case Op::copy8: return store(into, in_.get<std::uint64_t>());
    case Op::boolean: return store(into, in_.get_boolean());
    case Op::character: return store(into, in_.get_char());
    case Op::enumeration: {
      auto value = in_.get<std::uint32_t>();
      if (value >= operand_of(word)) [[unlikely]] {
        in_.fail(errors::value_out_of_range);
        value = 0;
      }
      return store(into, value);
    }
    case Op::string: return in_.get_string(*reinterpret_cast<std::string*>(into));
    case Op::block: {
      const Block block(unit_.type(operand_of(word)) + 1);
      if (!get_whole(block, into)) run(block.parts(), into);
      return;
    }
    default: {
      instructions<handled>(unit_.type(operand_of(word)) + 1, into);
      return;
    }
  }
}

}  // namespace

template <Group group>
const Word* get_part(void* decoder, const Word* at, std::byte* into) {
  return static_cast<Decoder*>(decoder)->instructions<group>(at, into - offset_of(*at));
}

#define TENON_PART(group) template const Word* get_part<Group::group>(void*, const Word*, std::byte*);
TENON_EACH_GROUP(TENON_PART)
#undef TENON_PART

void get_held_value(void* decoder, Word expected, std::byte* into) {
  static_cast<Decoder*>(decoder)->get_held(expected, into);
}

void decode_each(const Parameters& all, Direction direction, cdr::Reader& in, void* const* values) {
  for (unsigned i = 0; i != all.count; ++i) {
    if ((all.words[i] & direction) != 0)
      Decoder(all.unit, in).parameter(all.words[i], static_cast<std::byte*>(values[i]));
  }
}

void decode(const Unit& unit, TypeIndex type, cdr::Reader& in, void* memory) {
  const Word* at = unit.type(type) + 1;
  auto* into = static_cast<std::byte*>(memory);
  if (!small_code && op_of(at[1]) == Op::end) {
    std::byte* part = into + offset_of(at[0]);  // exceptions have a base
    switch (op_of(at[0])) {
      case Op::copy1: return store(part, in.get<std::uint8_t>());
      case Op::copy2: return store(part, in.get<std::uint16_t>());
      case Op::copy4: return store(part, in.get<std::uint32_t>());
      case Op::copy8: return store(part, in.get<std::uint64_t>());
      case Op::string: return in.get_string(*reinterpret_cast<std::string*>(part));
      default: break;
    }
  }
  Decoder decoder(unit, in);
  if (!small_code && op_of(*at) == Op::block) {
    const Block block(at);
    if (op_of(*block.after()) == Op::end && decoder.get_whole(block, into)) return;
  }
  decoder.run(at, into);
}

}  // namespace tenon::marshal
