// SPDX-License-Identifier: Apache-2.0
//
// An IDL file as tenon-call sees it: operations to call, types by name. Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "idl/driver/preprocess.hpp"
#include "tools/call/idl_types.hpp"

namespace tenon::call {

struct Parameter {
  std::string name;
  idl::model::Direction direction;
  types::TypeRef type;
};

/// An operation on the wire: an attribute is one or two of these.
struct Signature {
  std::string operation;  ///< as on the wire: "add", "_get_title"
  bool oneway = false;
  types::TypeRef result;  ///< tk_void: none
  std::vector<Parameter> parameters;
  std::vector<types::TypeRef> exceptions;
  std::string text;  ///< "long add(in long a, in long b)", for people
};

class IdlFile {
 public:
  /// Throws BadInput; the compiler's messages are on stderr by then.
  IdlFile(const std::string& path, const idl::PreprocessOptions& options);
  ~IdlFile();

  /// The interface of that scoped name or repository id; null: none.
  const idl::model::Interface* interface(std::string_view name) const;
  /// The interfaces that declare the operation or attribute themselves.
  std::vector<const idl::model::Interface*> interfaces_with(std::string_view operation) const;
  /// All interfaces that objects can have, derived ones before their bases.
  std::vector<const idl::model::Interface*> interfaces() const;
  /// The name in one of them that is nearest to this one; empty: none is near.
  std::string similar_operation(const std::vector<const idl::model::Interface*>& interfaces,
                                std::string_view operation) const;
  /// "add", "_get_title", or "title" with as many arguments as getting or setting it takes. Throws BadInput.
  Signature signature(const idl::model::Interface& interface, std::string_view operation,
                      std::size_t arguments);
  /// Every operation of the interface, inherited ones and those of attributes too.
  std::vector<Signature> signatures(const idl::model::Interface& interface);

  /// "long", "string", "Shop::Item", "sequence<Shop::Item>". Throws BadInput.
  types::TypeRef type(std::string_view name);
  /// The value type or box of that repository id; null: none.
  types::TypeRef value_type(std::string_view id);
  /// Whether the value type of that id is the same as, is derived from, or supports the other one (ids of value types or interfaces).
  bool derives(std::string_view id, std::string_view base) const;
  /// A name that type() accepts for this type, if it has one here.
  std::string name_of(const types::TypeCode& type) const;

 private:
  void collect(const std::vector<const idl::model::Decl*>& contents);
  Signature of(const idl::model::Operation& operation);
  Signature getter(const idl::model::Attribute& attribute);
  Signature setter(const idl::model::Attribute& attribute);

  std::unique_ptr<idl::model::Model> model_;
  std::vector<const idl::model::Decl*> decls_;  // everything that has a name, in source order
  IdlTypes types_;
};

}  // namespace tenon::call
