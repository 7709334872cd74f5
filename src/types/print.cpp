// SPDX-License-Identifier: Apache-2.0
//
// Values and types as text, for people; no code reads it back.
#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/fixed.hpp"
#include "cdr/code_sets.hpp"
#include "types/typecode_cdr.hpp"
#include "types/walk.hpp"
#include "types/walker.hpp"

namespace tenon::types {
namespace {

using cdr::Reader;

template <typename T>
void append_number(std::string& out, T value) {
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (octet < 0x20 || c == '"' || c == '\\') {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", octet);
      out += escape;
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_wide(std::string& out, wchar_t value) {
  char escape[16];
  const std::uint32_t scalar = cdr::scalar_of(value);
  std::snprintf(escape, sizeof escape, scalar >= 0x20 && scalar < 0x7F ? "%c" : "\\u{%x}", scalar);
  out += escape;
}

class Printing {
 public:
  explicit Printing(std::string& out) noexcept : out_(out) {}

  template <typename T>
  T number(Reader& in) {
    const T value = in.get<T>();
    if constexpr (std::is_same_v<T, bool>) {
      out_ += value ? "TRUE" : "FALSE";
    } else {
      append_number(out_, value);
    }
    return value;
  }
  std::uint32_t enumerator(Reader& in, const TypeCode& type) {
    const auto ordinal = in.get<std::uint32_t>();
    const bool named = ordinal < type.members.size() && !type.members[ordinal].name.empty();
    if (named) {
      out_ += type.members[ordinal].name;
    } else {
      append_number(out_, ordinal);
    }
    return ordinal;
  }
  void long_double(Reader& in) { append_number(out_, in.get_long_double()); }
  void fixed(Reader& in, const TypeCode& type) {
    Fixed value;
    in.get_fixed(value, type.digits, static_cast<unsigned>(type.scale));
    out_ += value.to_string();
  }
  std::uint64_t character(Reader& in) {
    const char value = in.get_char();
    append_quoted(out_, {&value, 1});
    return static_cast<unsigned char>(value);
  }
  std::uint64_t wide_character(Reader& in) {
    const wchar_t value = in.get_wchar();
    append_wide(out_, value);
    return static_cast<std::uint32_t>(value);
  }
  void string(Reader& in, std::size_t bound) {
    std::string value;
    in.get_string(value, bound);
    append_quoted(out_, value);
  }
  void wide_string(Reader& in, std::size_t bound) {
    std::wstring value;
    in.get_wstring(value, bound);
    out_ += "L\"";
    for (const wchar_t c : value) append_wide(out_, c);
    out_ += '"';
  }
  void raw_string(Reader& in) {
    append_quoted(out_, in.get_raw_string());
    out_ += ' ';
  }
  void exception_id(Reader& in, const TypeCode& type) { take_exception_id(in, type.id); }
  void octets(Reader& in, std::size_t count) {
    static constexpr char hex[] = "0123456789abcdef";
    out_ += ':';
    for (const std::uint8_t octet : in.get_octets(count)) {
      out_ += hex[octet >> 4];
      out_ += hex[octet & 15];
    }
    out_ += ' ';
  }
  std::size_t length(Reader& in, std::size_t smallest, std::size_t bound) {
    return in.get_length(smallest, bound);
  }
  TypeRef typecode(Reader& in) {
    TypeRef type = read(in);
    if (type) out_ += "(" + text(*type) + ") ";
    return type;
  }
  void null_value() { out_ += "null"; }
  bool shared_value(Reader&, const cdr::ValueHeader&) {
    out_ += "(an earlier value)";
    return false;
  }
  void begin_value(Reader&, const cdr::ValueHeader& head, const TypeCode* type) {
    if (type == nullptr) {
      out_.append("(a value of ").append(head.id).append(")");
    } else {
      out_ += type->name;
    }
  }
  void end_value() {}
  void begin(const TypeCode& type) { out_ += list(type) ? '[' : '{'; }
  void member(const TypeCode& type, std::size_t index) {
    if (type.kind == Kind::tk_union) {
      out_ += ": ";
    } else if (index > 0) {
      out_ += ", ";
    }
    if (!list(type)) out_.append(type.members[index].name).append(" = ");
  }
  void end(const TypeCode& type) { out_ += list(type) ? ']' : '}'; }

 private:
  static bool list(const TypeCode& type) noexcept {
    return type.kind == Kind::tk_sequence || type.kind == Kind::tk_array;
  }

  std::string& out_;
};

/// Remembers the constructed types around the current part, which are only named when they occur again. Long texts are cut.
class TypeText {
 public:
  std::string out;

  void type(const TypeCode& type) {
    if (out.size() > longest) {
      if (!out.ends_with("...")) out += "...";
      return;
    }
    if (is_incomplete(type)) {
      out.append("incomplete ").append(type.id);
      return;
    }
    std::string_view kind = types::name(type.kind);
    kind.remove_prefix(3);
    out += kind;
    if (has_id(type.kind)) out.append(" ").append(type.name.empty() ? type.id : type.name);
    if (std::find(around_.begin(), around_.end(), &type) != around_.end()) return;
    around_.push_back(&type);
    details(type);
    around_.pop_back();
  }

 private:
  static constexpr std::size_t longest = 4096;

  void details(const TypeCode& type) {
    if (type.kind == Kind::tk_fixed) {
      out += "<" + std::to_string(type.digits) + "," + std::to_string(type.scale) + ">";
    }
    if (type.content != nullptr) {
      out += type.kind == Kind::tk_alias ? " = " : "<";
      this->type(*type.content);
      if (type.kind != Kind::tk_alias) out += ">";
    }
    if (type.length != 0) out += "[" + std::to_string(type.length) + "]";
    if (!has_members(type.kind)) return;
    out += " {";
    for (const Member& member : type.members) {
      if (&member != type.members.data()) out += "; ";
      if (member.type != nullptr) {
        this->type(*member.type);
        out += ' ';
      }
      out += member.name;
    }
    out += '}';
  }

  std::vector<const TypeCode*> around_;
};

}  // namespace

void print(cdr::Reader& in, std::string& out, const TypeCode& type) {
  Printing sink(out);
  Walk(in, sink).value(type);
}

std::string text(const TypeCode& type) {
  TypeText text;
  text.type(type);
  return std::move(text.out);
}

}  // namespace tenon::types
