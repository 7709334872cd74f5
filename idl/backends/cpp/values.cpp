// SPDX-License-Identifier: Apache-2.0
//
// Value types (IDL to C++11 1.6 §6.18). For `valuetype V` three classes:
//
//   V        the type of values: accessors of the state and operations, all pure virtual; how the state is marshalled
//   OBV_V    V with its state; an application derives from it, or uses it as it is if there are no operations
//   V_init   the factory: one pure function per factory of the IDL, and create_for_unmarshal()
//
// An abstract value type has only the first. A box is one class with its content.
#include <algorithm>
#include <set>

#include "idl/backends/cpp/emit.hpp"
#include "idl/backends/cpp/walk.hpp"

namespace tenon::idl::cpp {

using model::Interface;
using model::ValueType;

namespace {

std::string obv_name(const ValueType& decl) { return "OBV_" + decl.name; }
std::string factory_name(const ValueType& decl) { return decl.name + "_init"; }

// A class beside that of `decl`, qualified.
std::string beside(const ValueType& decl, const std::string& name) {
  const std::string whole = qualified(decl);
  return whole.substr(0, whole.rfind("::") + 2) + name;
}

bool is_custom(const ValueType& decl) {
  return decl.custom ||
         std::ranges::any_of(decl.all_bases, [](const ValueType* base) { return base->custom; });
}

const ValueType* concrete_base(const ValueType& decl) {
  return !decl.bases.empty() && !decl.bases.front()->abstract ? decl.bases.front() : nullptr;
}

// Whether OBV_V can be instantiated: nothing is left for the application to write.
bool is_plain_state(const ValueType& decl) {
  return !decl.abstract && !is_custom(decl) && decl.all_operations.empty() && decl.all_attributes.empty();
}

// Whether its own state may refer to other values.
bool has_values(const ValueType& decl) {
  return std::ranges::any_of(
      decl.state, [](const model::StateMember* member) { return model::contains_value_type(member->type); });
}

std::vector<model::Member> members_of(const std::vector<const model::StateMember*>& state) {
  std::vector<model::Member> members;
  for (const model::StateMember* one : state) {
    model::Member& member = members.emplace_back();
    member.name = one->name;
    member.type = one->type;
    member.location = one->location;
  }
  return members;
}

// The interfaces, with their bases, that the value type supports and its own bases do not.
std::vector<const Interface*> newly_supported(const ValueType& decl) {
  std::set<const Interface*> known;
  for (const ValueType* base : decl.all_bases) {
    for (const Interface* one : base->supports) {
      known.insert(one);
      known.insert(one->all_bases.begin(), one->all_bases.end());
    }
  }
  std::vector<const Interface*> fresh;
  const auto add = [&](const Interface* one) {
    if (known.insert(one).second) fresh.push_back(one);
  };
  for (const Interface* one : decl.supports) {
    std::ranges::for_each(one->all_bases, add);
    add(one);
  }
  return fresh;
}

std::vector<std::string> bases_of(const ValueType& decl) {
  std::vector<std::string> bases;
  for (const ValueType* base : decl.bases) bases.push_back("public virtual " + qualified(*base));
  if (bases.empty()) bases.push_back("public virtual ::CORBA::ValueBase");
  if (decl.custom) bases.push_back("public virtual ::CORBA::CustomMarshal");
  // a value may be passed as an abstract interface that its type supports
  for (const Interface* one : newly_supported(decl)) {
    if (one->abstract) bases.push_back("public virtual " + qualified(*one));
  }
  return bases;
}

// The accessors of one state member; `body` is empty for pure ones.
void declare_state(Text& out, const model::Member& member, const std::string& data) {
  const std::string name = escaped(member.name);
  const std::string type = cpp_type(*member.type);
  const auto function = [&](const std::string& head, const std::string& body) {
    out.line(data.empty() ? "virtual " + head + " = 0;" : head + " override { " + body + " }");
  };
  out.gap();
  if (is_scalar(*member.type)) {
    function("void " + name + "(" + type + " value)", data + " = value;");
    function(type + " " + name + "() const", "return " + data + ";");
  } else {
    function("void " + name + "(const " + type + "& value)", data + " = value;");
    function("void " + name + "(" + type + "&& value)", data + " = std::move(value);");
    function("const " + type + "& " + name + "() const", "return " + data + ";");
  }
  function(type + "& " + name + "()", "return " + data + ";");
}

// "public:" members first, then those that IDL calls private.
void declare_states(Text& out, const ValueType& decl, const std::vector<std::string>& data) {
  const std::vector<model::Member> members = members_of(decl.state);
  for (const bool wanted : {true, false}) {
    bool first = true;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (decl.state[i]->is_public != wanted) continue;
      if (first && !wanted) {
        out.outdent();
        out.gap();
        out.line("protected:");
        out.indent();
      }
      first = false;
      declare_state(out, members[i], data.empty() ? "" : data[i]);
    }
  }
}

void declare_operations(Text& out, const ValueType& decl) {
  std::vector<Call> calls;
  for (const Interface* one : newly_supported(decl)) {
    if (one->provided_by_orb) continue;
    std::vector<Call> more = calls_in(one->contents);
    for (Call& call : more) call.joins = one->abstract;  // the interface's class has it
    std::ranges::move(more, std::back_inserter(calls));
  }
  std::ranges::move(calls_in(decl.contents), std::back_inserter(calls));
  for (const Call& call : calls) {
    out.list((call.joins ? "" : "virtual ") + call.result_type() + " " + call.name + "(",
             call.cpp_parameters(), call.joins ? ") override = 0;" : ") = 0;");
  }
}

void declare_obv(Text& out, const ValueType& decl) {
  const std::string name = obv_name(decl);
  const ValueType* base = concrete_base(decl);
  const std::vector<model::Member> own = members_of(decl.state);
  const std::vector<std::string> data = data_names(name, own);
  std::vector<std::string> bases{"public virtual " + qualified(decl)};
  if (base != nullptr) bases.push_back("public virtual " + beside(*base, obv_name(*base)));
  out.gap();
  out.list("class " + name + " : ", bases, " {");
  out.line("public:");
  out.indent();
  out.line(name + "() = default;");
  if (!decl.all_state.empty()) {
    // the state of virtual bases can be set only after these are constructed
    std::vector<std::string> parameters;
    std::vector<std::string> body;
    const std::vector<model::Member> all = members_of(decl.all_state);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string member = escaped(all[i].name);
      parameters.push_back(cpp_type(*all[i].type) + " init_" + all[i].name);
      const std::string value = "init_" + all[i].name;
      body.push_back(name + "::" + member + "(" +
                     (is_scalar(*all[i].type) ? value : "std::move(" + value + ")") + ");");
    }
    out.list("explicit " + name + "(", parameters, ") {");
    out.indent();
    for (const std::string& line : body) out.line(line);
    out.outdent();
    out.line("}");
  }
  declare_states(out, decl, data);
  out.outdent();
  if (!own.empty()) {
    out.gap();
    out.line("private:");
    out.indent();
    for (std::size_t i = 0; i < own.size(); ++i) {
      out.line(cpp_type(*own[i].type) + " " + data[i] + "{" + initial(*own[i].type) + "};");
    }
    out.outdent();
  }
  out.line("};");
}

void declare_factory(Text& out, const ValueType& decl) {
  out.gap();
  out.line("class " + factory_name(decl) + " : public virtual ::CORBA::ValueFactoryBase {");
  out.line("public:");
  out.indent();
  for (const model::Initializer* one : decl.initializers) {
    Call call;
    call.parameters = one->parameters;
    out.list("virtual " + value_reference_to(qualified(decl)) + " " + escaped(one->name) + "(",
             call.cpp_parameters(), ") = 0;");
  }
  if (is_plain_state(decl)) {
    out.line(value_reference_to("::CORBA::ValueBase") + " create_for_unmarshal() override;");
  }
  out.outdent();
  out.line("};");
}

}  // namespace

void declare_value(Text& out, const Context& context, const ValueType& decl) {
  const std::string name = escaped(decl.name);
  out.list("class " + name + " : ", bases_of(decl), " {");
  out.line("public:");
  out.indent();
  out.line("static constexpr std::string_view _static_id = \"" + decl.repository_id + "\";");
  for (const model::Decl* item : decl.contents) {
    switch (item->kind) {
      case model::DeclKind::Operation:
      case model::DeclKind::Attribute:
      case model::DeclKind::StateMember:
      case model::DeclKind::Initializer: break;
      default: declare(out, context, *item);
    }
  }
  out.gap();
  declare_operations(out, decl);
  if (!decl.abstract) {
    out.gap();
    out.line("const ::tenon::gen::ValueInfo& _value_info() const noexcept override;");
    out.line("void _put_state(::tenon::cdr::Writer& out) const override;");
    out.line("void _get_state(::tenon::cdr::Reader& in) override;");
    if (has_values(decl)) out.line("void _clear_state() override;");
  }
  declare_states(out, decl, {});
  const auto is_private = [](const model::StateMember* member) { return !member->is_public; };
  if (std::ranges::none_of(decl.state, is_private)) {
    out.outdent();
    out.gap();
    out.line("protected:");
    out.indent();
  } else {
    out.gap();
  }
  out.line(name + "() = default;");
  out.outdent();
  out.line("};");
  if (decl.abstract) return;
  declare_obv(out, decl);
  declare_factory(out, decl);
}

void declare_value_box(Text& out, const model::ValueBox& decl) {
  out.add(R"(class $name$ final : public virtual ::CORBA::ValueBase {
public:
  static constexpr std::string_view _static_id = "$id$";
  using _boxed_type = $type$;

  $name$() = default;
  explicit $name$(_boxed_type value) : value_(std::move(value)) {}
  void _value(_boxed_type value) { value_ = std::move(value); }
  const _boxed_type& _value() const { return value_; }
  _boxed_type& _value() { return value_; }

  const ::tenon::gen::ValueInfo& _value_info() const noexcept override;
  void _put_state(::tenon::cdr::Writer& out) const override;
  void _get_state(::tenon::cdr::Reader& in) override;
$clear$
private:
  _boxed_type value_{$initial$};
};)",
          {{"name", escaped(decl.name)},
           {"id", decl.repository_id},
           {"type", cpp_type(*decl.type)},
           {"clear", model::contains_value_type(decl.type) ? "  void _clear_state() override;\n" : ""},
           {"initial", initial(*decl.type)}});
}

void declare_value_traits(Text& out, const model::Decl& decl) {
  std::string obv = qualified(decl);
  std::string factory = "::tenon::gen::PlainValueFactory<" + obv + ">";
  if (const auto* value = model::as<ValueType>(&decl)) {
    obv = value->abstract ? "void" : beside(*value, obv_name(*value));
    factory = value->abstract ? "void" : beside(*value, factory_name(*value));
  }
  declare_value_traits(out, qualified(decl), obv, factory);
}

void declare_value_traits(Text& out, const std::string& type, const std::string& obv,
                          const std::string& factory) {
  out.gap();
  out.line("template <>");
  out.list("struct IDL::traits<" + type + "> : ::tenon::gen::ValueTypeTraits<", {type, obv, factory},
           "> {};");
}

// --- a.cpp ---

namespace {

// The type's own id, then those of the bases to which a receiver may truncate it.
std::vector<std::string> ids_of(const ValueType& decl) {
  std::vector<std::string> ids{"\"" + decl.repository_id + "\""};
  for (const ValueType* one = &decl; one->truncatable && concrete_base(*one) != nullptr;) {
    one = concrete_base(*one);
    ids.push_back("\"" + one->repository_id + "\"");
  }
  return ids;
}

void define_value_info(Text& out, const Context& context, const std::string& name,
                       const std::vector<std::string>& ids, bool custom) {
  const std::string& gen = context.names.gen;
  out.line("const " + gen + "::ValueInfo& " + name + "::_value_info() const noexcept {");
  out.indent();
  out.list("static constexpr std::string_view ids[] = {", ids, "};");
  out.line("static constexpr " + gen + "::ValueInfo info{ids, " + (custom ? "true" : "false") + "};");
  out.line("return info;");
  out.outdent();
  out.line("}");
  out.gap();
}

// Emits `statement` for each line. If there are none, the parameter for the stream gets no name, since it is unused.
void define_state(Text& out, const std::string& head, const std::string& stream, const std::string& tail,
                  const std::vector<std::string>& lines) {
  out.line(head + (lines.empty() ? "" : " " + stream) + ")" + tail + " {");
  out.indent();
  for (const std::string& line : lines) out.line(line);
  out.outdent();
  out.line("}");
  out.gap();
}

void define_clear_state(Text& out, const ValueType& decl, const std::string& name) {
  if (!has_values(decl)) return;
  out.line("void " + name + "::_clear_state() {");
  out.indent();
  if (const ValueType* base = concrete_base(decl)) out.line(qualified(*base) + "::_clear_state();");
  for (const model::StateMember* member : decl.state) {
    if (model::contains_value_type(member->type)) out.line("this->" + escaped(member->name) + "() = {};");
  }
  out.outdent();
  out.line("}");
  out.gap();
}

}  // namespace

void define_value(Text& out, const Context& context, const ValueType& decl) {
  if (decl.abstract) return;
  const std::string& gen = context.names.gen;
  const std::string name = in_namespace(decl);
  out.gap();
  out.line("// " + place(context.program, decl));
  define_value_info(out, context, name, ids_of(decl), is_custom(decl));
  std::vector<std::string> put;
  std::vector<std::string> get;
  if (is_custom(decl)) {
    put.push_back("::CORBA::CustomMarshal::_put_state(out);");
    get.push_back("::CORBA::CustomMarshal::_get_state(in);");
  } else if (!has_codec(decl)) {
    put.push_back("out.fail(::tenon::errors::local_object);");
    get.push_back("in.fail(::tenon::errors::local_object);");
  } else {
    if (const ValueType* base = concrete_base(decl)) {
      put.push_back(qualified(*base) + "::_put_state(out);");
      get.push_back(qualified(*base) + "::_get_state(in);");
    }
    for (const model::StateMember* member : decl.state) {
      const std::string value = "this->" + escaped(member->name) + "()";
      put.push_back(put_statement(*member->type, value, gen));
      get.push_back(get_statement(*member->type, value, gen));
    }
  }
  define_state(out, "void " + name + "::_put_state(" + context.names.writer + "&", "out", " const", put);
  define_state(out, "void " + name + "::_get_state(" + context.names.reader + "&", "in", "", get);
  define_clear_state(out, decl, name);
  if (is_plain_state(decl)) {
    out.line(value_reference_to("::CORBA::ValueBase") + " " + factory_name(decl) +
             "::create_for_unmarshal() {");
    out.line("  return ::CORBA::make_reference<" + obv_name(decl) + ">();");
    out.line("}");
    out.gap();
  }
}

void define_value_box(Text& out, const Context& context, const model::ValueBox& decl) {
  const std::string& gen = context.names.gen;
  const std::string name = in_namespace(decl);
  out.gap();
  out.line("// " + place(context.program, decl));
  define_value_info(out, context, name, {"\"" + decl.repository_id + "\""}, false);
  define_state(out, "void " + name + "::_put_state(" + context.names.writer + "&", "out", " const",
               {put_statement(*decl.type, "value_", gen)});
  define_state(out, "void " + name + "::_get_state(" + context.names.reader + "&", "in", "",
               {get_statement(*decl.type, "value_", gen)});
  if (!model::contains_value_type(decl.type)) return;
  out.line("void " + name + "::_clear_state() { value_ = {}; }");
  out.gap();
}

}  // namespace tenon::idl::cpp
