// SPDX-License-Identifier: Apache-2.0
//
// Values of IDL types as JSON and back, by DynAny. docs/dynamic.md has the table of forms. Not thread-safe.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include <tenon/dynamic.hpp>
#include <tenon/tenon.hpp>

#include "tools/call/idl_file.hpp"

namespace tenon::call {

using Json = nlohmann::ordered_json;
using DynamicAny::DynAnyRef;

class JsonValues {
 public:
  /// `idl` names types inside any; null: basic ones only.
  JsonValues(CORBA::ORB& orb, IdlFile* idl);

  /// Throws BadInput that says where in the value: "given[2].price: 3000000000 is no long". `place` is the start of that.
  CORBA::Any read(const Json& json, const CORBA::TypeCodeRef& type, const std::string& place);
  /// An argument of a command line: JSON, or the text alone where a string, enumerator or reference is wanted.
  CORBA::Any read_word(const std::string& word, const CORBA::TypeCodeRef& type, const std::string& place);
  Json show(const CORBA::Any& value);

 private:
  void fill(const DynAnyRef& into, const Json& json, const std::string& place);
  void fill_struct(DynamicAny::DynMembers& into, const Json& json, const std::string& place);
  void fill_union(DynamicAny::DynUnion& into, const Json& json, const std::string& place);
  void fill_elements(const DynAnyRef& into, const Json& json, const std::string& place);
  void fill_any(const DynAnyRef& into, const Json& json, const std::string& place);
  void fill_text(const DynAnyRef& into, const Json& json, const std::string& place);
  Json shown(const DynAnyRef& value);
  Json shown_struct(DynamicAny::DynMembers& value);
  Json shown_value(const DynAnyRef& value);
  Json shown_union(DynamicAny::DynUnion& value);
  Json shown_any(const CORBA::Any& value);
  CORBA::TypeCodeRef type_named(const std::string& name, const std::string& place);
  std::string name_of(const CORBA::TypeCodeRef& type) const;

  CORBA::ORB& orb_;
  IdlFile* idl_;
  unsigned depth_ = 0;        // value types around what is shown
  unsigned values_left_ = 0;  // that may still be shown
  CORBA::object_reference<DynamicAny::DynAnyFactory> factory_;
};

}  // namespace tenon::call
