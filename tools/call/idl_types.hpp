// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes of the types of an IDL file, as tenon-idl --any would emit them. Not thread-safe.
#pragma once

#include <map>
#include <set>
#include <string>

#include "idl/model/model.hpp"
#include "types/typecode.hpp"

namespace tenon::call {

class IdlTypes {
 public:
  /// Throws BadInput if the type has no TypeCode.
  types::TypeRef type(const idl::model::Type& type);
  types::TypeRef of(const idl::model::Decl& decl);

 private:
  types::TypeRef make(const idl::model::Decl& decl);
  types::TypeRef make_union(const idl::model::Union& decl);
  types::TypeRef make_value(const idl::model::ValueType& decl);
  types::TypeRef named(const idl::model::Decl& decl, types::Kind kind);

  std::map<const idl::model::Decl*, types::TypeRef> made_;
  std::set<const idl::model::Decl*> being_made_;
};

}  // namespace tenon::call
