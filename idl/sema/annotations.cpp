// SPDX-License-Identifier: Apache-2.0
//
// Annotations: the standard ones of IDL 4.2 §8.3 by table, users' own by their declarations.
//
// The code that reads the model decides what an annotation means; here its parameters are checked and
// evaluated. Unknown annotations cause a warning only, since IDL 4.2 §7.4.15.4 wants them ignored.
#include <algorithm>

#include "idl/model/constant_layout.hpp"
#include "idl/model/query.hpp"
#include "idl/sema/analysis.hpp"
#include "idl/support/spelling.hpp"

namespace tenon::idl {

using model::TypeKind;
using model::Value;
using model::ValueKind;

struct StandardAnnotation {
  enum class Kind : std::uint8_t { None, Boolean, UShort, ULong, Text, Word, Any };
  struct Parameter {
    const char* name;
    Kind kind = Kind::None;
    const char* words = "";  // of a Word: what it may be, separated by blanks
    bool required = false;
  };
  const char* name;
  Parameter parameters[3];
};

namespace {

using Kind = StandardAnnotation::Kind;

constexpr StandardAnnotation standard[] = {
    {"id", {{"value", Kind::ULong, "", true}}},
    {"autoid", {{"value", Kind::Word, "SEQUENTIAL HASH"}}},
    {"hashid", {{"value", Kind::Text}}},
    {"optional", {{"value", Kind::Boolean}}},
    {"position", {{"value", Kind::UShort, "", true}}},
    {"value", {{"value", Kind::Any, "", true}}},
    {"extensibility", {{"value", Kind::Word, "FINAL APPENDABLE MUTABLE", true}}},
    {"final", {}},
    {"appendable", {}},
    {"mutable", {}},
    {"key", {{"value", Kind::Boolean}}},
    {"must_understand", {{"value", Kind::Boolean}}},
    {"default_literal", {}},
    {"default", {{"value", Kind::Any, "", true}}},
    {"range", {{"min", Kind::Any, "", true}, {"max", Kind::Any, "", true}}},
    {"min", {{"value", Kind::Any, "", true}}},
    {"max", {{"value", Kind::Any, "", true}}},
    {"unit", {{"value", Kind::Text, "", true}}},
    {"bit_bound", {{"value", Kind::UShort, "", true}}},
    {"external", {{"value", Kind::Boolean}}},
    {"nested", {{"value", Kind::Boolean}}},
    {"default_nested", {{"value", Kind::Boolean}}},
    {"verbatim",
     {{"language", Kind::Text},
      {"placement", Kind::Word,
       "BEGIN_FILE BEFORE_DECLARATION BEGIN_DECLARATION END_DECLARATION AFTER_DECLARATION END_FILE"},
      {"text", Kind::Text, "", true}}},
    {"service", {{"platform", Kind::Text}}},
    {"oneway", {{"value", Kind::Boolean}}},
    {"ami", {{"value", Kind::Boolean}}},
    {"ignore_literal_names", {{"value", Kind::Boolean}}},
    {"try_construct", {{"value", Kind::Word, "DISCARD USE_DEFAULT TRIM"}}},
    {"non_serialized", {{"value", Kind::Boolean}}},
    {"topic", {{"name", Kind::Text}, {"platform", Kind::Text}}},
    // ours: docs/stubs.md, docs/idl.md, docs/java.md
    {"tenon::compiled", {}},
    {"tenon::interpreted", {}},
    {"tenon::view", {}},
    {"tenon::java_wrapper", {{"value", Kind::Boolean}}},
};

const StandardAnnotation* find_standard(const std::string& name) {
  const auto* it = std::find_if(std::begin(standard), std::end(standard),
                                [&](const StandardAnnotation& rule) { return name == rule.name; });
  return it == std::end(standard) ? nullptr : it;
}

bool is_one_of(const std::string& word, const std::string& words) {
  return !word.empty() && (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

Value boolean(bool value) {
  Value out;
  out.kind = ValueKind::Boolean;
  out.boolean = value;
  return out;
}

// Types that have constants; for others the value of @default and similar annotations has the type of its expression.
bool has_constants(const model::Type* type) {
  const model::Type* real = model::resolve_aliases(type);
  if (real->kind == TypeKind::Named) {
    return real->decl->kind == model::DeclKind::Enum || real->decl->kind == model::DeclKind::Bitmask;
  }
  return real->kind == TypeKind::String || real->kind == TypeKind::WString || real->kind == TypeKind::WChar ||
         real->kind == TypeKind::Fixed || model::primitive_size(real->kind) != 0;
}

}  // namespace

std::vector<model::Annotation> Analysis::annotations(const ast::Annotations& nodes, const Place& place,
                                                     const model::Type* subject,
                                                     const model::Parameter* parameter,
                                                     const model::Decl* of) {
  std::vector<model::Annotation> out;
  for (const ast::Annotation& node : nodes) {
    model::Annotation one;
    one.name = node.name.text();
    // A declaration of the user takes precedence over the standard one.
    ast::ScopedName marked = node.name;
    marked.parts.back().text = "@" + marked.parts.back().text;
    const Entry* entry = scopes_.find(*place.scope, marked);
    const auto* decl = entry != nullptr ? model::as<model::AnnotationDecl>(entry->decl) : nullptr;
    if (decl != nullptr) {
      user_annotation(node, place, *decl, one);
    } else if (const StandardAnnotation* rule = node.name.absolute ? nullptr : find_standard(one.name)) {
      standard_annotation(node, place, subject, one, *rule);
      if (one.name == "tenon::view") check_view(node.name.span(), place, parameter, of);
    } else {
      std::vector<std::string> names;
      for (const StandardAnnotation& known : standard) names.emplace_back(known.name);
      const std::string hint = nearest(one.name, names);
      diagnostics_.warning(node.name.span(), "unknown annotation '@" + one.name + "' is ignored",
                           hint.empty() ? "" : "did you mean '@" + hint + "'?");
      continue;
    }
    out.push_back(std::move(one));
  }
  return out;
}

void Analysis::standard_annotation(const ast::Annotation& node, const Place& place,
                                   const model::Type* subject, model::Annotation& out,
                                   const StandardAnnotation& rule) {
  for (const StandardAnnotation::Parameter& parameter : rule.parameters) {
    if (parameter.name == nullptr || parameter.kind == Kind::None) continue;
    const ast::Annotation::Parameter* given = nullptr;
    for (const auto& one : node.parameters) {
      const bool match = one.name ? one.name->text == parameter.name : &parameter == &rule.parameters[0];
      if (match) given = &one;
    }
    if (given == nullptr) {
      if (parameter.required) {
        diagnostics_.error(node.name.span(),
                           "@" + out.name + " needs its parameter '" + parameter.name + "'");
      } else if (parameter.kind == Kind::Boolean) {
        out.parameters.push_back({parameter.name, boolean(true)});
      }
      continue;
    }
    std::optional<Value> value;
    switch (parameter.kind) {
      case Kind::None: break;
      case Kind::Boolean:
        value = evaluator_.evaluate(*given->value, basic(TypeKind::Boolean), *place.scope);
        break;
      case Kind::UShort:
        value = evaluator_.evaluate(*given->value, basic(TypeKind::UShort), *place.scope);
        break;
      case Kind::ULong:
        value = evaluator_.evaluate(*given->value, basic(TypeKind::ULong), *place.scope);
        break;
      case Kind::Text:
        value = evaluator_.evaluate(*given->value, basic(TypeKind::String), *place.scope);
        break;
      case Kind::Any:
        value = subject != nullptr && has_constants(subject)
                    ? evaluator_.evaluate(*given->value, subject, *place.scope)
                    : evaluator_.evaluate_free(*given->value, *place.scope);
        break;
      case Kind::Word: {
        const bool is_name = given->value->kind == ast::ExprKind::Name && !given->value->name.parts.empty();
        const std::string word = is_name ? given->value->name.parts.back().text : std::string();
        if (is_one_of(word, parameter.words)) {
          value.emplace();
          value->kind = ValueKind::String;
          value->text = word;
        } else {
          diagnostics_.error(given->value->span, "@" + out.name + " takes one of " + parameter.words);
        }
        break;
      }
    }
    if (value) out.parameters.push_back({parameter.name, std::move(*value)});
  }
  for (const auto& one : node.parameters) {
    const bool unnamed_extra =
        !one.name && (rule.parameters[0].name == nullptr || node.parameters.size() > 1);
    const bool unknown =
        one.name && std::none_of(std::begin(rule.parameters), std::end(rule.parameters),
                                 [&](const StandardAnnotation::Parameter& parameter) {
                                   return parameter.name != nullptr && one.name->text == parameter.name;
                                 });
    if (unnamed_extra || unknown) {
      diagnostics_.error(one.name ? one.name->span : one.value->span,
                         "@" + out.name + " has no such parameter");
    }
  }
}

// What is wrong with @tenon::view there, if anything is.
void Analysis::check_view(const Span& where, const Place& place, const model::Parameter* parameter,
                          const model::Decl* decl) {
  const auto* owner = model::as<model::Interface>(place.parent);
  const auto* operation = model::as<model::Operation>(decl);
  if (const auto* record = model::as<model::Struct>(decl)) {
    if (!model::constant_layout(*record)) {
      diagnostics_.error(where, "@tenon::view is for structs whose members lie at constant offsets",
                         "numbers, characters, booleans, enums, structs of these, arrays of numbers");
    }
  } else if (parameter == nullptr && operation == nullptr) {
    diagnostics_.error(where,
                       "@tenon::view is for 'in' parameters of operations, for results and for structs",
                       "write it in front of 'in': void put(@tenon::view in Octets data)");
  } else if (owner == nullptr || owner->local) {
    diagnostics_.error(where, "@tenon::view is for operations whose arguments travel in a request",
                       owner == nullptr ? "those of a value type are called where it is"
                                        : "those of a local interface are called where it is");
  } else if (operation != nullptr) {
    if (model::sequence_of_constant_structs(*operation->result) == nullptr) {
      diagnostics_.error(where, "@tenon::view at an operation is for a result that is a sequence of structs",
                         "whose members lie at constant offsets");
    }
  } else if (parameter->direction != model::Direction::In) {
    diagnostics_.error(where, "@tenon::view is for 'in' parameters of operations",
                       "nothing can be written to what a request holds");
  } else if (!model::can_be_viewed(parameter->type)) {
    diagnostics_.error(where,
                       "@tenon::view is for a sequence of octets, characters, booleans, integers, floats or "
                       "doubles, or of structs of these",
                       "other types do not lie in a request as they do in memory");
  }
}

void Analysis::user_annotation(const ast::Annotation& node, const Place& place,
                               const model::AnnotationDecl& decl, model::Annotation& out) {
  out.decl = &decl;
  for (const model::AnnotationField& field : decl.fields) {
    const ast::Annotation::Parameter* given = nullptr;
    for (const auto& one : node.parameters) {
      if (one.name ? one.name->text == field.name : decl.fields.size() == 1) given = &one;
    }
    if (given != nullptr) {
      // Names of constants and enumerators declared inside the annotation are visible to its parameters.
      Scope* inside = scope_of_[&decl];
      const bool local_name = given->value->kind == ast::ExprKind::Name && inside != nullptr &&
                              scopes_.find(*place.scope, given->value->name) == nullptr;
      Scope& scope = local_name ? *inside : *place.scope;
      auto value = field.type != nullptr ? evaluator_.evaluate(*given->value, field.type, scope)
                                         : evaluator_.evaluate_free(*given->value, scope);
      if (value) out.parameters.push_back({field.name, std::move(*value)});
    } else if (field.default_value.kind != ValueKind::None) {
      out.parameters.push_back({field.name, field.default_value});
    } else {
      diagnostics_.error(node.name.span(), "@" + out.name + " needs its parameter '" + field.name + "'");
    }
  }
  for (const auto& one : node.parameters) {
    const bool known = one.name ? std::any_of(decl.fields.begin(), decl.fields.end(),
                                              [&](const auto& field) { return field.name == one.name->text; })
                                : decl.fields.size() == 1;
    if (known) continue;
    diagnostics_.error(
        one.name ? one.name->span : one.value->span,
        one.name ? "@" + out.name + " has no such parameter" : "this parameter needs its name");
  }
}

void Analysis::annotation_declaration(const ast::AnnotationDecl& node, const Place& place) {
  auto* decl = model_->add<model::AnnotationDecl>();
  Scope* inner = scopes_.add(ScopeKind::Aggregate, node.name, place.scope, decl);
  const ast::Name marked{"@" + node.name.text, node.name.span};  // annotations have names of their own
  if (!declare(place, marked, decl, inner, "annotation")) return;
  introduce(*decl, node.name, place);
  std::vector<const model::Decl*>
      inside;  // what it declares for its own parameters is of no use to back ends
  const Place body{inner, decl, &inside};
  definitions(node.body, body);
  for (const ast::AnnotationField& one : node.fields) {
    model::AnnotationField field;
    field.name = one.name.text;
    if (one.type) field.type = type(*one.type, body, TypeUse::Constant);
    if (one.default_value) {
      auto value = field.type != nullptr ? evaluator_.evaluate(*one.default_value, field.type, *inner)
                                         : evaluator_.evaluate_free(*one.default_value, *inner);
      if (value) field.default_value = std::move(*value);
    }
    Entry entry;
    entry.kind = Entry::Kind::Member;
    if (scopes_.declare(*inner, one.name, std::move(entry), "parameter"))
      decl->fields.push_back(std::move(field));
  }
}

}  // namespace tenon::idl
