// SPDX-License-Identifier: Apache-2.0
//
// The description of an exception's members that what() reads to show them (src/mapping/cpp11/corba/exception_text.hpp has the letters). It
// is one literal per exception, so it costs little to compile. Parts that would make it long are left out; what() then says "...".
#include <set>

#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {
namespace {

using model::Member;
using model::Type;
using model::TypeKind;

constexpr std::size_t most_letters = 600;
constexpr unsigned deepest = 4;

char letter(TypeKind kind) {
  switch (kind) {
    case TypeKind::Boolean: return 'b';
    case TypeKind::Char: return 'c';
    case TypeKind::WChar: return 'w';
    case TypeKind::Octet:
    case TypeKind::UInt8: return 'o';
    case TypeKind::Int8: return 'i';
    case TypeKind::Short: return 'h';
    case TypeKind::UShort: return 'H';
    case TypeKind::Long: return 'l';
    case TypeKind::ULong: return 'L';
    case TypeKind::LongLong: return 'q';
    case TypeKind::ULongLong: return 'Q';
    case TypeKind::Float: return 'f';
    case TypeKind::Double: return 'd';
    case TypeKind::LongDouble: return 'D';
    case TypeKind::String: return 's';
    case TypeKind::WString: return 'S';
    case TypeKind::Object: return 'r';
    case TypeKind::Any: return 'a';
    case TypeKind::ValueBase: return 'v';
    default: return '?';
  }
}

/// A union's label as the number on the wire.
std::string label_text(const model::Value& label) {
  switch (label.kind) {
    case model::ValueKind::Integer: return std::to_string(label.integer);
    case model::ValueKind::Unsigned: return std::to_string(static_cast<std::int64_t>(label.unsigned_integer));
    case model::ValueKind::Boolean: return label.boolean ? "1" : "0";
    case model::ValueKind::Enumerator: return std::to_string(label.enumerator->ordinal);
    default: return std::to_string(label.character);
  }
}

class Short {
 public:
  std::string text;

  void members(const std::vector<Member>& members) {
    for (const Member& member : members) {
      one(member.name, *member.type);
      if (full() || (depth_ == 0 && text.back() == '?')) return;
    }
  }

 private:
  // Text after a '?' is read only if the '?' was in a case of a union that is not selected.
  bool full() const { return text.size() > most_letters; }

  void one(const std::string& name, const Type& given) {
    if (!text.empty() && text.back() != '{') text += ' ';
    text += name + ':';
    type(given);
  }

  void type(const Type& given) {
    const Type& real = *model::resolve_aliases(&given);
    switch (real.kind) {
      case TypeKind::Fixed:
        text += '%' + std::to_string(real.digits) + '.' + std::to_string(real.scale);
        return;
      case TypeKind::Sequence: text += '*'; return type(*real.element);
      case TypeKind::Array:
        for (const std::uint64_t size : real.dimensions) text += '[' + std::to_string(size) + ']';
        return type(*real.element);
      case TypeKind::Map: return map(real);
      case TypeKind::Named: return named(*real.decl);
      default: text += letter(real.kind);
    }
  }

  // As GIOP carries it: a sequence of entries.
  void map(const Type& given) {
    text += "*{key:";
    type(*given.key);
    if (full()) return;
    text += " value:";
    type(*given.element);
    if (!full()) text += '}';
  }

  void named(const model::Decl& decl) {
    if (const auto* it = model::as<model::Enum>(&decl)) return enumerators(*it);
    if (const auto* it = model::as<model::Bitmask>(&decl)) return text.push_back(letter(it->carrier));
    if (const auto* it = model::as<model::Bitset>(&decl)) return text.push_back(letter(it->carrier));
    const auto* interface = model::as<model::Interface>(&decl);
    if (interface != nullptr && !interface->local) return text.push_back(interface->abstract ? 'A' : 'r');
    if (const auto* it = model::as<model::ValueType>(&decl)) return value_type(*it);
    if (const auto* it = model::as<model::ValueBox>(&decl)) return value_box(*it);
    if (depth_ == deepest) return text.push_back('?');
    if (const auto* it = model::as<model::Union>(&decl)) return cases(*it);
    const auto* it = model::as<model::Struct>(&decl);
    if (it == nullptr) return text.push_back('?');
    ++depth_;
    text += '{';
    inherited(*it);
    if (!full()) text += '}';
    --depth_;
  }

  void cases(const model::Union& decl) {
    ++depth_;
    text += '<';
    type(*decl.discriminator);
    const model::UnionCase* rest = nullptr;
    for (const model::UnionCase& each : decl.cases) {
      if (each.is_default) {
        rest = &each;
        continue;
      }
      std::string labels;
      for (const model::Value& label : each.labels) labels += (labels.empty() ? "" : ",") + label_text(label);
      if (!full()) one(labels + '=' + each.member.name, *each.member.type);
    }
    if (rest != nullptr && !full()) one('=' + rest->member.name, *rest->member.type);
    if (!full()) text += '>';
    --depth_;
  }

  // The state of each type stands once, wherever the value does: its id, which comes with it, leads there.
  bool begin_state(const model::Decl& decl) {
    text += 'v';
    const std::string& id = decl.repository_id;
    if (depth_ == deepest || id.find_first_of("{} \"\\") != std::string::npos || !told_.insert(&decl).second)
      return false;
    ++depth_;
    text += '=' + id + '{';
    return true;
  }
  void end_state() {
    if (!full()) text += '}';
    --depth_;
  }

  void value_type(const model::ValueType& decl) {
    if (decl.custom || decl.abstract) return text.push_back('v');
    if (!begin_state(decl)) return;
    for (const model::StateMember* member : decl.all_state) {
      if (!full()) one(member->name, *member->type);
    }
    end_state();
  }

  void value_box(const model::ValueBox& decl) {
    if (!begin_state(decl)) return;
    one("", *decl.type);
    end_state();
  }

  void inherited(const model::Struct& decl) {
    if (decl.base != nullptr) inherited(*decl.base);
    if (!full()) members(decl.members);
  }

  // If there are many, only their number is shown.
  void enumerators(const model::Enum& decl) {
    std::string names = "(";
    for (const model::Enumerator* each : decl.enumerators) {
      if (names.size() > 1) names += ',';
      names += each->name;
    }
    text += names.size() + text.size() < most_letters ? names + ')' : "L";
  }

  unsigned depth_ = 0;
  std::set<const model::Decl*> told_;  // value types whose state is in the text
};

}  // namespace

void declare_member_text(Text& out, const std::vector<Member>& members) {
  if (members.empty()) return;
  Short in_short;
  in_short.members(members);
  const std::string head = "const char* _members() const noexcept override { return ";
  const std::string& text = in_short.text;
  constexpr std::size_t indented = 6;
  if (head.size() + text.size() + indented + 5 <= Text::widest) return out.line(head + '"' + text + "\"; }");
  out.line("const char* _members() const noexcept override {");
  out.indent();
  constexpr std::size_t most_in_a_line = Text::widest - 24;
  for (std::size_t at = 0; at < text.size(); at += most_in_a_line) {
    const bool last = at + most_in_a_line >= text.size();
    out.line((at == 0 ? "return \"" : "       \"") + text.substr(at, most_in_a_line) + (last ? "\";" : "\""));
  }
  out.outdent();
  out.line("}");
}

}  // namespace tenon::idl::cpp
