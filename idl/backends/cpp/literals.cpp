// SPDX-License-Identifier: Apache-2.0
//
// Values of constants as C++ literals (IDL to C++11 1.6 §6.5). Whatever is not plain ASCII is escaped, so that the generated
// source means the same under any source character set.
#include <charconv>
#include <cstdio>
#include <stdexcept>

#include "idl/backends/cpp/names.hpp"
#include "idl/backends/cpp/types.hpp"

namespace tenon::idl::cpp {

using model::TypeKind;
using model::Value;
using model::ValueKind;

namespace {

std::string integer(std::int64_t value) {
  // the most negative number is no literal: its absolute value has no type
  if (value == INT64_MIN) return "-9223372036854775807 - 1";
  return std::to_string(value);
}

// One octet of a char or string literal; `after` is the character behind it.
std::string octet_text(unsigned char octet, char quote) {
  if (octet == static_cast<unsigned char>(quote) || octet == '\\') return {'\\', static_cast<char>(octet)};
  if (octet == '\n') return "\\n";
  if (octet == '\t') return "\\t";
  if (octet == '?') return "\\?";  // no trigraphs
  if (octet >= 0x20 && octet < 0x7F) return {static_cast<char>(octet)};
  char text[8];
  std::snprintf(text, sizeof text, "\\%03o", static_cast<unsigned>(octet));
  return text;
}

std::string wide_text(char32_t character, char quote) {
  if (character >= 0x20 && character < 0x7F) return octet_text(static_cast<unsigned char>(character), quote);
  char text[16];
  // a universal character name may not stand for a control or a surrogate; three octal digits end by themselves
  if (character < 0xA0) {
    std::snprintf(text, sizeof text, "\\%03o", static_cast<unsigned>(character));
  } else {
    std::snprintf(text, sizeof text, character > 0xFFFF ? "\\U%08X" : "\\u%04X",
                  static_cast<unsigned>(character));
  }
  return text;
}

std::string real(long double value, TypeKind kind) {
  char text[64];
  const char* suffix = "";
  std::to_chars_result end{};
  if (kind == TypeKind::Float) {
    end = std::to_chars(text, text + sizeof text, static_cast<float>(value));
    suffix = "F";
  } else if (kind == TypeKind::Double) {
    end = std::to_chars(text, text + sizeof text, static_cast<double>(value));
  } else {
    end = std::to_chars(text, text + sizeof text, value);
    suffix = "L";
  }
  std::string out(text, end.ptr);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out + suffix;
}

}  // namespace

std::string literal(const Value& value, const model::Type& type) {
  switch (value.kind) {
    case ValueKind::Integer: return integer(value.integer);
    case ValueKind::Unsigned: {
      const model::Type& real_type = *model::resolve_aliases(&type);
      const std::string number = std::to_string(value.unsigned_integer) + "U";
      return real_type.kind == TypeKind::Named ? "static_cast<" + cpp_type(type) + ">(" + number + ")"
                                               : number;
    }
    case ValueKind::Boolean: return value.boolean ? "true" : "false";
    case ValueKind::Char: return "'" + octet_text(static_cast<unsigned char>(value.character), '\'') + "'";
    case ValueKind::WChar: return "L'" + wide_text(value.character, '\'') + "'";
    case ValueKind::Float: return real(value.floating, TypeKind::Float);
    case ValueKind::Double: return real(value.floating, TypeKind::Double);
    case ValueKind::LongDouble: return real(value.floating, TypeKind::LongDouble);
    case ValueKind::String: {
      std::string out = "\"";
      for (const char c : value.text) out += octet_text(static_cast<unsigned char>(c), '"');
      return out + "\"";
    }
    case ValueKind::WString: {
      std::string out = "L\"";
      for (const char32_t c : value.wide) out += wide_text(c, '"');
      return out + "\"";
    }
    case ValueKind::Fixed: return "\"" + value.text + "\"";
    case ValueKind::Enumerator: return qualified(*value.enumerator);
    case ValueKind::None: break;
  }
  throw std::logic_error("a constant without a value");
}

}  // namespace tenon::idl::cpp
