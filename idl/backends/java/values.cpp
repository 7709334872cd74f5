// SPDX-License-Identifier: Apache-2.0
//
// Value types. One with state is a class, which is abstract where its program has something to write; an abstract one is an interface; a box
// is a class with its content. Supported abstract interfaces are interfaces of the class, and operations of others are its own.
#include <algorithm>

#include "idl/backends/java/calls.hpp"

namespace tenon::idl::java {

using model::Interface;
using model::TypeKind;
using model::ValueType;

namespace {

constexpr std::size_t most_parameters = 254;

bool is_custom(const ValueType& decl) {
  return decl.custom ||
         std::ranges::any_of(decl.all_bases, [](const ValueType* base) { return base->custom; });
}

const ValueType* concrete_base(const ValueType& decl) {
  return !decl.bases.empty() && !decl.bases.front()->abstract ? decl.bases.front() : nullptr;
}

// Whether the class leaves nothing for the program to write.
bool is_plain_state(const ValueType& decl) {
  return !is_custom(decl) && decl.all_operations.empty() && decl.all_attributes.empty();
}

// What a member has before it is set: null is no value of most types.
std::string initial(const Unit& unit, const model::Type& written) {
  const model::Type& type = *model::resolve_aliases(&written);
  if (!primitive_name(type).empty()) return "";
  switch (type.kind) {
    case TypeKind::String:
    case TypeKind::WString: return " = \"\"";
    case TypeKind::Fixed:
    case TypeKind::LongDouble: return " = java.math.BigDecimal.ZERO";
    case TypeKind::Sequence: {
      const std::string java = unit.type(type);
      return java.ends_with("[]") ? " = new " + java.substr(0, java.size() - 1) + "0]"
                                  : " = java.util.List.of()";
    }
    case TypeKind::Map: return " = java.util.Map.of()";
    case TypeKind::Any: return " = org.tenon.Any.EMPTY";
    case TypeKind::TypeCode: return " = org.tenon.TypeCode.of(org.tenon.TCKind.tk_null)";
    case TypeKind::Array: {
      if (primitive_name(*type.element).empty()) return "";
      std::string made = " = new " + unit.type(*type.element);
      for (const std::uint64_t dimension : type.dimensions) made += "[" + std::to_string(dimension) + "]";
      return made;
    }
    case TypeKind::Named:
      if (const auto* it = model::as<model::Enum>(type.decl))
        return " = " + unit.names.of(*it) + "." + escaped(it->enumerators.front()->name);
      return "";
    default: return "";
  }
}

// The interfaces of Java that the class or interface has besides its class.
std::vector<std::string> supertypes(const Unit& unit, const ValueType& decl) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  };
  if (decl.custom) {
    add("org.tenon.CustomValue");
  } else if (decl.bases.empty()) {
    add("org.tenon.ValueBase");
  }
  for (const ValueType* base : decl.bases) {
    if (base->abstract) add(unit.names.of(*base));
  }
  if (!decl.abstract && concrete_base(decl) == nullptr && !decl.custom && !decl.bases.empty())
    add("org.tenon.ValueBase");
  for (const Interface* one : decl.supports) {
    for (const Interface* base : one->all_bases) {
      if (base->abstract) add(unit.names.of(*base));
    }
    if (one->abstract) add(unit.names.of(*one));
  }
  return all;
}

// Its own operations, and those of supported interfaces whose Java interface it does not have.
void declare_operations(Text& out, const Unit& unit, const ValueType& decl) {
  std::vector<JavaCall> calls = calls_of(decl.operations, decl.attributes);
  std::vector<const Interface*> known;
  const auto add = [&](const Interface* one) {
    if (one->abstract || std::ranges::find(known, one) != known.end()) return;
    known.push_back(one);
    std::ranges::move(calls_of(one->operations, one->attributes), std::back_inserter(calls));
  };
  for (const Interface* one : decl.supports) {
    std::ranges::for_each(one->all_bases, add);
    add(one);
  }
  for (const JavaCall& call : calls) {
    out.gap();
    document(out, *call.decl, "");
    signature(out, unit, call, decl.abstract ? "" : "public abstract ", ";");
  }
}

std::string ids_of(const ValueType& decl) {
  std::string ids = string_literal(decl.repository_id);
  for (const ValueType* one = &decl; one->truncatable && concrete_base(*one) != nullptr;) {
    one = concrete_base(*one);
    ids += ", " + string_literal(one->repository_id);
  }
  return ids;
}

void declare_constructors(Text& out, const Unit& unit, const ValueType& decl) {
  const std::string name = escaped(decl.name);
  out.gap();
  out.line("public " + name + "() {}");
  if (decl.all_state.empty() || decl.all_state.size() > most_parameters) return;
  std::vector<std::string> parameters;
  std::vector<std::string> inherited;
  for (const model::StateMember* one : decl.all_state) {
    parameters.push_back(unit.type(*one->type) + " " + escaped(one->name));
    if (one->parent != &decl) inherited.push_back(escaped(one->name));
  }
  out.gap();
  out.line("/** All of the state, that of bases first. */");
  out.list("public " + name + "(", parameters, ") {");
  out.indent();
  if (!inherited.empty()) out.list("super(", inherited, ");");
  for (const model::StateMember* one : decl.state)
    out.line("this." + escaped(one->name) + " = " + escaped(one->name) + ";");
  out.outdent();
  out.line("}");
}

void declare_accessors(Text& out, const Unit& unit, const model::StateMember& one) {
  const std::string name = escaped(one.name);
  const std::string access = one.is_public ? "public " : "protected ";
  const std::string type = unit.type(*one.type);
  out.gap();
  document(out, one, "");
  out.line(access + type + " " + name + "() {");
  out.line("  return this." + name + ";");
  out.line("}");
  out.gap();
  out.line(access + "void " + name + "(" + type + " value) {");
  out.line("  this." + name + " = value;");
  out.line("}");
}

void declare_state(Text& out, Unit& unit, const ValueType& decl) {
  const std::string override = "@" + unit.names.lang("Override");
  const bool derived = concrete_base(decl) != nullptr;
  out.gap();
  out.line(override);
  out.line("public void _read(org.tenon.CdrReader in) {");
  out.indent();
  if (derived) out.line("super._read(in);");
  for (const model::StateMember* one : decl.state)
    out.line("this." + escaped(one->name) + " = " + unit.read(*one->type) + ";");
  out.outdent();
  out.line("}");
  out.gap();
  out.line(override);
  out.line("public void _write(org.tenon.CdrWriter out) {");
  out.indent();
  if (derived) out.line("super._write(out);");
  for (const model::StateMember* one : decl.state)
    out.line(unit.write(*one->type, "this." + escaped(one->name)));
  out.outdent();
  out.line("}");
}

void declare_ids(Text& out, const Unit& unit, const std::string& ids) {
  const std::string string = unit.names.lang("String");
  out.gap();
  out.add(R"(private static final $string$[] _ids = {$ids$};

@$override$
public $string$[] _truncatable_ids() {
  return _ids;
})",
          {{"string", string}, {"ids", ids}, {"override", unit.names.lang("Override")}});
}

void declare_value_read(Text& out, const std::string& type, const std::string& make) {
  out.gap();
  out.line("/** May be null. */");
  out.line("public static " + type + " read(org.tenon.CdrReader in) {");
  out.line("  return in.readValue(" + type + ".class, _ID, " + make + ");");
  out.line("}");
}

}  // namespace

void declare_value(Text& out, Unit& unit, const ValueType& decl) {
  const std::string type = unit.names.of(decl);
  const ValueType* base = concrete_base(decl);
  const std::vector<std::string> others = supertypes(unit, decl);
  document(out, decl, decl.repository_id);
  std::string head = "public ";
  if (decl.abstract) {
    head += "interface " + escaped(decl.name) + " extends " + cpp::join(others, ", ");
  } else {
    head += std::string(is_plain_state(decl) ? "" : "abstract ") + "class " + escaped(decl.name);
    if (base != nullptr) head += " extends " + unit.names.of(*base);
    if (!others.empty()) head += " implements " + cpp::join(others, ", ");
  }
  out.line(head + " {");
  out.indent();
  out.line("public static final " + unit.names.lang("String") +
           " _ID = " + string_literal(decl.repository_id) + ";");
  declare_nested(out, unit, decl.contents);
  if (!decl.abstract) {
    out.gap();
    for (const model::StateMember* one : decl.state)
      out.line("private " + unit.type(*one->type) + " " + escaped(one->name) + initial(unit, *one->type) +
               ";");
    declare_constructors(out, unit, decl);
    for (const model::StateMember* one : decl.state) declare_accessors(out, unit, *one);
  }
  declare_operations(out, unit, decl);
  if (!decl.abstract) {
    declare_ids(out, unit, ids_of(decl));
    if (!is_custom(decl)) declare_state(out, unit, decl);
  }
  declare_value_read(out, type, "null");
  declare_type_class(out, unit, decl, type, type + ".read(in)", "out.writeValue(value);");
  unit.declare_types(out);
  out.outdent();
  out.line("}");
}

void declare_value_factory(Text& out, Unit& unit, const ValueType& decl) {
  const model::Type result{.kind = TypeKind::Named, .decl = &decl};
  out.line("/** Makes values of type " + unit.names.of(decl) + ". */");
  out.line("public interface " + unit.names.simple(decl, "ValueFactory") +
           " extends org.tenon.ValueFactory {");
  out.indent();
  for (const model::Initializer* one : decl.initializers) {
    out.gap();
    document(out, *one, "");
    signature(out, unit, {escaped(one->name), one->name, &result, one->parameters, &one->raises, false, one},
              "", ";");
  }
  if (is_plain_state(decl)) {
    out.gap();
    out.line("@" + unit.names.lang("Override"));
    out.line("default " + unit.names.of(decl) + " create_for_unmarshal() {");
    out.line("  return new " + unit.names.of(decl) + "();");
    out.line("}");
  }
  out.outdent();
  out.line("}");
}

void declare_value_box(Text& out, Unit& unit, const model::ValueBox& decl) {
  const std::string type = unit.names.of(decl);
  document(out, decl, decl.repository_id + ". A box, so that its content may be null, and shared.");
  out.line("public final class " + escaped(decl.name) + " implements org.tenon.ValueBase {");
  out.indent();
  out.line("public static final " + unit.names.lang("String") +
           " _ID = " + string_literal(decl.repository_id) + ";");
  out.gap();
  out.add(R"(private $content$ value$initial$;

public $name$() {}

public $name$($content$ value) {
  this.value = value;
}

public $content$ value() {
  return this.value;
}

public void value($content$ value) {
  this.value = value;
})",
          {{"name", escaped(decl.name)},
           {"content", unit.type(*decl.type)},
           {"initial", initial(unit, *decl.type)}});
  declare_ids(out, unit, string_literal(decl.repository_id));
  const std::string override = "@" + unit.names.lang("Override");
  out.gap();
  out.add(R"($override$
public void _read(org.tenon.CdrReader in) {
  this.value = $read$;
}

$override$
public void _write(org.tenon.CdrWriter out) {
  $write$
})",
          {{"override", override},
           {"read", unit.read(*decl.type)},
           {"write", unit.write(*decl.type, "this.value")}});
  declare_value_read(out, type, type + "::new");
  declare_type_class(out, unit, decl, type, type + ".read(in)", "out.writeValue(value);");
  unit.declare_types(out);
  out.outdent();
  out.line("}");
}

}  // namespace tenon::idl::java
