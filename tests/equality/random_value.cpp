// SPDX-License-Identifier: Apache-2.0
#include "tests/equality/random_value.hpp"

#include <utility>

namespace tenon::equality {
namespace {

using types::Kind;
using types::TypeCode;

std::uint64_t integer(Random& random, unsigned octets, bool is_signed) {
  std::uint64_t bits = random.bits();
  if (random.once_in(3)) bits = random.below(3) - 1;  // -1, 0, 1
  const unsigned unused = 64 - 8 * octets;
  bits <<= unused;
  if (is_signed) return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> unused);
  return bits >> unused;
}

/// Any bits but those of a signalling NaN, which some processors change on their way.
std::uint64_t floating(Random& random, unsigned octets) {
  std::uint64_t bits = integer(random, octets, false);
  const std::uint64_t exponent = octets == 4 ? 0x7F800000 : 0x7FF0000000000000;
  if ((bits & exponent) == exponent) bits &= ~(exponent >> 1);
  return bits;
}

std::string some_text(Random& random, bool ascii) {
  static constexpr const char* letters[] = {
      "a", "Z", "0", " ", "\"", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  std::string text;
  for (std::size_t left = random.below(12); left != 0; --left)
    text += letters[random.below(!ascii && random.once_in(4) ? std::size(letters) : 5)];
  return text;
}

/// Of the basic plane, so that every GIOP version has it; no byte order marks.
std::uint32_t wide_letter(Random& random) { return static_cast<std::uint32_t>(0x20 + random.below(0xD000)); }

/// IEEE 754 binary128 of a double, octet by octet from the top.
std::string quadruple(Random& random) {
  const std::uint64_t sign = std::uint64_t{random.below(2)} << 63;
  const std::uint64_t exponent = 16383 - 200 + random.below(400);
  const std::uint64_t fraction = random.bits() >> 12;  // 52 bits
  std::uint64_t halves[2] = {sign | exponent << 48 | fraction >> 4, fraction << 60};
  if (random.once_in(5)) halves[0] = halves[1] = 0;
  std::string octets;
  for (const std::uint64_t half : halves) {
    for (int shift = 56; shift >= 0; shift -= 8) octets += static_cast<char>(half >> shift & 0xFF);
  }
  return octets;
}

std::string fixed_digits(Random& random, unsigned digits) {
  std::string text;
  bool zero = true;
  for (unsigned i = 0; i < digits; ++i) {
    text += static_cast<char>('0' + random.below(10));
    zero = zero && text.back() == '0';
  }
  return text + (zero || random.once_in(2) ? '+' : '-');
}

/// Few of large elements, now and then many of small ones.
std::size_t count_of(Random& random, const TypeCode& type, unsigned depth) {
  if (depth == 0) return 0;
  const TypeCode& element = types::unaliased(*type.content);
  std::size_t most = 4;
  if (element.members.empty() && element.content == nullptr && random.once_in(4)) most = 48;
  if (element.kind == Kind::tk_struct && random.once_in(4)) most = 12;
  return random.below(most);
}

class ValueMaker {
 public:
  ValueMaker(Random& random, const TypeChoice& choice) noexcept : random_(random), choice_(choice) {
    choice_.depth = 2;
    choice_.values = false;  // their repository ids could be those of values outside
  }

  Data value(const TypeCode& type, unsigned depth) {
    Data data;
    switch (type.kind) {
      case Kind::tk_short: data.bits = integer(random_, 2, true); break;
      case Kind::tk_long: data.bits = integer(random_, 4, true); break;
      case Kind::tk_longlong: data.bits = integer(random_, 8, true); break;
      case Kind::tk_ushort: data.bits = integer(random_, 2, false); break;
      case Kind::tk_ulong: data.bits = integer(random_, 4, false); break;
      case Kind::tk_ulonglong: data.bits = integer(random_, 8, false); break;
      case Kind::tk_float: data.bits = floating(random_, 4); break;
      case Kind::tk_double: data.bits = floating(random_, 8); break;
      case Kind::tk_boolean: data.bits = random_.below(2); break;
      case Kind::tk_octet: data.bits = random_.below(256); break;
      case Kind::tk_char: data.bits = random_.below(128); break;
      case Kind::tk_wchar: data.bits = wide_letter(random_); break;
      case Kind::tk_enum: data.bits = random_.below(type.members.size()); break;
      case Kind::tk_string: data.text = some_text(random_, choice_.ascii); break;
      case Kind::tk_wstring:
        for (std::size_t left = random_.below(12); left != 0; --left)
          data.wide += static_cast<wchar_t>(wide_letter(random_));
        break;
      case Kind::tk_fixed: data.text = fixed_digits(random_, type.digits); break;
      case Kind::tk_longdouble: data.text = quadruple(random_); break;
      case Kind::tk_alias: return value(*type.content, depth);
      case Kind::tk_struct:
      case Kind::tk_except:
        for (const types::Member& member : type.members) data.parts.push_back(value(*member.type, depth));
        break;
      case Kind::tk_union: choose(type, depth, data); break;
      case Kind::tk_sequence:
        for (std::size_t left = count_of(random_, type, depth); left != 0; --left)
          data.parts.push_back(value(*type.content, depth - 1));
        break;
      case Kind::tk_array:
        for (std::uint32_t left = type.length; left != 0; --left)
          data.parts.push_back(value(*type.content, depth));
        break;
      case Kind::tk_any: {
        data.type = depth == 0 ? types::TypeRef(types::basic(Kind::tk_long)) : random_type(random_, choice_);
        data.parts.push_back(value(*data.type, depth == 0 ? 0 : depth - 1));
        break;
      }
      case Kind::tk_TypeCode: data.type = random_type(random_, choice_); break;
      case Kind::tk_objref: reference(data); break;
      case Kind::tk_value:
      case Kind::tk_value_box: return held(type, depth);
      default: break;
    }
    return data;
  }

 private:
  void choose(const TypeCode& type, unsigned depth, Data& data) {
    const TypeCode& discriminator = types::unaliased(*type.content);
    data.bits = value(discriminator, 0).bits;
    if (!random_.once_in(3)) {
      const std::size_t index = random_.below(type.members.size());
      if (static_cast<std::int32_t>(index) != type.default_index) data.bits = type.members[index].label;
    }
    if (const types::Member* member = types::selected_member(type, data.bits))
      data.parts.push_back(value(*member->type, depth));
  }

  /// Null, a value that there is already (also one around this place), or a new one.
  Data held(const TypeCode& type, unsigned depth) {
    Data data;
    if (random_.once_in(4)) return data;
    std::vector<std::uint32_t> same;
    for (const auto& [id, number] : values_) {
      if (id == type.id) same.push_back(number);
    }
    if (!same.empty() && random_.once_in(2)) {
      data.value = same[random_.below(same.size())];
      data.again = true;
      return data;
    }
    if (depth == 0) return data;
    data.value = static_cast<std::uint32_t>(values_.size() + 1);
    values_.emplace_back(type.id, data.value);
    if (type.kind == Kind::tk_value_box) {
      data.parts.push_back(value(*type.content, depth - 1));
    } else {
      state(type, depth - 1, data);
    }
    return data;
  }
  void state(const TypeCode& type, unsigned depth, Data& data) {
    if (type.content != nullptr && type.content->kind == Kind::tk_value) state(*type.content, depth, data);
    for (const types::Member& member : type.members) data.parts.push_back(value(*member.type, depth));
  }

  void reference(Data& data) {
    if (random_.once_in(3)) return;  // nil
    data.text = "IDL:equality/Somebody:1.0";
    for (std::size_t left = 1 + random_.below(3); left != 0; --left) {
      Data profile;
      profile.bits = random_.below(200);
      for (std::size_t octets = random_.below(20); octets != 0; --octets)
        profile.text += static_cast<char>(random_.below(256));
      data.parts.push_back(profile);
    }
  }

  Random& random_;
  TypeChoice choice_;  // of types inside anys
  std::vector<std::pair<std::string_view, std::uint32_t>> values_;
};

}  // namespace

Data random_value(Random& random, const types::TypeCode& type, const TypeChoice& choice, unsigned depth) {
  return ValueMaker(random, choice).value(type, depth);
}

}  // namespace tenon::equality
