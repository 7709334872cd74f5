// SPDX-License-Identifier: Apache-2.0
//
// Values in words and as text, for messages; and whether two are equal.
#include <cstdio>

#include "idl/sema/evaluate.hpp"
#include "idl/support/utf8.hpp"

namespace tenon::idl {

using model::Value;
using model::ValueKind;

const char* value_noun(ValueKind kind) {
  switch (kind) {
    case ValueKind::None: return "nothing";
    case ValueKind::Integer:
    case ValueKind::Unsigned: return "an integer";
    case ValueKind::Boolean: return "a boolean";
    case ValueKind::Char: return "a character";
    case ValueKind::WChar: return "a wide character";
    case ValueKind::Float:
    case ValueKind::Double:
    case ValueKind::LongDouble: return "a floating-point number";
    case ValueKind::String: return "a string";
    case ValueKind::WString: return "a wide string";
    case ValueKind::Fixed: return "a fixed-point number";
    case ValueKind::Enumerator: return "an enumerator";
  }
  return "";
}

std::string to_text(const Value& value) {
  switch (value.kind) {
    case ValueKind::None: return "";
    case ValueKind::Integer: return std::to_string(value.integer);
    case ValueKind::Unsigned: return std::to_string(value.unsigned_integer);
    case ValueKind::Boolean: return value.boolean ? "TRUE" : "FALSE";
    case ValueKind::Char:
    case ValueKind::WChar: {
      if (value.character >= 0x20 && value.character < 0x7f) {
        return std::string("'") + static_cast<char>(value.character) + "'";
      }
      char text[16];
      std::snprintf(text, sizeof text, "'\\x%x'", static_cast<unsigned>(value.character));
      return text;
    }
    case ValueKind::Float:
    case ValueKind::Double:
    case ValueKind::LongDouble: {
      char text[64];
      std::snprintf(text, sizeof text, "%.*Lg", value.kind == ValueKind::Float ? 9 : 17, value.floating);
      return text;
    }
    case ValueKind::String: return "\"" + value.text + "\"";
    case ValueKind::WString: return "L\"" + to_utf8(value.wide) + "\"";
    case ValueKind::Fixed: return value.text;
    case ValueKind::Enumerator: return value.enumerator->name;
  }
  return "";
}

bool equal(const Value& a, const Value& b) {
  return a.kind == b.kind && a.boolean == b.boolean && a.character == b.character && a.integer == b.integer &&
         a.unsigned_integer == b.unsigned_integer && a.enumerator == b.enumerator && a.text == b.text &&
         a.wide == b.wide && !(a.floating < b.floating) && !(b.floating < a.floating);
}

}  // namespace tenon::idl
