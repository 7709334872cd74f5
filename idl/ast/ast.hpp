// SPDX-License-Identifier: Apache-2.0
//
// The syntax tree: what was written, with places, before any name is looked up.
//
// Literal tokens refer to the preprocessed text, which must outlive the tree. Only the parser builds nodes;
// afterwards they do not change. Its depth is bounded by the parser (see parse/parser.hpp), so recursion
// over it is safe. Definitions that could not be parsed are absent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "idl/lex/token.hpp"
#include "idl/model/type.hpp"
#include "idl/support/location.hpp"

namespace tenon::idl::ast {

struct Name {
  std::string text;  // without the escaping underscore
  Span span;
};

struct ScopedName {
  bool absolute = false;
  std::vector<Name> parts;
  Span span() const { return parts.empty() ? Span{} : parts.back().span; }
  std::string text() const;
};

enum class ExprKind : std::uint8_t { Literal, Name, Unary, Binary };

struct Expr {
  ExprKind kind = ExprKind::Literal;
  Punct op = Punct::None;   // Unary, Binary
  Span span;                // of the literal, name or operator
  Token literal;            // TRUE and FALSE are Keyword tokens
  std::vector<Token> more;  // further strings of a concatenation
  ScopedName name;
  std::unique_ptr<Expr> left;  // the only operand of Unary
  std::unique_ptr<Expr> right;
  std::uint32_t height = 1;
};
using ExprPtr = std::unique_ptr<Expr>;

struct Annotation {
  struct Parameter {
    std::optional<Name> name;
    ExprPtr value;
  };
  ScopedName name;
  std::vector<Parameter> parameters;
};
using Annotations = std::vector<Annotation>;

struct Definition;

enum class TypeForm : std::uint8_t { Basic, String, WString, Fixed, Sequence, Map, Named, Inline };

struct TypeSpec {
  TypeForm form = TypeForm::Basic;
  model::TypeKind basic = model::TypeKind::Void;  // Basic
  Span span;
  ScopedName name;                         // Named
  std::unique_ptr<TypeSpec> key;           // Map
  std::unique_ptr<TypeSpec> element;       // Sequence, Map
  ExprPtr bound;                           // String, WString, Sequence, Map; digits of Fixed
  ExprPtr scale;                           // Fixed
  std::unique_ptr<Definition> definition;  // Inline
};
using TypePtr = std::unique_ptr<TypeSpec>;

struct Declarator {
  Name name;
  std::vector<ExprPtr> dimensions;
};

struct Member {
  Annotations annotations;
  TypePtr type;
  std::vector<Declarator> declarators;
};

enum class DefinitionKind : std::uint8_t {
  Module,
  Interface,
  Value,
  Struct,
  Exception,
  Union,
  Enum,
  Bitmask,
  Bitset,
  Typedef,
  Constant,
  Native,
  Operation,
  Attribute,
  StateMember,
  Initializer,
  TypeId,
  TypePrefix,
  Import,
  Pragma,
  FileChange,
  AnnotationDecl,
};

struct Definition {
  explicit Definition(DefinitionKind k) : kind(k) {}
  Definition(const Definition&) = delete;
  Definition& operator=(const Definition&) = delete;
  virtual ~Definition() = default;
  const DefinitionKind kind;
  Annotations annotations;
  Name name;  // where the construct has one
};
using DefinitionPtr = std::unique_ptr<Definition>;
using Body = std::vector<DefinitionPtr>;

struct Module : Definition {
  Module() : Definition(DefinitionKind::Module) {}
  Body body;
};

struct Interface : Definition {
  Interface() : Definition(DefinitionKind::Interface) {}
  bool local = false;
  bool abstract = false;
  bool forward = false;
  std::vector<ScopedName> bases;
  Body body;
};

struct Value : Definition {
  Value() : Definition(DefinitionKind::Value) {}
  bool custom = false;
  bool abstract = false;
  bool forward = false;
  bool truncatable = false;
  Span truncatable_span;
  TypePtr boxed;  // a value box: nothing else is set
  std::vector<ScopedName> bases;
  std::vector<ScopedName> supports;
  Body body;
};

struct Struct : Definition {
  Struct() : Definition(DefinitionKind::Struct) {}
  bool forward = false;
  bool damaged = false;  // some members could not be parsed
  std::optional<ScopedName> base;
  std::vector<Member> members;
};

struct Exception : Definition {
  Exception() : Definition(DefinitionKind::Exception) {}
  std::vector<Member> members;
};

struct CaseLabel {
  ExprPtr value;  // null: default
  Span span;
};

struct UnionCase {
  std::vector<CaseLabel> labels;
  Member member;  // one declarator
};

struct Union : Definition {
  Union() : Definition(DefinitionKind::Union) {}
  bool forward = false;
  bool damaged = false;  // some cases could not be parsed
  Annotations discriminator_annotations;
  TypePtr discriminator;
  std::vector<UnionCase> cases;
};

struct Enumerator {
  Annotations annotations;
  Name name;
};

struct Enum : Definition {
  Enum() : Definition(DefinitionKind::Enum) {}
  std::vector<Enumerator> enumerators;
};

struct Bitmask : Definition {
  Bitmask() : Definition(DefinitionKind::Bitmask) {}
  std::vector<Enumerator> flags;
};

struct BitField {
  Annotations annotations;
  ExprPtr width;
  TypePtr type;             // may be null
  std::vector<Name> names;  // may be empty: padding
  Span span;
};

struct Bitset : Definition {
  Bitset() : Definition(DefinitionKind::Bitset) {}
  std::optional<ScopedName> base;
  std::vector<BitField> fields;
};

struct Typedef : Definition {
  Typedef() : Definition(DefinitionKind::Typedef) {}
  TypePtr type;
  std::vector<Declarator> declarators;
};

struct Constant : Definition {
  Constant() : Definition(DefinitionKind::Constant) {}
  TypePtr type;
  ExprPtr value;
};

struct Native : Definition {
  Native() : Definition(DefinitionKind::Native) {}
};

struct Parameter {
  Annotations annotations;
  Keyword direction = Keyword::In;
  TypePtr type;
  Name name;
};

struct Operation : Definition {
  Operation() : Definition(DefinitionKind::Operation) {}
  bool oneway = false;
  TypePtr result;
  std::vector<Parameter> parameters;
  std::vector<ScopedName> raises;
  std::vector<Token> contexts;
};

struct Attribute : Definition {
  Attribute() : Definition(DefinitionKind::Attribute) {}
  bool readonly = false;
  TypePtr type;
  std::vector<Name> names;
  std::vector<ScopedName> get_raises;
  std::vector<ScopedName> set_raises;
};

struct StateMember : Definition {
  StateMember() : Definition(DefinitionKind::StateMember) {}
  bool is_public = false;
  Member member;
};

struct Initializer : Definition {
  Initializer() : Definition(DefinitionKind::Initializer) {}
  std::vector<Parameter> parameters;
  std::vector<ScopedName> raises;
};

// typeid / typeprefix / import and the pragmas that mean the same.
struct TypeId : Definition {
  TypeId() : Definition(DefinitionKind::TypeId) {}
  ScopedName target;
  std::string id;
  Span id_span;
};

struct TypePrefix : Definition {
  TypePrefix() : Definition(DefinitionKind::TypePrefix) {}
  ScopedName target;
  std::string prefix;
  Span prefix_span;
};

struct Import : Definition {
  Import() : Definition(DefinitionKind::Import) {}
  ScopedName scope;  // without parts: a string was given
  std::string text;
  Span span;
};

enum class PragmaKind : std::uint8_t { Prefix, Id, Version };

struct Pragma : Definition {
  Pragma() : Definition(DefinitionKind::Pragma) {}
  PragmaKind what = PragmaKind::Prefix;
  ScopedName target;
  std::string text;  // prefix, id, or "1.2"
  Span span;
};

struct FileChange : Definition {
  FileChange() : Definition(DefinitionKind::FileChange) {}
  bool enter = false;
  std::uint32_t file = 0;  // current from here on
};

struct AnnotationField {
  TypePtr type;  // null: any constant type
  Name name;
  ExprPtr default_value;
};

struct AnnotationDecl : Definition {
  AnnotationDecl() : Definition(DefinitionKind::AnnotationDecl) {}
  std::vector<AnnotationField> fields;
  Body body;  // enums, constants and typedefs declared inside
};

struct Specification {
  Body body;
  // Names inside text that the parser had to skip: sema does not complain that these are unknown.
  std::set<std::string> skipped_names;
};

}  // namespace tenon::idl::ast
