// SPDX-License-Identifier: Apache-2.0
//
// Reading TypeCodes. The octets of the outermost encapsulation are copied into the graph once; names are views into the copy,
// and offsets are differences of addresses in it. An offset that leads before the outermost TypeCode leads to another one of the message,
// which earlier.cpp reads at its place.
#include <algorithm>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "types/earlier.hpp"
#include "types/endless.hpp"
#include "types/typecode_cdr.hpp"

namespace tenon::types {
namespace {

using cdr::Reader;

class Decoding {
 public:
  /// `octets`: of the outermost encapsulation, in memory that stays; `message` is behind them. `depth`: TypeCodes around it.
  Decoding(TypeGraph& graph, Reader& message, ByteView octets, unsigned depth) noexcept
      : graph_(graph),
        message_(message),
        octets_(octets),
        format_(message.format()),
        depth_(depth),
        around_(depth),
        deepest_(depth) {}

  bool has_indirections() const noexcept { return indirections_; }
  /// How many TypeCodes are inside one another here.
  unsigned levels() const noexcept { return deepest_ - around_; }

  /// The TypeCode at the reader's place; null after an error, which is then in `in`.
  const TypeCode* typecode(Reader& in) {
    enter(in, 1);
    const auto kind = in.get<std::uint32_t>();
    const TypeCode* type = nullptr;
    if (in.good()) type = kind == indirection ? earlier(in) : node(in, kind, place(in) - 4);
    --depth_;
    return type;
  }

  /// The outermost TypeCode. Offsets to it count as if its kind and its length were the eight octets before the encapsulation.
  const TypeCode* outermost(Kind kind) {
    TypeCode* type = graph_.add_node();
    type->kind = kind;
    known_.push_back({address(octets_) - 8, type});
    enter(message_, 1);
    encapsulated(message_, octets_, *type);
    return message_.good() ? type : nullptr;
  }

  /// tk_string, tk_wstring, tk_fixed.
  static void simple_parameters(Reader& in, TypeCode& type) {
    if (type.kind != Kind::tk_fixed) {
      type.length = in.get<std::uint32_t>();
      return;
    }
    type.digits = in.get<std::uint16_t>();
    type.scale = in.get<std::int16_t>();
    const bool fits = type.digits >= 1 && type.digits <= Fixed::max_digits && type.scale >= 0;
    if (!fits || type.scale > static_cast<std::int16_t>(type.digits))
      in.fail(errors::bad_typecode_parameters);
  }

 private:
  struct Known {
    std::uintptr_t at;  // address of the kind
    const TypeCode* type;
  };

  static std::uintptr_t address(ByteView octets) noexcept {
    return reinterpret_cast<std::uintptr_t>(octets.data());
  }
  static std::uintptr_t place(const Reader& in) noexcept { return address(in.rest()); }

  /// So many more TypeCodes are inside one another.
  void enter(Reader& in, unsigned levels) noexcept {
    depth_ += levels;
    deepest_ = std::max(deepest_, depth_);
    if (depth_ > deepest_typecode) in.fail(errors::nested_too_deep);
  }

  const TypeCode* node(Reader& in, std::uint32_t number, std::uintptr_t at) {
    if (number >= kinds) {
      in.fail(errors::bad_typecode_kind);
      return nullptr;
    }
    const auto kind = static_cast<Kind>(number);
    if (has_no_parameters(kind)) {
      known_.push_back({at, &basic(kind)});
      return &basic(kind);
    }
    TypeCode* type = graph_.add_node();
    type->kind = kind;
    known_.push_back({at, type});
    if (has_simple_parameters(kind)) {
      simple_parameters(in, *type);
    } else {
      const ByteView octets = in.get_octet_sequence();
      if (in.good()) encapsulated(in, octets, *type);
    }
    return in.good() ? type : nullptr;
  }

  void encapsulated(Reader& in, ByteView octets, TypeCode& type) {
    Reader inside = Reader::encapsulation(octets, format_inside(format_));
    parameters(inside, type);
    if (!inside.good()) in.fail(inside.error());
  }

  const TypeCode* earlier(Reader& in) {
    const std::uintptr_t from = place(in);
    const std::int32_t offset = get_offset(in);
    indirections_ = true;
    // positions rise in the order of reading, so they are sorted
    const std::uintptr_t target = from + static_cast<std::uintptr_t>(std::intptr_t{offset});
    if (in.good() && offset < 0 && target < known_.front().at)
      return of_the_message(in, known_.front().at - target);
    const auto found = std::lower_bound(known_.begin(), known_.end(), target,
                                        [](const Known& one, std::uintptr_t at) { return one.at < at; });
    if (in.good() && found != known_.end() && found->at == target) return found->type;
    in.fail(errors::bad_typecode_indirection);
    return nullptr;
  }

  /// The TypeCode that begins `back` octets before the outermost one, in another one of the message.
  const TypeCode* of_the_message(Reader& in, std::size_t back) {
    const std::size_t start = message_.position() - octets_.size() - 8;
    if (back > start) {
      in.fail(errors::bad_typecode_indirection);
      return nullptr;
    }
    const EarlierType found = earlier_type(message_, start - back, depth_, start);
    if (!found.type) {
      in.fail(message_.error());
      return nullptr;
    }
    enter(in, found.levels);
    depth_ -= found.levels;
    if (found.first_use) graph_.keep(found.type.graph());
    return found.type.get();
  }

  void parameters(Reader& in, TypeCode& type) {
    if (has_id(type.kind)) {
      type.id = in.get_raw_string();
      type.name = in.get_raw_string();
    }
    // An exception's id is mandatory (part 1 §8.11.1); without it one cannot tell whether values begin with the id.
    if (type.kind == Kind::tk_except && type.id.empty()) in.fail(errors::bad_typecode_parameters);
    switch (type.kind) {
      case Kind::tk_sequence:
      case Kind::tk_array:
        type.content = typecode(in);
        type.length = in.get<std::uint32_t>();
        break;
      case Kind::tk_alias:
      case Kind::tk_value_box: type.content = typecode(in); break;
      case Kind::tk_struct:
      case Kind::tk_except: members(in, type, 8); break;
      case Kind::tk_enum: members(in, type, 4); break;
      case Kind::tk_union: discriminator(in, type); break;
      case Kind::tk_value:
      case Kind::tk_event: value(in, type); break;
      default: break;
    }
  }

  void value(Reader& in, TypeCode& type) {
    const auto modifier = in.get<std::int16_t>();
    const TypeCode* base = typecode(in);
    if (!in.good()) return;
    const bool fits = base->kind == Kind::tk_null || has_state(base->kind);
    if (!fits || modifier < 0 || modifier > static_cast<std::int16_t>(Modifier::truncatable)) {
      return in.fail(errors::bad_typecode_parameters);
    }
    type.modifier = static_cast<Modifier>(modifier);
    if (base->kind != Kind::tk_null) type.content = base;
    members(in, type, 10);
  }

  void discriminator(Reader& in, TypeCode& type) {
    const TypeCode* content = typecode(in);
    if (!in.good()) return;
    // An alias around this union may still be unfinished, and an alias of itself is found only at the end.
    const TypeCode* below = content;
    for (std::size_t steps = 0; below != nullptr && below->kind == Kind::tk_alias; ++steps) {
      below = steps < known_.size() + deepest_typecode ? below->content : nullptr;
    }
    if (below == nullptr || !is_discriminator(*below)) return in.fail(errors::bad_typecode_parameters);
    type.content = content;
    type.default_index = in.get<std::int32_t>();
    members(in, type, 9);
    const auto count = static_cast<std::int64_t>(type.members.size());
    if (type.default_index < -1 || type.default_index >= count) in.fail(errors::bad_typecode_parameters);
  }

  void members(Reader& in, TypeCode& type, std::size_t smallest) {
    const std::size_t count = in.get_length(smallest);
    if (!in.good()) return;
    const std::span<Member> members = graph_.add_members(count);
    for (Member& member : members) {
      if (type.kind == Kind::tk_union) member.label = read_label(in, *type.content);
      member.name = in.get_raw_string();
      if (type.kind != Kind::tk_enum) member.type = typecode(in);
      if (has_state(type.kind)) member.visibility = static_cast<Visibility>(in.get<std::int16_t>());
      if (!in.good()) return;
    }
    type.members = members;  // only now: a member without a type must never be seen
  }

  TypeGraph& graph_;
  Reader& message_;
  ByteView octets_;
  cdr::WireFormat format_;
  std::vector<Known> known_;
  unsigned depth_;
  const unsigned around_;
  unsigned deepest_;
  bool indirections_ = false;
};

/// The outermost TypeCode with an encapsulation: its octets move into the graph before anything points into them.
TypeRef read_encapsulated(Reader& in, Kind kind, unsigned depth, unsigned& levels) {
  const ByteView octets = in.get_octet_sequence();
  if (!in.good()) return {};
  auto graph = make_ref<TypeGraph>();
  std::uint8_t* copy = graph->add_bytes(octets.size());
  std::copy(octets.begin(), octets.end(), copy);

  Decoding decoding(*graph, in, {copy, octets.size()}, depth);
  const TypeCode* type = decoding.outermost(kind);
  levels = decoding.levels();
  if (type == nullptr) return {};
  if (decoding.has_indirections() && contains_itself_endlessly(*type)) {
    in.fail(errors::endless_typecode);
    return {};
  }
  return {*type, graph};
}

}  // namespace

std::uint64_t read_label(cdr::Reader& in, const TypeCode& discriminator) {
  const auto extended = [](auto value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  };
  switch (unaliased(discriminator).kind) {
    case Kind::tk_short: return extended(in.get<std::int16_t>());
    case Kind::tk_ushort: return in.get<std::uint16_t>();
    case Kind::tk_long: return extended(in.get<std::int32_t>());
    case Kind::tk_ulong:
    case Kind::tk_enum: return in.get<std::uint32_t>();
    case Kind::tk_longlong:
    case Kind::tk_ulonglong: return in.get<std::uint64_t>();
    case Kind::tk_wchar: return static_cast<std::uint32_t>(in.get_wchar());
    default: return in.get<std::uint8_t>();
  }
}

std::int32_t get_offset(cdr::Reader& in) noexcept {
  // By the standard this is a multiple of four. VisiBroker for Java does not count the padding that it jumps back over, so round up.
  return static_cast<std::int32_t>((in.get<std::uint32_t>() + 3) & ~3U);
}

TypeRef read_at_depth(cdr::Reader& in, unsigned depth, unsigned& levels) {
  const auto number = in.get<std::uint32_t>();
  if (!in.good()) return {};
  if (number == indirection) return whole_type_before(in, depth, levels);
  if (number >= kinds) {
    in.fail(errors::bad_typecode_kind);
    return {};
  }
  const auto kind = static_cast<Kind>(number);
  if (has_no_parameters(kind)) return basic(kind);
  if (!has_simple_parameters(kind)) return read_encapsulated(in, kind, depth, levels);
  TypeCode simple{.kind = kind};
  Decoding::simple_parameters(in, simple);
  if (!in.good()) return {};
  if (kind != Kind::tk_fixed && simple.length == 0) return basic(kind);
  auto graph = make_ref<TypeGraph>();
  TypeCode* type = graph->add_node();
  *type = simple;
  return {*type, graph};
}

TypeRef read(cdr::Reader& in) {
  unsigned levels = 0;
  return read_at_depth(in, 0, levels);
}

}  // namespace tenon::types
