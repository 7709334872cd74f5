// SPDX-License-Identifier: Apache-2.0
//
// The model: an IDL program after analysis. It is all that a back end sees, and what --dump=json prints.
//
// It is not a syntax tree: names are resolved, constants evaluated, inheritance linearised, rules checked. A
// back end never looks a name up and never decides whether something is legal. Questions that need a walk
// (recursion, wire size, contains a value type?) are in model/query.hpp.
//
// Invariants:
//  * Model owns every node; pointers between nodes live as long as the Model.
//  * Source order is an order of definition: what a declaration needs complete precedes it; what it needs only
//    by name (through a sequence, or an object reference) has a Forward that precedes it, or encloses it.
//    So a C++ back end that emits `contents` in order, Forward nodes included, emits code that compiles.
//  * `name` never has the escaping underscore of IDL (`_interface` is named "interface").
//  * Constructed types defined in place (a struct member's own struct, a union's own enum) are in `contents` of
//    the scope they belong to by IDL's rules, before their first use.
// Threads: immutable after sema, so any number of readers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "idl/model/type.hpp"
#include "idl/model/value.hpp"
#include "idl/support/location.hpp"

namespace tenon::idl::model {

using idl::Location;

// A file that took part: the main file, or one included by it.
struct File {
  std::string path;          // as the preprocessor names it
  std::string include_name;  // as the #include directive wrote it; of the main file: its path as given
  bool main = false;
  bool direct = false;        // included by the main file itself, or by a standard file that is
  bool system = false;        // included with <...>
  bool orb_provided = false;  // such as orb.idl: the ORB's own headers have all of it
  bool declares = false;      // has declarations that the ORB's own headers do not have
  bool standard = false;      // comes with the compiler, and its C++ with the library
};

enum class DeclKind : std::uint8_t {
  Module,
  Interface,
  ValueType,
  ValueBox,
  Struct,
  Union,
  Enum,
  Enumerator,
  Bitmask,
  Bitset,
  Typedef,
  Constant,
  Exception,
  Operation,
  Attribute,
  StateMember,
  Initializer,  // a value type's factory
  Native,
  Forward,
  Annotation,  // a user's @annotation declaration
};

// An annotation as applied. Parameters that the use leaves out but the declaration defaults are present too.
struct AnnotationParameter {
  std::string name;  // "value" for the unnamed one
  Value value;
};
struct Annotation {
  std::string name;  // as written without '@', e.g. "key"
  std::vector<AnnotationParameter> parameters;
  const Decl* decl = nullptr;  // the user's declaration; null for the standard ones
};

struct Decl {
  explicit Decl(DeclKind k) : kind(k) {}
  Decl(const Decl&) = delete;
  Decl& operator=(const Decl&) = delete;
  virtual ~Decl() = default;

  const DeclKind kind;
  std::string name;
  std::string scoped_name;    // "::A::B", never escaped
  std::string repository_id;  // "IDL:A/B:1.0"; also operations, attributes, enums, constants have one
  Location location;          // of the name
  const Decl* parent =
      nullptr;  // the enclosing declaration (Module, Interface, Struct, ...); null at the root
  std::vector<Annotation> annotations;
  std::string comment;  // documentation comment right above (/** */, ///), without its marks; may be empty
  bool in_main_file = true;  // false: comes from an #included file, so some other run emits it
  bool provided_by_orb =
      false;  // Tenon's own headers have it (CORBA, PortableServer, IOP, ...): never emitted
  // What queries have found out about its contents (contents.hpp) after the model was complete; 0: nothing yet.
  mutable std::uint32_t contents_known = 0;
};

struct Member {  // of a struct, exception or union case
  std::string name;
  const Type* type = nullptr;
  Location location;
  std::vector<Annotation> annotations;
  std::string comment;
};

struct Module : Decl {
  Module() : Decl(DeclKind::Module) {}
  std::vector<const Decl*> contents;  // of this opening only
  const Module* first = nullptr;      // the first opening of the same module (itself, if it is the first)
};

struct Exception;

enum class Direction : std::uint8_t { In, Out, InOut };

struct Parameter {
  Direction direction = Direction::In;
  std::string name;
  const Type* type = nullptr;
  Location location;
  std::vector<Annotation> annotations;
};

struct Operation : Decl {
  Operation() : Decl(DeclKind::Operation) {}
  bool oneway = false;
  const Type* result = nullptr;  // kind Void: none
  std::vector<Parameter> parameters;
  std::vector<const Exception*> raises;
  std::vector<std::string> contexts;   // names of the context clause
  std::vector<const Exception*> held;  // for an implied <op>_excep: what its ExceptionHolder can raise
};

struct Attribute : Decl {
  Attribute() : Decl(DeclKind::Attribute) {}
  bool readonly = false;
  const Type* type = nullptr;
  std::vector<const Exception*> get_raises;
  std::vector<const Exception*> set_raises;
};

// What AMI adds for an operation or for one half of an attribute, with names made unique (sema/implied.hpp).
struct AsyncForm {
  const Decl* of = nullptr;
  bool setter = false;
  std::string sendc;
  std::string sendp;
  const Operation* reply = nullptr;  // of the handler: its parameters are the results
  const Operation* excep = nullptr;
};

struct Interface : Decl {
  Interface() : Decl(DeclKind::Interface) {}
  bool local = false;
  bool abstract = false;
  bool defined = false;                     // false: only declared forward in this program
  std::vector<const Interface*> bases;      // direct ones, as written
  std::vector<const Interface*> all_bases;  // every ancestor once, each after its own bases; without this one
  std::vector<const Decl*> contents;        // types, constants, exceptions, operations, attributes in order
  std::vector<const Operation*> operations;      // own ones
  std::vector<const Attribute*> attributes;      // own ones
  std::vector<const Operation*> all_operations;  // with inherited ones, ancestors (all_bases order) first
  std::vector<const Attribute*> all_attributes;
  // Only where AMI is asked for:
  const Interface* handler = nullptr;  // the implied interface that takes its replies
  const Interface* handles = nullptr;  // if this is an implied handler: the interface whose replies it takes
  std::string poller;                  // name of the implied value type
  std::vector<AsyncForm> async;        // of own operations that are not oneway, and attributes
};

struct StateMember : Decl {
  StateMember() : Decl(DeclKind::StateMember) {}
  bool is_public = false;
  const Type* type = nullptr;
};

struct Initializer : Decl {
  Initializer() : Decl(DeclKind::Initializer) {}
  std::vector<Parameter> parameters;  // all in
  std::vector<const Exception*> raises;
};

struct ValueType : Decl {
  ValueType() : Decl(DeclKind::ValueType) {}
  bool custom = false;
  bool abstract = false;
  bool truncatable = false;  // to its concrete base, bases.front()
  bool defined = false;
  std::vector<const ValueType*> bases;  // a concrete base comes first
  std::vector<const ValueType*> all_bases;
  std::vector<const Interface*> supports;
  std::vector<const Decl*> contents;
  std::vector<const StateMember*> state;
  std::vector<const StateMember*> all_state;  // concrete bases first: the order on the wire
  std::vector<const Initializer*> initializers;
  std::vector<const Operation*> operations;
  std::vector<const Attribute*> attributes;
  std::vector<const Operation*> all_operations;  // with those of bases and supported interfaces
  std::vector<const Attribute*> all_attributes;
};

struct ValueBox : Decl {
  ValueBox() : Decl(DeclKind::ValueBox) {}
  const Type* type = nullptr;
};

struct Struct : Decl {
  Struct() : Decl(DeclKind::Struct) {}
  bool defined = false;
  const Struct* base = nullptr;       // IDL 4.2 §7.4.13 (extended data types): members of the base come first
  std::vector<const Decl*> contents;  // types defined in place
  std::vector<Member> members;        // own ones
};

struct Exception : Decl {
  Exception() : Decl(DeclKind::Exception) {}
  std::vector<const Decl*> contents;
  std::vector<Member> members;
};

struct UnionCase {
  std::vector<Value> labels;  // may be empty when is_default
  bool is_default = false;
  Member member;
};

struct Union : Decl {
  Union() : Decl(DeclKind::Union) {}
  bool defined = false;
  const Type* discriminator = nullptr;  // as written (may be an alias)
  std::vector<const Decl*> contents;
  std::vector<UnionCase> cases;
  const UnionCase* default_case = nullptr;  // the case with `default:`
  bool implicit_default =
      false;  // no `default:` but some discriminator value without a case: C++ gets _default()
  // A discriminator value that no label names; it selects the default case, explicit or implicit.
  // None when the labels cover everything.
  Value default_discriminator;
};

struct Enumerator : Decl {  // parent is the Enum; its scoped name is that of the enum's scope
  Enumerator() : Decl(DeclKind::Enumerator) {}
  std::uint32_t ordinal = 0;  // on the wire
  std::int64_t value = 0;     // @value, else one more than the one before
  bool explicit_value = false;
};

struct Enum : Decl {
  Enum() : Decl(DeclKind::Enum) {}
  std::vector<const Enumerator*> enumerators;
};

struct BitFlag {
  std::string name;
  std::uint16_t position = 0;
  Location location;
  std::vector<Annotation> annotations;
};

struct Bitmask : Decl {
  Bitmask() : Decl(DeclKind::Bitmask) {}
  std::uint16_t bit_bound = 32;        // 1..64
  TypeKind carrier = TypeKind::ULong;  // Octet, UShort, ULong or ULongLong: the type on the wire
  std::vector<BitFlag> flags;
};

struct BitField {
  std::string name;  // empty: padding
  std::uint16_t width = 0;
  std::uint16_t position = 0;  // of its lowest bit, base bitset counted
  const Type* type = nullptr;  // destination type, as written or the smallest that fits
  Location location;
  std::vector<Annotation> annotations;
};

struct Bitset : Decl {
  Bitset() : Decl(DeclKind::Bitset) {}
  const Bitset* base = nullptr;
  std::uint16_t bits = 0;  // 1..64, base counted
  TypeKind carrier = TypeKind::Octet;
  std::vector<BitField> fields;  // own ones
};

struct Typedef : Decl {
  Typedef() : Decl(DeclKind::Typedef) {}
  const Type* type = nullptr;
};

struct Constant : Decl {
  Constant() : Decl(DeclKind::Constant) {}
  const Type* type = nullptr;
  Value value;
};

struct Native : Decl {
  Native() : Decl(DeclKind::Native) {}
};

// Marks where an interface, value type, struct or union is declared before its definition. Types never refer
// to a Forward: they refer to `target`, which the definition (if any) has filled.
struct Forward : Decl {
  Forward() : Decl(DeclKind::Forward) {}
  const Decl* target = nullptr;
};

struct AnnotationField {
  std::string name;
  const Type* type = nullptr;  // null: any constant type
  Value default_value;         // kind None: must be given
};

struct AnnotationDecl : Decl {
  AnnotationDecl() : Decl(DeclKind::Annotation) {}
  std::vector<AnnotationField> fields;
};

class Model {
 public:
  std::vector<const Decl*> roots;  // everything at file scope in source order, included files too
  std::vector<File> files;         // [0] is the main file

  // Construction, by sema only.
  template <class D>
  D* add() {
    auto node = std::make_unique<D>();
    D* raw = node.get();
    decls_.push_back(std::move(node));
    return raw;
  }
  Type* add_type(TypeKind kind) {
    types_.push_back(std::make_unique<Type>());
    types_.back()->kind = kind;
    return types_.back().get();
  }

 private:
  std::vector<std::unique_ptr<Decl>> decls_;
  std::vector<std::unique_ptr<Type>> types_;
};

// Checked down-cast: as<Struct>(decl) is null when decl is something else (or null).
template <class D>
const D* as(const Decl* decl) {
  return dynamic_cast<const D*>(decl);
}

}  // namespace tenon::idl::model
