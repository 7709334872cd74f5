// SPDX-License-Identifier: Apache-2.0
//
// Values of constants as Java literals, in ASCII. An escape such as \u000a would end the line, as Java reads it first of all, so that
// characters below 256 are written in octal.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>

#include "idl/backends/java/types.hpp"

namespace tenon::idl::java {

using model::ValueKind;

namespace {

void append_unit(std::string& out, std::uint32_t unit) {
  char text[8];
  if (unit == '"' || unit == '\\') {
    out += {'\\', static_cast<char>(unit)};
  } else if (unit >= 0x20 && unit < 0x7f) {
    out += static_cast<char>(unit);
  } else {
    std::snprintf(text, sizeof text, unit < 0x100 ? "\\%03o" : "\\u%04x", static_cast<unsigned>(unit));
    out += text;
  }
}

void append_scalar(std::string& out, std::uint32_t scalar) {
  if (scalar < 0x10000) return append_unit(out, scalar);
  append_unit(out, 0xd800 + ((scalar - 0x10000) >> 10));
  append_unit(out, 0xdc00 + ((scalar - 0x10000) & 0x3ff));
}

// The character at `at` in UTF-8, which then is behind it; an octet that is none, as it is.
std::uint32_t next_scalar(std::string_view text, std::size_t& at) {
  const auto octet = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = octet(at++);
  const std::size_t more = first >= 0xf0 && first < 0xf8 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  if (first < 0xc2 || first >= 0xf8 || at + more > text.size()) return first;
  std::uint32_t scalar = first & (0x3fu >> more);
  for (std::size_t i = 0; i < more; ++i) {
    if ((octet(at + i) & 0xc0) != 0x80) return first;
    scalar = scalar << 6 | (octet(at + i) & 0x3fu);
  }
  at += more;
  return scalar;
}

std::string whole_number(const Unit& unit, std::uint64_t bits, const model::Type& written) {
  const std::string type = unit.type(written);
  if (type == "byte") return "(byte) " + std::to_string(bits & 0xff);
  if (type == "short") return "(short) " + std::to_string(bits & 0xffff);
  if (type == "long") return std::to_string(static_cast<std::int64_t>(bits)) + "L";
  return std::to_string(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
}

std::string real_number(long double value, bool single) {
  char text[64];
  const auto end = single ? std::to_chars(text, text + sizeof text, static_cast<float>(value))
                          : std::to_chars(text, text + sizeof text, static_cast<double>(value));
  std::string out(text, end.ptr);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out + (single ? "F" : "");
}

}  // namespace

std::string string_literal(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) append_scalar(out, next_scalar(text, at));
  return out + "\"";
}

std::string literal(const Unit& unit, const model::Value& value, const model::Type& type) {
  switch (value.kind) {
    case ValueKind::Integer: return whole_number(unit, static_cast<std::uint64_t>(value.integer), type);
    case ValueKind::Unsigned: return whole_number(unit, value.unsigned_integer, type);
    case ValueKind::Boolean: return value.boolean ? "true" : "false";
    case ValueKind::Char:
    case ValueKind::WChar:
      if (value.character >= 0x20 && value.character < 0x7f && value.character != '\'' &&
          value.character != '\\')
        return std::string("'") + static_cast<char>(value.character) + "'";
      return "(char) " + std::to_string(value.character);
    case ValueKind::Float: return real_number(value.floating, true);
    case ValueKind::Double: return real_number(value.floating, false);
    case ValueKind::String: return string_literal(value.text);
    case ValueKind::WString: {
      std::string out = "\"";
      for (const char32_t one : value.wide) append_scalar(out, one);
      return out + "\"";
    }
    case ValueKind::Fixed: return "new java.math.BigDecimal(\"" + value.text + "\")";
    case ValueKind::Enumerator: {
      const std::string type_name = unit.names.of(*model::named_decl(&type));
      return type_name + "." + escaped(value.enumerator->name);
    }
    case ValueKind::LongDouble: {
      char digits[64];
      const auto end = std::to_chars(digits, digits + sizeof digits, value.floating);
      return "new java.math.BigDecimal(\"" + std::string(digits, end.ptr) + "\")";
    }
    case ValueKind::None: break;
  }
  throw std::logic_error("a constant without a Java form");
}

namespace {

// Java reads \u in comments, too; the rest is what HTML wants.
std::string html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "&#92;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '@') {
      out += "&#64;";
    } else if (c == '/' && out.ends_with('*')) {
      out += "&#47;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

void document(Text& out, const model::Decl& decl, const std::string& text) {
  if (decl.comment.empty()) {
    if (!text.empty()) out.line("/** " + text + " */");
    return;
  }
  out.line("/**");
  std::string_view rest = decl.comment;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string line = html(rest.substr(0, end));
    out.line(line.empty() ? " *" : " * " + line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (!text.empty()) {
    out.line(" *");
    out.line(" * <p>" + text);
  }
  out.line(" */");
}

void declare_constant(Text& out, Unit& unit, const model::Constant& decl) {
  document(out, decl, "");
  out.line("public interface " + escaped(decl.name) + " {");
  out.line("  " + unit.type(*decl.type) + " value = " + literal(unit, decl.value, *decl.type) + ";");
  out.line("}");
}

void declare_constant_field(Text& out, Unit& unit, const model::Constant& decl) {
  document(out, decl, "");
  out.line("public static final " + unit.type(*decl.type) + " " + escaped(decl.name) + " = " +
           literal(unit, decl.value, *decl.type) + ";");
}

}  // namespace tenon::idl::java
