// SPDX-License-Identifier: Apache-2.0
//
// For tests: the types of tests/wire/typecodes_omniorb.hex as constant data written by hand, and short ways to write and read.
#pragma once

#include <vector>

#include "base/hex.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "types/typecode.hpp"
#include "types/typecode_cdr.hpp"

namespace tenon::types::sample {

using Bytes = std::vector<std::uint8_t>;

inline constexpr TypeCode boolean_type = basic_type(Kind::tk_boolean);
inline constexpr TypeCode char_type = basic_type(Kind::tk_char);
inline constexpr TypeCode octet_type = basic_type(Kind::tk_octet);
inline constexpr TypeCode short_type = basic_type(Kind::tk_short);
inline constexpr TypeCode long_type = basic_type(Kind::tk_long);
inline constexpr TypeCode double_type = basic_type(Kind::tk_double);
inline constexpr TypeCode longlong_type = basic_type(Kind::tk_longlong);
inline constexpr TypeCode any_type = basic_type(Kind::tk_any);
inline constexpr TypeCode text_type = string_type();
inline constexpr TypeCode wide_type = wstring_type();

inline constexpr Member suit_members[] = {{"clubs"}, {"hearts"}, {"spades"}};
inline constexpr TypeCode suit = enum_type("IDL:tenon.test/Capture/Suit:1.0", "Suit", suit_members);
inline constexpr Member card_members[] = {{"colour", &suit}, {"value", &octet_type}, {"note", &text_type}};
inline constexpr TypeCode card = struct_type("IDL:tenon.test/Capture/Card:1.0", "Card", card_members);
inline constexpr TypeCode cards = sequence_type(card);
inline constexpr TypeCode hand = alias_type("IDL:tenon.test/Capture/Hand:1.0", "Hand", cards);
inline constexpr TypeCode three_longs = array_type(long_type, 3);
inline constexpr TypeCode triple = alias_type("IDL:tenon.test/Capture/Triple:1.0", "Triple", three_longs);
inline constexpr TypeCode five_triples = sequence_type(triple, 5);
inline constexpr TypeCode triples = alias_type("IDL:tenon.test/Capture/Triples:1.0", "Triples", five_triples);
inline constexpr TypeCode fixed_7_3 = fixed_type(7, 3);
inline constexpr TypeCode amount = alias_type("IDL:tenon.test/Capture/Amount:1.0", "Amount", fixed_7_3);
inline constexpr TypeCode eight_chars = string_type(8);
inline constexpr TypeCode code = alias_type("IDL:tenon.test/Capture/Code:1.0", "Code", eight_chars);
inline constexpr Member choice_members[] = {
    {"number", &long_type, 0}, {"cards", &hand, 1}, {"text", &wide_type, 0}};
inline constexpr TypeCode choice =
    union_type("IDL:tenon.test/Capture/Choice:1.0", "Choice", suit, 2, choice_members);
inline constexpr Member by_long_long_members[] = {
    {"lowest", &long_type, 0x8000000000000001}, {"text", &text_type, 5}, {"text", &text_type, 6}};
inline constexpr TypeCode by_long_long = union_type("IDL:tenon.test/Capture/ByLongLong:1.0", "ByLongLong",
                                                    longlong_type, -1, by_long_long_members);
inline constexpr Member by_char_members[] = {{"alpha", &short_type, 'a'}, {"omega", &double_type, 'z'}};
inline constexpr TypeCode by_char =
    union_type("IDL:tenon.test/Capture/ByChar:1.0", "ByChar", char_type, -1, by_char_members);

extern const TypeCode node;
inline constexpr TypeCode nodes = sequence_type(node);
inline constexpr TypeCode node_seq = alias_type("IDL:tenon.test/Capture/NodeSeq:1.0", "NodeSeq", nodes);
inline constexpr Member node_members[] = {{"value", &long_type}, {"children", &node_seq}};
inline constinit const TypeCode node = struct_type("IDL:tenon.test/Capture/Node:1.0", "Node", node_members);

inline constexpr Member twice_members[] = {
    {"first", &card}, {"more", &hand}, {"second", &card}, {"tree", &node}};
inline constexpr TypeCode twice = struct_type("IDL:tenon.test/Capture/Twice:1.0", "Twice", twice_members);
inline constexpr Member refused_members[] = {{"why", &text_type}, {"cause", &any_type}};
inline constexpr TypeCode refused =
    exception_type("IDL:tenon.test/Capture/Refused:1.0", "Refused", refused_members);
inline constexpr TypeCode thing = named_type(Kind::tk_objref, "IDL:tenon.test/Capture/Thing:1.0", "Thing");
inline constexpr TypeCode shape =
    named_type(Kind::tk_abstract_interface, "IDL:tenon.test/Capture/Shape:1.0", "Shape");
inline constexpr TypeCode here =
    named_type(Kind::tk_local_interface, "IDL:tenon.test/Capture/Here:1.0", "Here");
// omniidl exchanges public and private; so do these, to be equal to its TypeCodes
inline constexpr Member base_members[] = {{"id", &long_type, 0, Visibility::private_member},
                                          {"secret", &text_type, 0, Visibility::public_member}};
inline constexpr TypeCode base =
    value_type("IDL:tenon.test/Capture/Base:1.0", "Base", Modifier::none, nullptr, base_members);
inline constexpr Member derived_members[] = {{"next", &base, 0, Visibility::private_member}};
inline constexpr TypeCode derived = value_type("IDL:tenon.test/Capture/Derived:1.0", "Derived",
                                               Modifier::truncatable, &base, derived_members);
inline constexpr TypeCode octets = sequence_type(octet_type);
inline constexpr TypeCode box = box_type("IDL:tenon.test/Capture/Box:1.0", "Box", octets);

inline Bytes written(const TypeCode& type, cdr::WireFormat format = {}, std::size_t phase = 0) {
  cdr::Writer out(format, phase);
  write(out, type);
  return out.good() ? out.copy() : Bytes();
}

/// The whole of `bytes` as one TypeCode; null otherwise.
inline TypeRef read_whole(ByteView bytes, cdr::WireFormat format = {}, std::size_t phase = 0) {
  cdr::Reader in(bytes, format, phase);
  TypeRef type = read(in);
  return in.remaining() == 0 ? type : TypeRef();
}

/// Writes TypeCodes piece by piece, little-endian. It makes the nested encapsulations itself, without the encoder.
class Hand {
 public:
  Hand& number(std::uint32_t value) {
    while (bytes.size() % 4 != 0) bytes.push_back(0);
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
    return *this;
  }
  Hand& half(std::uint16_t value) {
    if (bytes.size() % 2 != 0) bytes.push_back(0);
    for (int shift = 0; shift < 16; shift += 8) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
    return *this;
  }
  Hand& kind(Kind kind) { return number(static_cast<std::uint32_t>(kind)); }
  Hand& text(const std::string& value) {
    number(static_cast<std::uint32_t>(value.size() + 1));
    bytes.insert(bytes.end(), value.begin(), value.end());
    bytes.push_back(0);
    return *this;
  }
  /// An encapsulation's start, until close(). All of its alignment is at most 4, so it may be counted from the outermost start.
  Hand& open() {
    number(0);
    starts.push_back(bytes.size());
    bytes.push_back(1);
    return *this;
  }
  Hand& close() {
    const auto size = static_cast<std::uint32_t>(bytes.size() - starts.back());
    for (std::size_t i = 0; i < 4; ++i)
      bytes[starts.back() - 4 + i] = static_cast<std::uint8_t>(size >> (8 * i));
    starts.pop_back();
    return *this;
  }
  /// An offset to the kind at `target`, counted from the outermost kind.
  Hand& back_to(std::size_t target) {
    number(indirection);
    return number(static_cast<std::uint32_t>(target) - static_cast<std::uint32_t>(bytes.size()));
  }
  std::size_t here() const { return bytes.size() + padding_to(bytes.size(), 4); }

  Bytes bytes;
  std::vector<std::size_t> starts;
};

}  // namespace tenon::types::sample
