// SPDX-License-Identifier: Apache-2.0
//
// The file, modules, constants and directives.
#include "idl/sema/analysis.hpp"

#include <optional>

#include "idl/model/provided.hpp"
#include "idl/model/query.hpp"
#include "idl/support/spelling.hpp"

namespace tenon::idl {

Analysis::Analysis(const ast::Specification& tree, SourceFiles& sources, Diagnostics& diagnostics,
                   AnalysisOptions options)
    : tree_(tree),
      sources_(sources),
      diagnostics_(diagnostics),
      options_(options),
      model_(std::make_unique<model::Model>()),
      scopes_(diagnostics, tree.skipped_names),
      evaluator_(scopes_, diagnostics),
      ids_(diagnostics) {}

std::unique_ptr<model::Model> Analysis::run() {
  // CORBA::TypeCode exists without any #include (CORBA 3.4 part 1, "CORBA Module").
  const ast::Name corba{"CORBA", {}};
  Scope* scope = scopes_.add(ScopeKind::Module, corba, &scopes_.file(), nullptr);
  Entry type_code;
  type_code.kind = Entry::Kind::TypeCode;
  type_code.name = "TypeCode";
  scope->entries.emplace("typecode", type_code);
  // CORBA::AbstractBase as well (§8.14, abstract interfaces): IDL files use it without declaring it.
  auto* abstract_base = model_->add<model::Native>();
  abstract_base->name = "AbstractBase";
  abstract_base->scoped_name = "::CORBA::AbstractBase";
  abstract_base->repository_id = "IDL:omg.org/CORBA/AbstractBase:1.0";
  abstract_base->in_main_file = false;
  abstract_base->provided_by_orb = true;
  Entry base;
  base.name = abstract_base->name;
  base.decl = abstract_base;
  scope->entries.emplace("abstractbase", base);
  Entry module;
  module.name = "CORBA";
  module.inner = scope;
  scopes_.file().entries.emplace("corba", module);

  definitions(tree_.body, Place{&scopes_.file(), nullptr, &model_->roots});
  finish();
  return std::move(model_);
}

void Analysis::definitions(const ast::Body& body, const Place& place) {
  for (const ast::DefinitionPtr& node : body) {
    if (diagnostics_.exhausted()) return;
    definition(*node, place);
  }
}

void Analysis::definition(const ast::Definition& node, const Place& place) {
  using Kind = ast::DefinitionKind;
  if (repeats_provided(node, place)) return;
  switch (node.kind) {
    case Kind::Module: return module(static_cast<const ast::Module&>(node), place);
    case Kind::Interface: return interface(static_cast<const ast::Interface&>(node), place);
    case Kind::Value: return value(static_cast<const ast::Value&>(node), place);
    case Kind::Struct: return struct_(static_cast<const ast::Struct&>(node), place);
    case Kind::Exception: return exception(static_cast<const ast::Exception&>(node), place);
    case Kind::Union: return union_(static_cast<const ast::Union&>(node), place);
    case Kind::Enum: return enumeration(static_cast<const ast::Enum&>(node), place);
    case Kind::Bitmask: return bitmask(static_cast<const ast::Bitmask&>(node), place);
    case Kind::Bitset: return bitset(static_cast<const ast::Bitset&>(node), place);
    case Kind::Typedef: return typedef_(static_cast<const ast::Typedef&>(node), place);
    case Kind::Constant: return constant(static_cast<const ast::Constant&>(node), place);
    case Kind::Native: return native(static_cast<const ast::Native&>(node), place);
    case Kind::Operation: return operation(static_cast<const ast::Operation&>(node), place);
    case Kind::Attribute: return attribute(static_cast<const ast::Attribute&>(node), place);
    case Kind::StateMember: return state_member(static_cast<const ast::StateMember&>(node), place);
    case Kind::Initializer: return initializer(static_cast<const ast::Initializer&>(node), place);
    case Kind::TypeId: return type_id(static_cast<const ast::TypeId&>(node), place);
    case Kind::TypePrefix: return type_prefix(static_cast<const ast::TypePrefix&>(node), place);
    case Kind::Import: return import(static_cast<const ast::Import&>(node), place);
    case Kind::Pragma: return pragma(static_cast<const ast::Pragma&>(node), place);
    case Kind::FileChange: return file_change(static_cast<const ast::FileChange&>(node), place);
    case Kind::AnnotationDecl:
      return annotation_declaration(static_cast<const ast::AnnotationDecl&>(node), place);
  }
}

namespace {

// The kind of what a definition declares; nothing for a module, which may be reopened, and for what declares no name.
std::optional<model::DeclKind> declared_kind(const ast::Definition& node) {
  using Kind = ast::DefinitionKind;
  switch (node.kind) {
    case Kind::Interface: return model::DeclKind::Interface;
    case Kind::Value:
      return static_cast<const ast::Value&>(node).boxed ? model::DeclKind::ValueBox
                                                        : model::DeclKind::ValueType;
    case Kind::Struct: return model::DeclKind::Struct;
    case Kind::Exception: return model::DeclKind::Exception;
    case Kind::Union: return model::DeclKind::Union;
    case Kind::Enum: return model::DeclKind::Enum;
    case Kind::Constant: return model::DeclKind::Constant;
    case Kind::Native: return model::DeclKind::Native;
    default: return std::nullopt;
  }
}

bool is_defined(const model::Decl& decl) {
  if (const auto* it = model::as<model::Interface>(&decl)) return it->defined;
  if (const auto* it = model::as<model::ValueType>(&decl)) return it->defined;
  if (const auto* it = model::as<model::Struct>(&decl)) return it->defined;
  if (const auto* it = model::as<model::Union>(&decl)) return it->defined;
  return true;
}

}  // namespace

// Every vendor has files of its own with the declarations of module CORBA and others, and a program may include two of them: what the
// ORB's headers have or a standard file declares may be declared again.
bool Analysis::may_be_repeated(const model::Decl* known, const ast::Name& again) const {
  return known != nullptr && (known->provided_by_orb || sources_.is_standard(known->location.file) ||
                              sources_.is_standard(again.span.where.file));
}

// AbstractBase is a native in the standard and an abstract interface in some of these files.
// (Typedefs, several of which share a definition: repeats_provided_typedef().)
bool Analysis::repeats_provided(const ast::Definition& node, const Place& place) {
  if (place.scope->kind != ScopeKind::Module) return false;
  const auto kind = declared_kind(node);
  if (!kind) return false;
  Entry* known = Scopes::find_own(*place.scope, node.name.text);
  if (known == nullptr || known->name != node.name.text) return false;
  if (known->kind == Entry::Kind::TypeCode && *kind == model::DeclKind::Interface) {
    // From here on it is an interface with a declaration, whose type is that of TypeCodes all the same (named_type()).
    place.scope->entries.erase(lower(node.name.text));
    return false;
  }
  if (known->kind != Entry::Kind::Declaration || !may_be_repeated(known->decl, node.name)) return false;
  if (*kind == model::DeclKind::Native &&
      known->span.where.line == 0) {  // of a declaration that exists without any file
    introduce(*mutable_node(known->decl), node.name, place);
    known->span = node.name.span;
    return true;
  }
  const bool abstract_base =
      *kind == model::DeclKind::Interface && known->decl->scoped_name == "::CORBA::AbstractBase";
  return abstract_base || (known->decl->kind == *kind && is_defined(*known->decl));
}

void Analysis::introduce(model::Decl& decl, const ast::Name& name, const Place& place, bool listed) {
  decl.name = name.text;
  decl.scoped_name = place.scope->scoped_name + "::" + name.text;
  decl.location = name.span.where;
  decl.parent = place.parent;
  decl.in_main_file = name.span.where.file == 0;
  decl.provided_by_orb = model::provided_by_orb(decl.scoped_name);
  decl.comment = comment_above(name.span.where);
  ids_.assign(decl);
  if (listed) place.contents->push_back(&decl);
}

bool Analysis::declare(const Place& place, const ast::Name& name, model::Decl* decl, Scope* inner,
                       const char* what) {
  Entry entry;
  entry.decl = decl;
  entry.inner = inner;
  if (inner != nullptr) scope_of_[decl] = inner;
  return scopes_.declare(*place.scope, name, std::move(entry), what);
}

namespace {

// If it does, the prefix in force around it has no part in its id.
bool begins_with_type_prefix(const ast::Module& node) {
  if (node.body.empty() || node.body.front()->kind != ast::DefinitionKind::TypePrefix) return false;
  const ast::ScopedName& target = static_cast<const ast::TypePrefix&>(*node.body.front()).target;
  return !target.parts.empty() && target.parts.back().text == node.name.text;
}

}  // namespace

void Analysis::module(const ast::Module& node, const Place& place) {
  auto* decl = model_->add<model::Module>();
  Entry* known = Scopes::find_own(*place.scope, node.name.text);
  Scope* scope = nullptr;
  const bool reopened = known != nullptr && known->name == node.name.text && known->inner != nullptr &&
                        known->inner->kind == ScopeKind::Module;
  if (reopened) {
    scope = known->inner;
    const auto* first = model::as<model::Module>(known->decl);
    introduce(*decl, node.name, place);
    if (first == nullptr) {  // CORBA, which exists before any source opens it
      known->decl = decl;
      known->span = node.name.span;
      scope->decl = decl;
      scope->span = node.name.span;
      decl->first = decl;
    } else {
      decl->first = first;
      // Vendors open CORBA under the standard's prefix or under none; what they declare in it is the same.
      const bool own_prefix =
          scope->has_type_prefix || begins_with_type_prefix(node) || scope->scoped_name == "::CORBA";
      ids_.assign_reopened(*decl, *first, own_prefix ? std::nullopt : std::optional(node.name.span));
    }
  } else {
    scope = scopes_.add(ScopeKind::Module, node.name, place.scope, decl);
    decl->first = decl;
    introduce(*decl, node.name, place);
    if (!declare(place, node.name, decl, scope, "module")) place.contents->pop_back();
  }
  modules_.push_back(decl);
  decl->annotations = annotations(node.annotations, place);
  ids_.enter_scope(*scope);
  definitions(node.body, Place{scope, decl, &decl->contents});
  ids_.leave_scope();
  if (decl->first != decl)
    decl->repository_id = decl->first->repository_id;  // a typeprefix may have changed it
}

void Analysis::native(const ast::Native& node, const Place& place) {
  auto* decl = model_->add<model::Native>();
  if (!declare(place, node.name, decl, nullptr, "native")) return;
  introduce(*decl, node.name, place);
  decl->annotations = annotations(node.annotations, place);
}

void Analysis::constant(const ast::Constant& node, const Place& place) {
  auto* decl = model_->add<model::Constant>();
  decl->type = type(*node.type, place, TypeUse::Constant);
  // The name is declared after its value is computed: a constant cannot use itself.
  const auto value = evaluator_.evaluate(*node.value, decl->type, *place.scope);
  if (value) decl->value = *value;
  if (value && decl->type->kind == model::TypeKind::Fixed && decl->type->digits == 0) {
    auto* exact = model_->add_type(model::TypeKind::Fixed);
    exact->digits = value->digits;
    exact->scale = value->scale;
    decl->type = exact;
  }
  if (!declare(place, node.name, decl, nullptr, "constant")) return;
  introduce(*decl, node.name, place);
  decl->annotations = annotations(node.annotations, place);
}

model::Decl* Analysis::directive_target(const ast::ScopedName& name, Scope& scope, const char* what) {
  const Entry* entry = scopes_.look_up(scope, name, what);
  if (entry == nullptr) return nullptr;
  if (entry->kind != Entry::Kind::Declaration || entry->decl == nullptr) {
    diagnostics_.error(name.span(), "'" + name.text() + "' has no repository id");
    return nullptr;
  }
  return mutable_node(entry->decl);
}

void Analysis::pragma(const ast::Pragma& node, const Place& place) {
  switch (node.what) {
    case ast::PragmaKind::Prefix:
      if (node.text.starts_with('/') || node.text.ends_with('/')) {
        diagnostics_.warning(node.span, "a prefix should neither begin nor end with '/'");
      }
      ids_.set_prefix(node.text);
      return;
    case ast::PragmaKind::Id:
      if (auto* decl = directive_target(node.target, *place.scope, "a declaration")) {
        ids_.set_id(*decl, node.text, node.span);
      }
      return;
    case ast::PragmaKind::Version:
      if (auto* decl = directive_target(node.target, *place.scope, "a declaration")) {
        ids_.set_version(*decl, node.text, node.span);
      }
      return;
  }
}

void Analysis::type_id(const ast::TypeId& node, const Place& place) {
  if (auto* decl = directive_target(node.target, *place.scope, "a declaration")) {
    ids_.set_id(*decl, node.id, node.id_span);
  }
}

void Analysis::type_prefix(const ast::TypePrefix& node, const Place& place) {
  const Entry* entry = scopes_.look_up(*place.scope, node.target, "a module, interface or other scope");
  if (entry == nullptr) return;
  if (entry->inner == nullptr || entry->decl == nullptr) {
    diagnostics_.error(node.target.span(),
                       "'" + node.target.text() + "' is no scope that could have a prefix");
    return;
  }
  ids_.set_type_prefix(*entry->inner, node.prefix, node.prefix_span);
}

// What an import names must be visible already: declarations come through #include only.
void Analysis::import(const ast::Import& node, const Place& place) {
  const bool known = !node.scope.parts.empty() && scopes_.find(*place.scope, node.scope) != nullptr;
  if (known) return;
  diagnostics_.error(node.span, "import finds nothing here: there is no interface repository to import from",
                     "#include the file that declares it");
}

void Analysis::file_change(const ast::FileChange& node, const Place& place) {
  if (node.enter) {
    ids_.enter_file(*place.scope);
  } else {
    ids_.leave_file();
  }
}

void Analysis::check_defined(const model::Decl& decl) {
  const auto* s = model::as<model::Struct>(&decl);
  const auto* u = model::as<model::Union>(&decl);
  if ((s != nullptr && !s->defined) || (u != nullptr && !u->defined)) {
    diagnostics_.error(Span{decl.location, static_cast<std::uint32_t>(decl.name.size())},
                       std::string(model::to_string(decl.kind)) + " '" + decl.name + "' is never defined");
  }
}

void Analysis::finish() {
  for (const auto& [decl, where] : forwards_) check_defined(*decl);
  for (model::Module* module : modules_) module->repository_id = module->first->repository_id;
  for (std::uint32_t i = 0; i < sources_.count(); ++i) {
    model::File file;
    file.path = sources_.path(i);
    file.include_name = file.path;
    file.main = i == 0;
    model_->files.push_back(std::move(file));
  }
}

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

}  // namespace

// `/** ... */` and `///` lines right above a declaration, without their marks.
std::string Analysis::comment_above(const Location& where) {
  constexpr std::size_t longest = 64 * 1024;
  std::string out;
  if (!options_.comments || where.line < 2) return out;
  std::vector<std::string> lines;
  std::uint32_t number = where.line - 1;
  std::size_t size = 0;
  auto line = sources_.line(where.file, number);
  if (!line) return out;
  if (trimmed(*line).starts_with("///")) {
    for (; line && trimmed(*line).starts_with("///") && size < longest;
         line = sources_.line(where.file, --number)) {
      lines.emplace_back(trimmed(trimmed(*line).substr(3)));
      size += lines.back().size();
    }
  } else if (trimmed(*line).ends_with("*/")) {
    bool opened = false;
    for (; line && !opened && size < longest;
         line = number > 1 ? sources_.line(where.file, --number) : std::nullopt) {
      std::string_view text = trimmed(*line);
      if (text.ends_with("*/")) {
        if (!lines.empty()) return {};  // another comment above: ours was no documentation comment
        text.remove_suffix(2);
      }
      const std::size_t open = text.find("/*");
      if (open != std::string_view::npos) {
        if (open != 0 || !text.starts_with("/**")) return {};
        text.remove_prefix(3);
        opened = true;
      } else if (text.starts_with('*')) {
        text.remove_prefix(1);
      }
      lines.emplace_back(trimmed(text));
      size += lines.back().size();
    }
    if (!opened) return {};
  }
  while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) out += (out.empty() ? "" : "\n") + *it;
  return out;
}

}  // namespace tenon::idl
