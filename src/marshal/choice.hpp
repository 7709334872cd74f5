// SPDX-License-Identifier: Apache-2.0
//
// The cases of a union in a program, and which one is selected. Constant; any thread.
#pragma once

#include "base/minor_codes.hpp"
#include "marshal/layout.hpp"
#include "marshal/program.hpp"

namespace tenon::marshal {

class Cases {
 public:
  explicit Cases(const Word* at) noexcept : at_(at) {}

  Op discriminator() const noexcept { return static_cast<Op>(at_[0]); }
  Word enumerators() const noexcept { return at_[1]; }
  std::size_t member_bytes() const noexcept { return at_[5] & 0xFFFFFF; }

  struct Case {
    TypeIndex type = no_case;  ///< no_case: there is no member
    std::int32_t which = -1;   ///< as Foreign::select counts; -1: no member
  };
  /// What a discriminator selects, compared by the bits of its width.
  Case find(std::uint64_t label) const noexcept {
    const std::uint64_t wanted = label & mask();
    const Word* one = at_ + cases_head;
    for (Word left = at_[2]; left != 0; --left, one += case_words) {
      if (((std::uint64_t{one[1]} << 32 | one[0]) & mask()) == wanted) return made(one[2], one[3]);
    }
    return made(at_[3], at_[4]);
  }
  /// The member that a union of the engine's memory holds.
  Case held(const ChoiceHead& own) const noexcept {
    if (own.which < 0) return {};
    const auto which = static_cast<Word>(own.which);
    const Word* one = at_ + cases_head;
    for (Word left = at_[2]; left != 0; --left, one += case_words) {
      if (one[3] == which) return made(one[2], one[3]);
    }
    return made(at_[3], at_[4]);
  }
  /// The label that a new union starts with.
  std::uint64_t first_label() const noexcept {
    if (at_[2] == 0) return 0;
    return (std::uint64_t{at_[cases_head + 1]} << 32 | at_[cases_head]) & mask();
  }
  /// Bits that a discriminator has.
  std::uint64_t mask() const noexcept {
    switch (discriminator()) {
      case Op::copy1:
      case Op::boolean:
      case Op::character: return 0xFF;
      case Op::copy2: return 0xFFFF;
      case Op::copy8: return ~std::uint64_t{0};
      default: return 0xFFFFFFFF;
    }
  }

 private:
  static Case made(Word type, Word which) noexcept {
    return {type, type == no_case ? -1 : static_cast<std::int32_t>(which)};
  }
  const Word* at_;
};

/// Reads and checks a discriminator; returns its bits.
inline std::uint64_t get_discriminator(cdr::Reader& in, const Cases& cases) noexcept {
  switch (cases.discriminator()) {
    case Op::copy1: return in.get<std::uint8_t>();
    case Op::boolean: return in.get_boolean() ? 1 : 0;
    case Op::character: return static_cast<std::uint8_t>(in.get_char());
    case Op::wide_character: return static_cast<std::uint64_t>(in.get_wchar());
    case Op::copy2: return in.get<std::uint16_t>();
    case Op::copy8: return in.get<std::uint64_t>();
    case Op::enumeration: {
      const auto value = in.get<std::uint32_t>();
      if (value < cases.enumerators()) return value;
      in.fail(errors::value_out_of_range);
      return 0;
    }
    default: return in.get<std::uint32_t>();
  }
}

/// Writes a discriminator, which is checked as well.
inline void put_discriminator(cdr::Writer& out, const Cases& cases, std::uint64_t label) noexcept {
  switch (cases.discriminator()) {
    case Op::copy1: return out.put(static_cast<std::uint8_t>(label));
    case Op::boolean: return out.put(label != 0);
    case Op::character: return out.put_char(static_cast<char>(label));
    case Op::wide_character: return out.put_wchar(static_cast<wchar_t>(label));
    case Op::copy2: return out.put(static_cast<std::uint16_t>(label));
    case Op::enumeration:
      if (label >= cases.enumerators()) out.fail(errors::enum_out_of_range);
      [[fallthrough]];
    case Op::copy4: return out.put(static_cast<std::uint32_t>(label));
    default: return out.put(label);
  }
}

struct Selected {
  std::uint64_t label = 0;
  const void* member = nullptr;
  TypeIndex type = no_case;
};

/// The selected member of the union at `memory`, whose instruction is `at`.
inline Selected selected_member(const Unit& unit, const Word* at, const void* memory) noexcept {
  const Cases cases(unit.words + at[1]);
  Selected found;
  if (at[2] != no_foreign) {
    const Foreign& access = *unit.foreign[at[2]];
    found.label = static_cast<std::uint64_t>(access.label(memory));
    found.type = cases.find(found.label).type;
    if (found.type != no_case) found.member = access.member(memory);
  } else {
    const auto& own = *static_cast<const ChoiceHead*>(memory);
    found.label = own.label;
    const Cases::Case one = cases.find(own.label);
    // If the union holds no member yet, or its label was changed without its member, the label travels alone.
    if (one.type != no_case && one.which == own.which) {
      found.type = one.type;
      found.member = own.member();
    }
  }
  return found;
}

}  // namespace tenon::marshal
