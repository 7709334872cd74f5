// SPDX-License-Identifier: Apache-2.0
//
// Values of IDL types as JSON and back, straight from and to CDR. docs/dynamic.md has the table of forms. An object serves one call, since
// it remembers the values of one message. Not thread-safe.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include <tenon/tenon.hpp>

#include "tools/call/idl_file.hpp"
#include "types/type_node.hpp"
#include "types/typecode.hpp"

namespace tenon::call {

using Json = nlohmann::ordered_json;
using types::Kind;
using types::Member;
using types::TypeCode;
using types::TypeRef;
using types::unaliased;

/// Reads an argument of the command line: JSON, or plain text if a string, enumerator or reference is expected. Throws BadInput.
Json argument(const std::string& word, const TypeCode& type, const std::string& place);

class JsonWriter {
 public:
  /// `idl` names types; null: basic ones only.
  JsonWriter(CORBA::ORB& orb, IdlFile* idl) : orb_(orb), idl_(idl) {}

  /// Throws BadInput that says where in the value: "given[2].price: 3000000000 is no long". `place` is the start of that.
  void put(cdr::Writer& out, const Json& json, const TypeCode& type, const std::string& place);

 private:
  void put_members(cdr::Writer& out, const Json& json, const TypeCode& type, const std::string& place);
  std::size_t put_state(cdr::Writer& out, const Json& json, const TypeCode& type, const std::string& place);
  void put_union(cdr::Writer& out, const Json& json, const TypeCode& type, const std::string& place);
  void put_elements(cdr::Writer& out, const Json& json, const TypeCode& type, const std::string& place);
  void put_any(cdr::Writer& out, const Json& json, const std::string& place);
  void put_abstract(cdr::Writer& out, const Json& json, const TypeCode& type, const std::string& place);
  void put_value(cdr::Writer& out, const Json& json, const TypeCode& type, const std::string& place);
  TypeRef value_type(const Json& json, const TypeCode& declared, const std::string& place);
  void put_text(cdr::Writer& out, const Json& json, const TypeCode& type, const std::string& place);
  void put_reference(cdr::Writer& out, const std::string& text, const std::string& place);
  TypeRef type_named(const std::string& name, const std::string& place);
  std::string name_of(const TypeCode& type) const;

  CORBA::ORB& orb_;
  IdlFile* idl_;
  std::map<std::string, CORBA::object_reference<CORBA::Object>>
      objects_;  // by their text, so that a reference that is written twice is resolved once
};

class JsonReader {
 public:
  JsonReader(CORBA::ORB& orb, IdlFile* idl) : orb_(orb), idl_(idl) {}

  /// Reads the value that comes next in `in`. After an error of `in` the result means nothing.
  Json get(cdr::Reader& in, const TypeCode& type);

 private:
  Json get_members(cdr::Reader& in, const TypeCode& type);
  Json get_union(cdr::Reader& in, const TypeCode& type);
  Json get_elements(cdr::Reader& in, const TypeCode& type, std::size_t count);
  Json get_any(cdr::Reader& in);
  Json get_reference(cdr::Reader& in);
  Json get_value(cdr::Reader& in, const types::TypeCode* declared);
  Json get_whole_value(cdr::Reader& in, const cdr::ValueHeader& head, const types::TypeCode* declared);
  void get_state(cdr::Reader& in, const TypeCode& type, Json& into);
  Json shared_value(std::size_t position);
  std::string name_of(const TypeCode& type) const;

  /// A value that has been read, and how many values are in it.
  struct Known {
    Json json;
    std::size_t values = 0;
  };

  CORBA::ORB& orb_;
  IdlFile* idl_;
  std::map<std::size_t, Known> known_;  // by position in the message
  std::size_t values_ = 0;              // shown so far
  std::size_t parts_ = 0;               // read so far, and how many there may be in this message
  std::size_t most_parts_ = 0;
};

}  // namespace tenon::call
