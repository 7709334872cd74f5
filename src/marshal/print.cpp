// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/fixed.hpp"
#include "cdr/code_sets.hpp"
#include "marshal/choice.hpp"
#include "marshal/forms.hpp"
#include "marshal/held_value.hpp"
#include "marshal/layout.hpp"
#include "marshal/program.hpp"

namespace tenon::marshal {

namespace {

class Printer {
 public:
  Printer(const Unit& unit, std::string& out) : unit_(&unit), out_(out) {}

  /// The parts of a type, one after the other.
  void parts(TypeIndex type, const std::byte* base) {
    const char* between = "";
    for (const Word* at = unit_->type(type) + 1; op_of(*at) != Op::end; at = next(at)) {
      if (op_of(*at) == Op::block) continue;  // the instructions of its parts follow
      out_ += between;
      part(at, base + offset_of(*at));
      between = ", ";
    }
  }

 private:
  void part(const Word* at, const std::byte* from) {
    switch (op_of(*at)) {
      case Op::copy1: return number(from, 1);
      case Op::copy2: return number(from, 2);
      case Op::copy4: return number(from, 4);
      case Op::copy8: return number(from, 8);
      case Op::boolean: return boolean(*from != std::byte{0});
      case Op::character: return quoted(std::string_view(reinterpret_cast<const char*>(from), 1), '\'');
      case Op::wide_character: return number(from, sizeof(wchar_t));
      case Op::long_double: return number(from, 10);
      case Op::enumeration: return number(from, 4);
      case Op::fixed: out_ += reinterpret_cast<const Fixed*>(from)->to_string(); return;
      case Op::string:
      case Op::bounded_string: return quoted(*reinterpret_cast<const std::string*>(from), '"');
      case Op::wide_string:
      case Op::bounded_wide_string: return wide(*reinterpret_cast<const std::wstring*>(from));
      case Op::sequence1: return vector(from, 1);
      case Op::sequence2: return vector(from, 2);
      case Op::sequence4: return vector(from, 4);
      case Op::sequence8: return vector(from, 8);
      case Op::characters: {
        const RawVector raw = load_vector(from);
        return quoted({reinterpret_cast<const char*>(raw.begin), raw.bytes()}, '"');
      }
      case Op::booleans:
        list(reinterpret_cast<const std::vector<bool>*>(from)->size(),
             [&](std::size_t i) { boolean((*reinterpret_cast<const std::vector<bool>*>(from))[i]); });
        return;
      case Op::strings: {
        const auto& texts = *reinterpret_cast<const std::vector<std::string>*>(from);
        return list(texts.size(), [&](std::size_t i) { quoted(texts[i], '"'); });
      }
      case Op::sequence: {
        const RawVector raw = load_vector(from);
        return elements(at[3], raw.begin, raw.bytes() / size_of(*unit_->type(at[3])));
      }
      case Op::array1: return numbers(from, at[1], 1);
      case Op::array2: return numbers(from, at[1], 2);
      case Op::array4: return numbers(from, at[1], 4);
      case Op::array8: return numbers(from, at[1], 8);
      case Op::character_array: return quoted({reinterpret_cast<const char*>(from), at[1]}, '"');
      case Op::boolean_array: return list(at[1], [&](std::size_t i) { boolean(from[i] != std::byte{0}); });
      case Op::array: return elements(at[2], from, at[1]);
      case Op::call: return value(at[1], from);
      case Op::choice: return choice(at, from);
      case Op::map: return map(at, from);
      case Op::reference: out_ += "(object reference)"; return;
      case Op::any: out_ += "(any)"; return;
      case Op::typecode: out_ += "(TypeCode)"; return;
      case Op::value: out_ += "(value)"; return;
      case Op::foreign: out_ += "(of C++)"; return;
      case Op::held: return held(HeldPlace::value(from));
      case Op::block:
      case Op::end:
      case Op::count_of_ops: return;
    }
  }

  void number(const std::byte* from, std::size_t bytes) {
    out_ += "0x";
    for (std::size_t i = 0; i < bytes; ++i) {
      const std::size_t place = native_order == ByteOrder::little ? bytes - 1 - i : i;
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", std::to_integer<unsigned>(from[place]));
      out_ += digits;
    }
  }
  void boolean(bool value) { out_ += value ? "TRUE" : "FALSE"; }
  void quoted(std::string_view text, char quote) {
    out_ += quote;
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < 0x20 || c == quote || c == '\\') {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(c));
        out_ += escape;
      } else {
        out_ += c;
      }
    }
    out_ += quote;
  }
  void wide(std::wstring_view text) {
    out_ += "L\"";
    for (const wchar_t c : text) {
      const std::uint32_t scalar = cdr::scalar_of(c);
      if (scalar >= 0x20 && scalar < 0x7F && c != L'"') {
        out_ += static_cast<char>(c);
      } else {
        char escape[16];
        std::snprintf(escape, sizeof escape, "\\u{%x}", static_cast<unsigned>(scalar));
        out_ += escape;
      }
    }
    out_ += '"';
  }
  template <typename Each>
  void list(std::size_t count, Each each) {
    out_ += '[';
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) out_ += ", ";
      each(i);
    }
    out_ += ']';
  }
  void numbers(const std::byte* from, std::size_t count, std::size_t bytes) {
    list(count, [&](std::size_t i) { number(from + i * bytes, bytes); });
  }
  void vector(const std::byte* from, std::size_t bytes) {
    const RawVector raw = load_vector(from);
    numbers(raw.begin, raw.bytes() / bytes, bytes);
  }
  void value(TypeIndex type, const std::byte* from) {
    out_ += '{';
    parts(type, from);
    out_ += '}';
  }
  void elements(TypeIndex type, const std::byte* from, std::size_t count) {
    const std::size_t stride = size_of(*unit_->type(type));
    list(count, [&](std::size_t i) { value(type, from + i * stride); });
  }
  void choice(const Word* at, const std::byte* from) {
    const Selected selected = selected_member(*unit_, at, from);
    char label[24];
    std::snprintf(label, sizeof label, "(0x%llx: ", static_cast<unsigned long long>(selected.label));
    out_ += label;
    if (selected.member != nullptr) parts(selected.type, static_cast<const std::byte*>(selected.member));
    out_ += ')';
  }
  void map(const Word* at, const std::byte* from) {
    struct Context {
      Printer& printer;
      const Word* at;
      const char* between = "";
    } context{*this, at};
    out_ += '{';
    unit_->foreign[at[1]]->each(from, &context, [](void* raw, const void* key, const void* mapped) {
      auto& entry = *static_cast<Context*>(raw);
      entry.printer.out_ += entry.between;
      entry.between = ", ";
      entry.printer.parts(entry.at[4], static_cast<const std::byte*>(key));
      entry.printer.out_ += ": ";
      entry.printer.parts(entry.at[5], static_cast<const std::byte*>(mapped));
    });
    out_ += '}';
  }

  /// A value is shown where it is first met: #1 IDL:Node:1.0 {...}; after that it is #1.
  void held(const HeldValue* value) {
    if (value == nullptr) {
      out_ += "null";
      return;
    }
    const auto [known, fresh] = numbers_.emplace(value, numbers_.size() + 1);
    char number[24];
    std::snprintf(number, sizeof number, "#%zu", known->second);
    out_ += number;
    if (!fresh) return;
    if (value_depth_ == deepest_shown) {
      out_ += " {...}";
      return;
    }
    out_ += ' ';
    out_ += value->type().ids[0];
    out_ += " {";
    ++value_depth_;
    const Unit* const outer = std::exchange(unit_, &value->unit());
    parts(value->type().state, value->state());
    unit_ = outer;
    --value_depth_;
    out_ += '}';
  }
  static constexpr unsigned deepest_shown = 64;

  const Unit* unit_;
  std::string& out_;
  std::unordered_map<const HeldValue*, std::size_t> numbers_;
  unsigned value_depth_ = 0;
};

}  // namespace

void print(const Unit& unit, TypeIndex type, std::string& out, const void* memory) {
  Printer(unit, out).parts(type, static_cast<const std::byte*>(memory));
}

}  // namespace tenon::marshal
