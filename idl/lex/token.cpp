// SPDX-License-Identifier: Apache-2.0
#include "idl/lex/token.hpp"

#include <unordered_map>

#include "idl/support/spelling.hpp"

namespace tenon::idl {

namespace {

// IDL 4.2 §7.2.4, table 7-6.
constexpr KeywordEntry keywords[] = {
    {"abstract", Keyword::Abstract, false},
    {"any", Keyword::Any, false},
    {"attribute", Keyword::Attribute, false},
    {"boolean", Keyword::Boolean, false},
    {"case", Keyword::Case, false},
    {"char", Keyword::Char, false},
    {"const", Keyword::Const, false},
    {"context", Keyword::Context, false},
    {"custom", Keyword::Custom, false},
    {"default", Keyword::Default, false},
    {"double", Keyword::Double, false},
    {"enum", Keyword::Enum, false},
    {"exception", Keyword::Exception, false},
    {"factory", Keyword::Factory, false},
    {"FALSE", Keyword::False, false},
    {"fixed", Keyword::Fixed, false},
    {"float", Keyword::Float, false},
    {"in", Keyword::In, false},
    {"inout", Keyword::InOut, false},
    {"int8", Keyword::Int8, false, true},
    {"int16", Keyword::Int16, false, true},
    {"int32", Keyword::Int32, false, true},
    {"int64", Keyword::Int64, false, true},
    {"interface", Keyword::Interface, false},
    {"local", Keyword::Local, false},
    {"long", Keyword::Long, false},
    {"module", Keyword::Module, false},
    {"native", Keyword::Native, false},
    {"Object", Keyword::Object, false},
    {"octet", Keyword::Octet, false},
    {"oneway", Keyword::Oneway, false},
    {"out", Keyword::Out, false},
    {"private", Keyword::Private, false},
    {"public", Keyword::Public, false},
    {"raises", Keyword::Raises, false},
    {"readonly", Keyword::Readonly, false},
    {"sequence", Keyword::Sequence, false},
    {"short", Keyword::Short, false},
    {"string", Keyword::String, false},
    {"struct", Keyword::Struct, false},
    {"supports", Keyword::Supports, false},
    {"switch", Keyword::Switch, false},
    {"TRUE", Keyword::True, false},
    {"truncatable", Keyword::Truncatable, false},
    {"typedef", Keyword::Typedef, false},
    {"uint8", Keyword::UInt8, false, true},
    {"uint16", Keyword::UInt16, false, true},
    {"uint32", Keyword::UInt32, false, true},
    {"uint64", Keyword::UInt64, false, true},
    {"union", Keyword::Union, false},
    {"unsigned", Keyword::Unsigned, false},
    {"ValueBase", Keyword::ValueBase, false},
    {"valuetype", Keyword::ValueType, false},
    {"void", Keyword::Void, false},
    {"wchar", Keyword::WChar, false},
    {"wstring", Keyword::WString, false},
    {"alias", Keyword::Alias, true},
    {"bitfield", Keyword::Bitfield, true},
    {"bitmask", Keyword::Bitmask, true},
    {"bitset", Keyword::Bitset, true},
    {"component", Keyword::Component, true},
    {"connector", Keyword::Connector, true},
    {"consumes", Keyword::Consumes, true},
    {"emits", Keyword::Emits, true},
    {"eventtype", Keyword::EventType, true},
    {"finder", Keyword::Finder, true},
    {"getraises", Keyword::GetRaises, true},
    {"home", Keyword::Home, true},
    {"import", Keyword::Import, true},
    {"manages", Keyword::Manages, true},
    {"map", Keyword::Map, true},
    {"mirrorport", Keyword::MirrorPort, true},
    {"multiple", Keyword::Multiple, true},
    {"port", Keyword::Port, true},
    {"porttype", Keyword::PortType, true},
    {"primarykey", Keyword::PrimaryKey, true},
    {"provides", Keyword::Provides, true},
    {"publishes", Keyword::Publishes, true},
    {"setraises", Keyword::SetRaises, true},
    {"typeid", Keyword::TypeId, true},
    {"typename", Keyword::TypeName, true},
    {"typeprefix", Keyword::TypePrefix, true},
    {"uses", Keyword::Uses, true},
};

}  // namespace

const KeywordEntry* find_keyword(std::string_view word) {
  static const auto* const table = [] {
    auto* t = new std::unordered_map<std::string, const KeywordEntry*>;
    for (const KeywordEntry& entry : keywords) t->emplace(lower(entry.text), &entry);
    return t;
  }();
  if (word.size() > 11) return nullptr;  // the longest keyword has 11 letters
  const auto it = table->find(lower(word));
  return it == table->end() ? nullptr : it->second;
}

const char* spelling(Punct punct) {
  switch (punct) {
    case Punct::None: return "";
    case Punct::Semicolon: return ";";
    case Punct::LeftBrace: return "{";
    case Punct::RightBrace: return "}";
    case Punct::LeftParen: return "(";
    case Punct::RightParen: return ")";
    case Punct::LeftBracket: return "[";
    case Punct::RightBracket: return "]";
    case Punct::Less: return "<";
    case Punct::Greater: return ">";
    case Punct::ShiftLeft: return "<<";
    case Punct::ShiftRight: return ">>";
    case Punct::Comma: return ",";
    case Punct::Colon: return ":";
    case Punct::Scope: return "::";
    case Punct::Equals: return "=";
    case Punct::Pipe: return "|";
    case Punct::Caret: return "^";
    case Punct::Ampersand: return "&";
    case Punct::Plus: return "+";
    case Punct::Minus: return "-";
    case Punct::Star: return "*";
    case Punct::Slash: return "/";
    case Punct::Percent: return "%";
    case Punct::Tilde: return "~";
    case Punct::At: return "@";
  }
  return "";
}

}  // namespace tenon::idl
