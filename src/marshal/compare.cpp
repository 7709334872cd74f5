// SPDX-License-Identifier: Apache-2.0
//
// Equality of two values in memory. Values of value types wait in a queue until what refers to them has been compared, so that long
// chains of them need no stack.
#include <cstring>
#include <unordered_map>

#include "base/fixed.hpp"
#include "marshal/choice.hpp"
#include "marshal/held_value.hpp"
#include "marshal/layout.hpp"
#include "marshal/memory.hpp"

namespace tenon::marshal {

namespace {

class Comparison {
 public:
  bool parts(const Unit& unit, const Word* at, const std::byte* a_base, const std::byte* b_base) {
    // next() goes into blocks: their parts are compared, their padding is not
    for (; op_of(*at) != Op::end; at = next(at)) {
      if (!part(unit, at, a_base + offset_of(*at), b_base + offset_of(*at))) return false;
    }
    return true;
  }
  /// The values that were met.
  bool values() {
    while (!waiting_.empty()) {
      const auto [a, b] = waiting_.back();
      waiting_.pop_back();
      const Word* state = a->unit().type(a->type().state);
      if (!parts(a->unit(), state + 1, a->state(), b->state())) return false;
    }
    return true;
  }

 private:
  bool part(const Unit& unit, const Word* at, const std::byte* a, const std::byte* b);

  bool runs(const Unit& unit, const Word* type, const std::byte* a, const std::byte* b, std::size_t count) {
    const std::size_t stride = size_of(*type);
    for (std::size_t i = 0; i < count; ++i) {
      if (!parts(unit, type + 1, a + i * stride, b + i * stride)) return false;
    }
    return true;
  }

  bool choices(const Unit& unit, const Word* at, const std::byte* a, const std::byte* b) {
    const Selected one = selected_member(unit, at, a);
    const Selected other = selected_member(unit, at, b);
    if (one.label != other.label || (one.member == nullptr) != (other.member == nullptr)) return false;
    return one.member == nullptr ||
           parts(unit, unit.type(one.type) + 1, static_cast<const std::byte*>(one.member),
                 static_cast<const std::byte*>(other.member));
  }

  /// Each value of one graph must correspond to the same value of the other graph at every place.
  bool held(const HeldValue* a, const HeldValue* b) {
    if (a == nullptr || b == nullptr) return a == b;
    const auto [known, fresh] = partner_.emplace(a, b);
    const auto [back, back_fresh] = partner_back_.emplace(b, a);
    if (known->second != b || back->second != a) return false;
    if (!fresh || a == b) return true;
    if (&a->types() != &b->types() || &a->type() != &b->type()) return false;
    waiting_.emplace_back(a, b);
    return true;
  }

  std::unordered_map<const HeldValue*, const HeldValue*> partner_;
  std::unordered_map<const HeldValue*, const HeldValue*> partner_back_;
  std::vector<std::pair<const HeldValue*, const HeldValue*>> waiting_;
};

bool Comparison::part(const Unit& unit, const Word* at, const std::byte* a, const std::byte* b) {
  switch (const Op op = op_of(*at)) {
    case Op::copy1:
    case Op::copy2:
    case Op::copy4:
    case Op::copy8:
    case Op::boolean:
    case Op::character:
    case Op::wide_character:
    case Op::enumeration: return std::memcmp(a, b, primitive_size(op)) == 0;
    case Op::long_double: return as<long double>(a) == as<long double>(b);
    case Op::array1:
    case Op::array2:
    case Op::array4:
    case Op::array8:
    case Op::character_array:
    case Op::boolean_array: return std::memcmp(a, b, at[1] * primitive_size(op)) == 0;
    case Op::fixed: return as<Fixed>(a) == as<Fixed>(b);
    case Op::string:
    case Op::bounded_string: return as<std::string>(a) == as<std::string>(b);
    case Op::wide_string:
    case Op::bounded_wide_string: return as<std::wstring>(a) == as<std::wstring>(b);
    case Op::booleans: return as<Booleans>(a) == as<Booleans>(b);
    case Op::strings: return as<Strings>(a) == as<Strings>(b);
    case Op::sequence1:
    case Op::sequence2:
    case Op::sequence4:
    case Op::sequence8:
    case Op::characters: {
      const RawVector one = load_vector(a);
      const RawVector other = load_vector(b);
      return one.bytes() == other.bytes() &&
             (one.bytes() == 0 || std::memcmp(one.begin, other.begin, one.bytes()) == 0);
    }
    case Op::sequence: {
      const RawVector one = load_vector(a);
      const RawVector other = load_vector(b);
      const Word* type = unit.type(at[3]);
      return one.bytes() == other.bytes() &&
             runs(unit, type, one.begin, other.begin, one.bytes() / size_of(*type));
    }
    case Op::array: return runs(unit, unit.type(at[2]), a, b, at[1]);
    case Op::call: return parts(unit, unit.type(at[1]) + 1, a, b);
    case Op::choice: return at[2] != no_foreign ? unit.foreign[at[2]]->equal(a, b) : choices(unit, at, a, b);
    case Op::map:
    case Op::reference:
    case Op::any:
    case Op::typecode:
    case Op::value:
    case Op::foreign: return unit.foreign[at[1]]->equal(a, b);
    case Op::held: return held(HeldPlace::value(a), HeldPlace::value(b));
    case Op::block:
    case Op::end:
    case Op::count_of_ops: break;
  }
  return true;
}

}  // namespace

bool equal(const Unit& unit, TypeIndex type, const void* a, const void* b) {
  Comparison comparison;
  return comparison.parts(unit, unit.type(type) + 1, static_cast<const std::byte*>(a),
                          static_cast<const std::byte*>(b)) &&
         comparison.values();
}

}  // namespace tenon::marshal
