// SPDX-License-Identifier: Apache-2.0
//
// Analysis: from the syntax tree to the model. One pass in source order, as IDL declares before use.
//
// Rules are checked where a construct is built; after an error the construct is built as far as it makes
// sense, so that later mistakes are found too. The model is meant for back ends only if there were no errors.
// Threads: none.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "idl/ast/ast.hpp"
#include "idl/lex/lexer.hpp"
#include "idl/model/model.hpp"
#include "idl/sema/evaluate.hpp"
#include "idl/sema/repository_ids.hpp"
#include "idl/sema/scope.hpp"
#include "idl/support/diagnostics.hpp"
#include "idl/support/source_files.hpp"

namespace tenon::idl {

struct AnalysisOptions {
  bool comments = true;  // collect documentation comments from the original files
};

class Analysis {
 public:
  Analysis(const ast::Specification& tree, SourceFiles& sources, Diagnostics& diagnostics,
           AnalysisOptions options);
  std::unique_ptr<model::Model> run();

 private:
  static constexpr std::size_t most_ancestors = 1024;
  static constexpr std::uint32_t deepest_type =
      256;  // types in types in types: code that walks them may recurse
  static constexpr std::uint64_t largest_bound = 0xffffffff;  // a CDR length is an unsigned long

  // Where a declaration goes.
  struct Place {
    Scope* scope = nullptr;
    model::Decl* parent = nullptr;
    std::vector<const model::Decl*>* contents = nullptr;
  };
  // Where a type is used; this decides which forms are legal.
  enum class TypeUse : std::uint8_t {
    Member,
    Parameter,
    Result,
    Attribute,
    Typedef,
    Element,
    Constant,
    Discriminator,
    Box
  };

  // analysis.cpp: the file, modules, directives.
  void definitions(const ast::Body& body, const Place& place);
  void definition(const ast::Definition& node, const Place& place);
  bool repeats_provided(const ast::Definition& node, const Place& place);
  bool may_be_repeated(const model::Decl* known, const ast::Name& again) const;
  void module(const ast::Module& node, const Place& place);
  void native(const ast::Native& node, const Place& place);
  void constant(const ast::Constant& node, const Place& place);
  void pragma(const ast::Pragma& node, const Place& place);
  void type_id(const ast::TypeId& node, const Place& place);
  void type_prefix(const ast::TypePrefix& node, const Place& place);
  void import(const ast::Import& node, const Place& place);
  void file_change(const ast::FileChange& node, const Place& place);
  void finish();
  void check_defined(const model::Decl& decl);
  model::Decl* directive_target(const ast::ScopedName& name, Scope& scope, const char* what);
  // Fills the members that every declaration has, and puts it into its place.
  void introduce(model::Decl& decl, const ast::Name& name, const Place& place, bool listed = true);
  bool declare(const Place& place, const ast::Name& name, model::Decl* decl, Scope* inner, const char* what);
  std::string comment_above(const Location& where);

  // analysis_types.cpp
  const model::Type* basic(model::TypeKind kind);
  const model::Type* named(const model::Decl* decl);
  const model::Type* type(const ast::TypeSpec& spec, const Place& place, TypeUse use);  // never null
  const model::Type* named_type(const ast::TypeSpec& spec, const Place& place);
  const model::Type* inline_type(const ast::TypeSpec& spec, const Place& place);
  const model::Type* template_type(const ast::TypeSpec& spec, const Place& place);
  const model::Type* declared_type(const model::Type* base, const ast::Declarator& declarator,
                                   const Place& place);
  void check_use(const ast::TypeSpec& spec, const model::Type* type, TypeUse use);
  bool check_complete(const model::Type* type, const Span& where);
  std::uint32_t depth(const model::Type* type) const;
  std::uint32_t depth(const std::vector<model::Member>& members) const;
  void note_depth(const model::Decl& decl, std::uint32_t depth, const Span& where);
  bool repeats_provided_typedef(const Place& place, const ast::Name& name, const model::Type* type) const;
  void typedef_(const ast::Typedef& node, const Place& place);
  void enumeration(const ast::Enum& node, const Place& place);
  void bitmask(const ast::Bitmask& node, const Place& place);
  void bitset(const ast::Bitset& node, const Place& place);
  void bit_field(const ast::BitField& node, const Place& place, model::Bitset& out);

  // analysis_aggregates.cpp
  void struct_(const ast::Struct& node, const Place& place);
  void exception(const ast::Exception& node, const Place& place);
  void union_(const ast::Union& node, const Place& place);
  void members(const std::vector<ast::Member>& nodes, const Place& inside, std::vector<model::Member>& out);
  void union_case(const ast::UnionCase& node, const Place& inside, model::Union& out);
  void union_labels(const ast::UnionCase& node, Scope& scope, model::Union& out, model::UnionCase& into);
  void finish_union(model::Union& out, const Span& where, bool empty);
  // The declaration to fill: the one declared forward, or a new one. Null: reported.
  template <class D>
  D* forward_or_new(const ast::Definition& node, const Place& place, const char* what, bool defines,
                    Scope*& inner, ScopeKind kind);

  // Whether a forward declaration came before this mention.
  bool was_declared_before(const model::Decl& decl, const ast::Name& mention) const {
    const auto forward = forward_at_.find(&decl);
    return forward != forward_at_.end() && forward->second != mention.span.where;
  }

  // analysis_interfaces.cpp
  void interface(const ast::Interface& node, const Place& place);
  void interface_bases(const ast::Interface& node, const Place& place, model::Interface& out, Scope& inner);
  void collect_inherited(model::Interface& out, const Span& where);
  template <class D>
  void collect_ancestors(D& out, const char* kind, const Span& where);
  void operation(const ast::Operation& node, const Place& place);
  void attribute(const ast::Attribute& node, const Place& place);
  void parameters(const std::vector<ast::Parameter>& nodes, const Place& place, Scope& inner,
                  std::vector<model::Parameter>& out);
  std::vector<const model::Exception*> raises(const std::vector<ast::ScopedName>& names, Scope& scope);
  void check_inherited_names(const std::vector<const model::Decl*>& inherited, const std::string& name,
                             const Span& where);
  std::size_t name_number(const model::Decl& decl);
  void check_remote(const model::Type* type, const Place& place, const Span& where);

  // analysis_values.cpp
  void value(const ast::Value& node, const Place& place);
  void value_box(const ast::Value& node, const Place& place);
  void value_bases(const ast::Value& node, const Place& place, model::ValueType& out, Scope& inner);
  void collect_inherited(model::ValueType& out, const Span& where);
  void state_member(const ast::StateMember& node, const Place& place);
  void initializer(const ast::Initializer& node, const Place& place);

  // annotations.cpp
  // Whose annotations they are, as far as it is known: a parameter's, or those of a struct or operation; neither: of anything else.
  std::vector<model::Annotation> annotations(const ast::Annotations& nodes, const Place& place,
                                             const model::Type* subject = nullptr,
                                             const model::Parameter* parameter = nullptr,
                                             const model::Decl* of = nullptr);
  void check_view(const Span& where, const Place& place, const model::Parameter* parameter,
                  const model::Decl* decl);
  void annotation_declaration(const ast::AnnotationDecl& node, const Place& place);
  void standard_annotation(const ast::Annotation& node, const Place& place, const model::Type* subject,
                           model::Annotation& out, const struct StandardAnnotation& rule);
  void user_annotation(const ast::Annotation& node, const Place& place, const model::AnnotationDecl& decl,
                       model::Annotation& out);

  const ast::Specification& tree_;
  SourceFiles& sources_;
  Diagnostics& diagnostics_;
  AnalysisOptions options_;
  std::unique_ptr<model::Model> model_;
  Scopes scopes_;
  Evaluator evaluator_;
  RepositoryIds ids_;
  std::array<const model::Type*, 32> basics_{};
  std::map<const model::Decl*, const model::Type*> named_;
  std::map<const model::Decl*, Scope*> scope_of_;  // of interfaces, values, structs, ...
  std::map<const model::Decl*, std::uint32_t> depth_of_;
  std::map<const model::Type*, const model::Decl*> local_in_;  // the local interface inside a type, or null
  std::vector<model::Module*> modules_;
  std::vector<std::pair<const model::Decl*, Span>> forwards_;
  std::unordered_map<const model::Decl*, Location> forward_at_;  // forwards_ by declaration
  std::unordered_map<std::string, std::size_t> name_numbers_;  // of operations and attributes, by folded name
  std::unordered_map<const model::Decl*, std::size_t> name_number_of_;
  std::set<const model::Decl*> open_;  // structs and unions being defined
};

// All bases of an interface or value type, each once, after its own bases. What `all` contains it contains with its ancestors, so the
// bases with which both lists begin are skipped.
template <class D>
void Analysis::collect_ancestors(D& out, const char* kind, const Span& where) {
  std::vector<const D*>& all = out.all_bases;
  std::unordered_set<const D*> seen;
  for (const D* base : out.bases) {
    if (seen.contains(base)) continue;
    const auto& above = base->all_bases;
    const std::size_t both = std::min(above.size(), all.size());
    auto up =
        std::mismatch(above.begin(), above.begin() + static_cast<std::ptrdiff_t>(both), all.begin()).first;
    for (; up != above.end(); ++up) {
      if (seen.insert(*up).second) all.push_back(*up);
    }
    seen.insert(base);
    all.push_back(base);
  }
  if (all.size() > most_ancestors) {
    diagnostics_.error(
        where, std::string(kind) + " with more than " + std::to_string(most_ancestors) + " ancestors");
    all.clear();
  }
}

// Access to a node for the analysis, which has made it: nodes are created non-const.
template <class D>
D* mutable_node(const D* node) {
  return const_cast<D*>(node);
}

}  // namespace tenon::idl
