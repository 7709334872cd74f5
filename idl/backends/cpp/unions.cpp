// SPDX-License-Identifier: Apache-2.0
//
// Unions (IDL to C++11 1.6 §6.12): the discriminator beside a std::variant with one alternative per case, number 0 being none.
// Reading a member that is not selected, and a discriminator that belongs to another member, is BAD_PARAM.
// A new union holds its default case, explicit or implicit, else its first one.
#include "idl/backends/cpp/emit.hpp"
#include "idl/backends/cpp/stub_kinds.hpp"

namespace tenon::idl::cpp {

using model::TypeKind;
using model::UnionCase;

namespace {

bool is_boolean(const model::Union& decl) {
  return model::resolve_aliases(decl.discriminator)->kind == TypeKind::Boolean;
}

// The discriminator that selecting a case sets: its first label, or one that no label names.
std::string first_label(const model::Union& decl, const UnionCase& one) {
  return literal(one.labels.empty() ? decl.default_discriminator : one.labels.front(), *decl.discriminator);
}

bool several_discriminators(const UnionCase& one) { return one.is_default || one.labels.size() > 1; }

std::size_t number(const model::Union& decl, const UnionCase& one) {
  return static_cast<std::size_t>(&one - decl.cases.data()) + 1;
}

// 0: the implicit default.
std::size_t initial_case(const model::Union& decl) {
  if (decl.implicit_default) return 0;
  return decl.default_case != nullptr ? number(decl, *decl.default_case) : 1;
}

void declare_case(Text& out, const model::Union& decl, const UnionCase& one) {
  const std::string name = escaped(one.member.name);
  const std::string type = cpp_type(*one.member.type);
  const std::string discriminator = cpp_type(*decl.discriminator);
  const std::string index = std::to_string(number(decl, one));
  const bool scalar = is_scalar(*one.member.type);
  const bool several = several_discriminators(one);
  const std::string value = scalar ? "value" : "std::move(value)";

  out.gap();
  if (several) {
    out.add(R"(void $name$($type$ value, $d$ discriminator = $label$) {
  ::tenon::gen::check_case(_case(discriminator) == $index$);
  _value.emplace<$index$>($value$);
  _discriminator = discriminator;
})",
            {{"name", name},
             {"type", type},
             {"d", discriminator},
             {"label", first_label(decl, one)},
             {"index", index},
             {"value", value}});
  } else {
    out.add(R"(void $name$($type$ value) {
  _value.emplace<$index$>($value$);
  _discriminator = $label$;
})",
            {{"name", name},
             {"type", type},
             {"label", first_label(decl, one)},
             {"index", index},
             {"value", value}});
  }
  out.add(
      R"($result$ $name$() const { return ::tenon::gen::selected<$index$>(_value); }
$type$& $name$() { return ::tenon::gen::selected<$index$>(_value); })",
      {{"result", scalar ? type : "const " + type + "&"}, {"name", name}, {"type", type}, {"index", index}});
}

// Which alternative a discriminator selects.
void declare_case_of(Text& out, const model::Union& decl) {
  const std::size_t otherwise = decl.default_case != nullptr ? number(decl, *decl.default_case) : 0;
  out.line("static constexpr std::size_t _case(" + cpp_type(*decl.discriminator) + " d) noexcept {");
  out.indent();
  if (is_boolean(decl)) {  // no switch over bool
    for (const UnionCase& one : decl.cases) {
      for (const model::Value& label : one.labels) {
        out.line(std::string("if (") + (label.boolean ? "d" : "!d") + ") return " +
                 std::to_string(number(decl, one)) + ";");
      }
    }
  } else {
    out.line("switch (d) {");
    out.indent();
    for (const UnionCase& one : decl.cases) {
      if (one.is_default) continue;  // labels beside default: name nothing else
      for (const model::Value& label : one.labels) {
        const bool last = &label == &one.labels.back();
        out.line("case " + literal(label, *decl.discriminator) + ":" +
                 (last ? " return " + std::to_string(number(decl, one)) + ";" : ""));
      }
    }
    out.line("default: break;");
    out.outdent();
    out.line("}");
  }
  out.line("return " + std::to_string(otherwise) + ";");
  out.outdent();
  out.line("}");
}

bool comparable(const model::Union& decl) {
  for (const UnionCase& one : decl.cases) {
    if (model::contains_any(one.member.type)) return false;
  }
  return true;
}

}  // namespace

void declare_union(Text& out, const Context& context, const model::Union& decl) {
  const std::string name = escaped(decl.name);
  const std::string discriminator = cpp_type(*decl.discriminator);
  out.line("class " + name + " {");
  out.line("public:");
  out.indent();
  for (const model::Decl* nested : decl.contents) declare(out, context, *nested);
  out.gap();
  out.line(name + "() = default;");
  out.gap();
  out.add(R"($d$ _d() const { return _discriminator; }
void _d($d$ discriminator) {
  ::tenon::gen::check_case(_case(discriminator) == _case(_discriminator));
  _discriminator = discriminator;
})",
          {{"d", discriminator}});
  for (const UnionCase& one : decl.cases) declare_case(out, decl, one);
  if (decl.implicit_default) {
    out.gap();
    out.add(R"(void _default() {
  _value.emplace<0>();
  _discriminator = $value$;
})",
            {{"value", literal(decl.default_discriminator, *decl.discriminator)}});
  }
  out.gap();
  out.line("void swap(" + name + "& other) { std::swap(*this, other); }");
  declare_equality(out, name, comparable(decl));
  out.outdent();
  out.gap();
  out.line("private:");
  out.indent();
  out.line("friend struct ::tenon::gen::Codec<" + name + ">;");
  out.gap();
  declare_case_of(out, decl);
  out.gap();
  const std::size_t chosen = initial_case(decl);
  std::string start;
  std::string arguments;
  if (chosen == 0) {
    start = literal(decl.default_discriminator, *decl.discriminator);
  } else {
    const UnionCase& one = decl.cases[chosen - 1];
    start = first_label(decl, one);
    const std::string value = initial(*one.member.type);
    arguments = "std::in_place_index<" + std::to_string(chosen) + ">" + (value.empty() ? "" : ", " + value);
  }
  out.line(discriminator + " _discriminator = " + start + ";");
  std::vector<std::string> alternatives{"std::monostate"};
  for (const UnionCase& one : decl.cases) alternatives.push_back(cpp_type(*one.member.type));
  out.list("std::variant<", alternatives, "> _value{" + arguments + "};");
  out.outdent();
  out.line("};");
}

void declare_union_codec(Text& out, const Context& context, const model::Union& decl) {
  const std::uint64_t smallest = context.smallest(&decl);
  if (!context.kinds.interpreted(decl)) return declare_plain_codec(out, decl, smallest);
  declare_program_codec(out, context, decl, smallest,
                        R"(static auto& discriminator(value_type& value) { return value._discriminator; }
static auto& members(value_type& value) { return value._value; })");
}

void define_union_codec(Text& out, const Context& context, const model::Union& decl) {
  if (context.kinds.interpreted(decl)) return;
  const std::string& gen = context.names.gen;
  const std::string class_name = gen + "::Codec<" + qualified(decl) + ">";
  const bool guarded = model::is_recursive(&decl);
  out.line("// " + place(context.program, decl));
  out.line("void " + class_name + "::put(" + context.names.writer + "& out, const value_type& value) {");
  out.indent();
  out.line(put_statement(*decl.discriminator, "value._discriminator", gen));
  out.line("switch (value._value.index()) {");
  out.indent();
  for (const UnionCase& one : decl.cases) {
    const std::string index = std::to_string(number(decl, one));
    out.line("case " + index + ": " +
             put_statement(*one.member.type, "std::get<" + index + ">(value._value)", gen) + " break;");
  }
  out.line("default: break;");
  out.outdent();
  out.line("}");
  out.outdent();
  out.line("}");
  out.gap();
  out.line("void " + class_name + "::get(" + context.names.reader + "& in, value_type& value) {");
  out.indent();
  if (guarded) out.line("if (!in.enter()) return;");
  out.line(get_statement(*decl.discriminator, "value._discriminator", gen));
  out.line("switch (value_type::_case(value._discriminator)) {");
  out.indent();
  for (const UnionCase& one : decl.cases) {
    const std::string index = std::to_string(number(decl, one));
    out.line("case " + index + ": " +
             get_statement(*one.member.type, "value._value.emplace<" + index + ">()", gen) + " break;");
  }
  out.line("default: value._value.emplace<0>(); break;");
  out.outdent();
  out.line("}");
  if (guarded) out.line("in.leave();");
  out.outdent();
  out.line("}");
}

}  // namespace tenon::idl::cpp
