// SPDX-License-Identifier: Apache-2.0
//
// The members of an exception in short, which what() reads to show them (src/mapping/cpp11/exception_text.hpp has the letters). One
// literal per exception: nothing to compile but a pointer. What would make it long is left out, and what() then says "...".
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
    default: return '?';
  }
}

class Short {
 public:
  std::string text;

  void members(const std::vector<Member>& members) {
    for (const Member& member : members) {
      if (!text.empty() && text.back() != '{') text += ' ';
      text += member.name + ':';
      type(*member.type);
      if (full()) return;
    }
  }

 private:
  bool full() const { return text.back() == '?' || text.size() > most_letters; }

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
    if (interface != nullptr && !interface->abstract && !interface->local) return text.push_back('r');
    const auto* it = model::as<model::Struct>(&decl);
    if (it == nullptr || depth_ == deepest) return text.push_back('?');
    ++depth_;
    text += '{';
    inherited(*it);
    if (!full()) text += '}';
    --depth_;
  }

  void inherited(const model::Struct& decl) {
    if (decl.base != nullptr) inherited(*decl.base);
    if (!full()) members(decl.members);
  }

  // Many of them: their number will do.
  void enumerators(const model::Enum& decl) {
    std::string names = "(";
    for (const model::Enumerator* each : decl.enumerators) {
      if (names.size() > 1) names += ',';
      names += each->name;
    }
    text += names.size() + text.size() < most_letters ? names + ')' : "L";
  }

  unsigned depth_ = 0;
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
