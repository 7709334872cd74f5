// SPDX-License-Identifier: Apache-2.0
//
// Tokens of preprocessed IDL. A token's text is a view into the preprocessed buffer, which outlives it.
//
// Keywords come in two strengths. Hard ones (those of CORBA 2.x and the integer types of IDL 4.2) are
// TokenKind::Keyword. Soft ones (components, map, bitmask, import ...) were ordinary names in many published
// IDL files: they are TokenKind::Identifier with `keyword` set, and the parser decides by position.
#pragma once

#include <cstdint>
#include <string_view>

#include "idl/support/location.hpp"

namespace tenon::idl {

enum class TokenKind : std::uint8_t {
  End,
  Identifier,  // text without the escaping underscore; see `escaped`
  Keyword,
  Integer,
  Floating,
  FixedPoint,
  Char,  // text with quotes (and L)
  WChar,
  String,
  WString,
  Pragma,     // text: what follows "#pragma", one line
  FileEnter,  // an #include begins / ends; where.file is the file now current
  FileLeave,
  Punctuator,
  Bad,  // already reported
};

enum class Punct : std::uint8_t {
  None,
  Semicolon,
  LeftBrace,
  RightBrace,
  LeftParen,
  RightParen,
  LeftBracket,
  RightBracket,
  Less,
  Greater,
  ShiftLeft,
  ShiftRight,
  Comma,
  Colon,
  Scope,
  Equals,
  Pipe,
  Caret,
  Ampersand,
  Plus,
  Minus,
  Star,
  Slash,
  Percent,
  Tilde,
  At,
};

enum class Keyword : std::uint8_t {
  None,
  // hard
  Abstract,
  Any,
  Attribute,
  Boolean,
  Case,
  Char,
  Const,
  Context,
  Custom,
  Default,
  Double,
  Enum,
  Exception,
  Factory,
  False,
  Fixed,
  Float,
  In,
  InOut,
  Int8,
  Int16,
  Int32,
  Int64,
  Interface,
  Local,
  Long,
  Module,
  Native,
  Object,
  Octet,
  Oneway,
  Out,
  Private,
  Public,
  Raises,
  Readonly,
  Sequence,
  Short,
  String,
  Struct,
  Supports,
  Switch,
  True,
  Truncatable,
  Typedef,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Union,
  Unsigned,
  ValueBase,
  ValueType,
  Void,
  WChar,
  WString,
  // soft
  Alias,
  Bitfield,
  Bitmask,
  Bitset,
  Component,
  Connector,
  Consumes,
  Emits,
  EventType,
  Finder,
  GetRaises,
  Home,
  Import,
  Manages,
  Map,
  MirrorPort,
  Multiple,
  Port,
  PortType,
  PrimaryKey,
  Provides,
  Publishes,
  SetRaises,
  TypeId,
  TypeName,
  TypePrefix,
  Uses,
};

struct Token {
  TokenKind kind = TokenKind::End;
  Punct punct = Punct::None;
  Keyword keyword = Keyword::None;
  Keyword collides_with =
      Keyword::None;           // an identifier that differs from a hard keyword of CORBA in case only
  bool resembles_new = false;  // one that differs from a hard keyword of IDL 4 in case only
  bool escaped = false;        // an identifier written with a leading underscore
  Span span;
  std::string_view text;
};

struct KeywordEntry {
  std::string_view text;
  Keyword keyword;
  bool soft;
  bool is_new =
      false;  // hard, but no keyword before IDL 4: names of published IDL may differ from it in case only
};

// The keyword that a word is when case is ignored; null for none. Compare entry->text for the exact spelling.
const KeywordEntry* find_keyword(std::string_view word);
const char* spelling(Punct punct);

}  // namespace tenon::idl
