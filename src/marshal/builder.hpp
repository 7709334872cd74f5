// SPDX-License-Identifier: Apache-2.0
//
// Makes the words of types: at run time from TypeCodes (compile.cpp), and from IDL files in tenon-idl, which prints them. One thread
// at a time.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "marshal/forms.hpp"

namespace tenon::marshal {

/// Where a part lies in a value: bytes from the value's start, or from a place that only a C++ compiler knows, by an expression.
struct Place {
  std::size_t offset = 0;
  std::string from{};

  Place behind(std::size_t bytes) const { return {offset + bytes, from}; }
};

/// Words of a type or of a part of it. A word that names a type holds the type's number until all types have places.
struct Words {
  std::vector<Word> words;
  std::vector<std::size_t> type_words;                      ///< indexes of words that name types
  std::vector<std::pair<std::size_t, std::string>> places;  ///< indexes of instructions with a Place::from

  void add(Op op, const Place& place, std::initializer_list<Word> operands = {}) {
    if (!place.from.empty()) places.emplace_back(words.size(), place.from);
    words.push_back(at(op, place.offset));
    const Operand* kind = form_of(op).operands.data();
    for (const Word operand : operands) {
      if (*kind++ == Operand::type) type_words.push_back(words.size());
      words.push_back(operand);
    }
  }
  /// `op`: string or wide_string, with a bound or, where that is 0, without.
  void add_text(Op op, Word bound, const Place& place) {
    if (bound == 0) return add(op, place);
    add(op == Op::string ? Op::bounded_string : Op::bounded_wide_string, place, {fields::bound(bound)});
  }
  /// `element`: the op of one element by itself. `type` is called for the element's number where one is needed.
  template <typename TypeNumber>
  void add_sequence(Op element, Word bound, Word smallest, const Place& place, const TypeNumber& type) {
    const Op op = sequence_of(element);
    if (op != Op::sequence) return add(op, place, {fields::bound(bound)});
    add(op, place, {fields::bound(bound), fields::smallest(smallest), fields::type(type())});
  }
  template <typename TypeNumber>
  void add_array(Op element, Word count, const Place& place, const TypeNumber& type) {
    const Op op = array_of(element);
    if (op != Op::array) return add(op, place, {fields::count(count)});
    add(op, place, {fields::count(count), fields::type(type())});
  }
  void append(const Words& more) {
    for (const std::size_t index : more.type_words) type_words.push_back(words.size() + index);
    for (const auto& [index, from] : more.places) places.emplace_back(words.size() + index, from);
    words.insert(words.end(), more.words.begin(), more.words.end());
  }
};

/// The parts of a block. What lies between them is padding.
class BlockParts {
 public:
  explicit BlockParts(Place start = {}) : start_(std::move(start)) {}

  /// `count` values side by side, `offset` bytes behind the block's start. `enumerators`: of an enumeration.
  void add(Op op, std::size_t offset, std::size_t count = 1, Word enumerators = 0) {
    const std::size_t size = primitive_size(op);
    align_ = std::max(align_, size);
    masks_.resize(std::max(masks_.size(), offset + count * size), cdr::padding_octet);
    std::fill_n(masks_.begin() + static_cast<std::ptrdiff_t>(offset), count * size, mask_of(op));
    if (op == Op::character) flags_ |= block_characters;
    if (op == Op::enumeration) {
      flags_ |= block_enumerations;
      for (std::size_t i = 0; i < count; ++i, offset += size) {
        parts_.add(op, start_.behind(offset), {fields::enumerators(enumerators)});
        enumerations_.push_back({static_cast<std::uint32_t>(offset), enumerators});
      }
    } else if (count == 1) {
      parts_.add(op, start_.behind(offset));
    } else {
      parts_.add(array_of(op), start_.behind(offset), {fields::count(static_cast<Word>(count))});
    }
  }
  std::size_t words() const noexcept { return parts_.words.size(); }
  std::size_t bytes() const noexcept { return masks_.size(); }
  std::size_t align() const noexcept { return align_; }
  const std::vector<std::uint8_t>& masks() const noexcept { return masks_; }
  const std::vector<cdr::EnumerationAt>& enumerations() const noexcept { return enumerations_; }

  /// Adds the block. `repeats`: block_repeats.
  void add_to(Words& into, bool repeats) const {
    into.add(
        Op::block, start_,
        {fields::bytes(static_cast<Word>(bytes())),
         fields::parts(static_cast<Word>(words()), align_, flags_ | (repeats ? block_repeats : Word{0}))});
    const std::size_t first = into.words.size();
    into.words.resize(first + mask_words(bytes()));
    std::memcpy(into.words.data() + first, masks_.data(), bytes());
    into.append(parts_);
  }

 private:
  static constexpr cdr::ByteMask mask_of(Op op) noexcept {
    return op == Op::character ? cdr::char_octet : op == Op::boolean ? cdr::boolean_octet : cdr::any_octet;
  }

  Place start_;
  Words parts_;
  std::vector<std::uint8_t> masks_;
  std::vector<cdr::EnumerationAt> enumerations_;
  std::size_t align_ = 1;
  Word flags_ = 0;
};

}  // namespace tenon::marshal
