// SPDX-License-Identifier: Apache-2.0
//
// Writing TypeCodes. An encapsulation is made in a writer of its own whose distance from the outermost TypeCode's start is known
// beforehand, because the octets always begin four octets behind the sequence length. Forms that some peers cannot read are
// avoided where the program says so (cdr/compatibility.hpp).
#include <unordered_map>

#include "base/minor_codes.hpp"
#include "cdr/compatibility.hpp"
#include "types/typecode_cdr.hpp"

namespace tenon::types {
namespace {

using cdr::Writer;

class Encoding {
 public:
  /// `here`: the position of `out`'s next byte, counted from anywhere.
  void typecode(Writer& out, std::size_t here, const TypeCode& type) {
    if (++depth_ > deepest_typecode) out.fail(errors::nested_too_deep);
    if (out.good()) node(out, here, as_written(type));
    --depth_;
  }

  static const TypeCode& as_written(const TypeCode& type) noexcept {
    // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): `type` outlives what is returned
    return cdr::is_on(cdr::compatibility().typecodes_without_aliases) ? unaliased(type) : type;
  }

 private:
  // Where `out` will put its next aligned ulong.
  static std::size_t next_ulong(Writer& out, std::size_t base) {
    out.align(4);
    return base + out.size();
  }

  // `base`: the position of out's first byte.
  void node(Writer& out, std::size_t base, const TypeCode& type) {
    if (is_incomplete(type)) return out.fail(errors::incomplete_typecode);
    const std::size_t at = next_ulong(out, base);
    if (!has_no_parameters(type.kind) && !has_simple_parameters(type.kind)) {
      const auto [known, fresh] = written_.try_emplace(&type, Written{at, 0});
      if (!fresh && !again_in_full(type, known->second)) {
        out.put(indirection);
        // counted from the offset itself
        out.put(static_cast<std::int32_t>(known->second.at) - static_cast<std::int32_t>(at + 4));
        return;
      }
      known->second = {at, 0};
    }
    out.put(static_cast<std::uint32_t>(type.kind));
    if (has_no_parameters(type.kind)) return;
    if (type.kind == Kind::tk_fixed) {
      out.put(type.digits);
      out.put(type.scale);
    } else if (has_simple_parameters(type.kind)) {
      out.put(type.length);
    } else {
      cdr::Encapsulation inside(format_inside(out.format()));
      parameters(inside.content(), at + 8, type);
      if (!inside.content().good()) return out.fail(inside.content().error());
      written_.find(&type)->second.octets = inside.content().size();
      inside.put_into(out);
      if (cdr::is_on(cdr::compatibility().typecodes_without_offsets)) written_.erase(&type);
    }
  }

  struct Written {
    std::size_t at;
    std::size_t octets;  // 0: not yet complete, so that it can only be referred to
  };

  // TAO and Orbix 2000 follow offsets to no other kinds than these.
  static bool is_referred_to(Kind kind) noexcept {
    return kind == Kind::tk_struct || kind == Kind::tk_union || kind == Kind::tk_value ||
           kind == Kind::tk_event || kind == Kind::tk_alias || kind == Kind::tk_except;
  }
  // The octets that are written again are bounded, since a few octets may refer to a large type many times.
  bool again_in_full(const TypeCode& type, const Written& before) noexcept {
    if (before.octets == 0 || is_referred_to(type.kind) || repeated_ + before.octets > most_repeated)
      return false;
    repeated_ += before.octets;
    return true;
  }

  void parameters(Writer& out, std::size_t base, const TypeCode& type) {
    if (has_id(type.kind)) {
      out.put_raw_string(type.id);
      out.put_raw_string(type.name);
    }
    switch (type.kind) {
      case Kind::tk_sequence:
      case Kind::tk_array:
        typecode(out, base, *type.content);
        out.put(type.length);
        break;
      case Kind::tk_alias:
      case Kind::tk_value_box: typecode(out, base, *type.content); break;
      case Kind::tk_struct:
      case Kind::tk_except:
      case Kind::tk_enum: members(out, base, type); break;
      case Kind::tk_union:
        typecode(out, base, *type.content);
        out.put(type.default_index);
        members(out, base, type);
        break;
      case Kind::tk_value:
      case Kind::tk_event:
        out.put(static_cast<std::int16_t>(type.modifier));
        typecode(out, base, type.content != nullptr ? *type.content : basic(Kind::tk_null));
        members(out, base, type);
        break;
      default: break;
    }
  }

  void members(Writer& out, std::size_t base, const TypeCode& type) {
    out.put_length(type.members.size());
    std::int32_t index = 0;
    for (const Member& member : type.members) {
      if (!out.good()) return;
      // the default case's label is of the discriminator's type, and means nothing
      if (type.kind == Kind::tk_union)
        write_label(out, *type.content, index == type.default_index ? 0 : member.label);
      out.put_raw_string(member.name);
      if (member.type != nullptr) typecode(out, base, *member.type);
      if (type.kind == Kind::tk_value || type.kind == Kind::tk_event) {
        out.put(static_cast<std::int16_t>(member.visibility));
      }
      ++index;
    }
  }

  static constexpr std::size_t most_repeated = std::size_t{64} * 1024;

  std::unordered_map<const TypeCode*, Written> written_;
  std::size_t repeated_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

void write_label(cdr::Writer& out, const TypeCode& discriminator, std::uint64_t value) {
  switch (unaliased(discriminator).kind) {
    case Kind::tk_short:
    case Kind::tk_ushort: return out.put(static_cast<std::uint16_t>(value));
    case Kind::tk_long:
    case Kind::tk_ulong:
    case Kind::tk_enum: return out.put(static_cast<std::uint32_t>(value));
    case Kind::tk_longlong:
    case Kind::tk_ulonglong: return out.put(value);
    case Kind::tk_wchar: return out.put_wchar(static_cast<wchar_t>(value));
    // a char's label is its octet in ISO 8859-1, which IDL is written in
    default: return out.put(static_cast<std::uint8_t>(value));
  }
}

void write(cdr::Writer& out, const TypeCode& type) {
  const TypeCode& real = Encoding::as_written(type);
  if (has_no_parameters(real.kind)) return out.put(static_cast<std::uint32_t>(real.kind));
  Encoding().typecode(out, 0, real);
}

}  // namespace tenon::types
