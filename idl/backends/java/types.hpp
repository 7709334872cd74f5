// SPDX-License-Identifier: Apache-2.0
//
// Java types of IDL types, and the expressions and statements that read and write their values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "idl/backends/cpp/text.hpp"
#include "idl/backends/java/names.hpp"
#include "idl/backends/java/views.hpp"
#include "idl/model/constant_layout.hpp"
#include "idl/model/query.hpp"

namespace tenon::idl::java {

using cpp::Text;

// What belongs to one file of Java while it is written. One thread at a time.
class Unit {
 public:
  Unit(const model::Model& of, const BackendOptions& options)
      : program(of), names(of, options), views(of), any(options.any), wrappers(options.java_wrappers) {}

  const model::Model& program;
  Names names;
  Views views;
  const bool any;  // types have TypeCodes, and typedefs classes
  const JavaWrappers wrappers;
  model::MinimumSizes sizes{};

  // "int", "String", "java.util.List<Report>".
  std::string type(const model::Type& type) const;
  // The same as an argument of a generic class.
  std::string boxed(const model::Type& type) const;
  // An expression that reads a value from `in`.
  std::string read(const model::Type& type, const std::string& in = "in");
  // A statement that writes `value` to `out`.
  std::string write(const model::Type& type, const std::string& value, const std::string& out = "out");
  // An expression of type org.tenon.CdrType.
  std::string cdr_type(const model::Type& type);
  // An expression of type org.tenon.TypeCode, in which aliases stay.
  std::string type_code(const model::Type& type) const;
  // What the type of a declaration is made of: arguments of TypeCode.of().
  std::string type_code_parts(const model::Decl& decl) const;
  // The least octets of a value on the wire, as a Java literal.
  std::string smallest(const model::Type& type);

  // Declares the constants that cdr_type() has made since the file began.
  void declare_types(Text& out);

 private:
  std::string element_array(const model::Type& type, std::size_t dimension) const;
  std::string array_type(const model::Type& array, std::size_t dimension);
  std::string constant(const std::string& type, const std::string& expression);
  std::string smallest_pair(const model::Type& map);
  std::string whole_sequence(const model::Type& sequence) const;

  std::vector<std::pair<std::string, std::string>> constants_;
};

// "Int" as in readInt(); empty for what is no primitive of Java.
std::string primitive_name(const model::Type& type);
// A bound as Java has it: what an int cannot hold is no bound.
std::string bound_text(std::uint64_t bound);
// "b.getInt(at + 4)": what is at a place of a struct of constant layout; `in` is the reader, `buffer` what it reads.
std::string read_at(const Unit& unit, const model::Type& type, const std::string& at, const std::string& in,
                    const std::string& buffer);
// "at + 4"
std::string at_offset(std::uint32_t offset);
// The first arguments of block() and blocks(): "2, 8, ".
std::string block_arguments(const model::ConstantLayout& layout);
// readAt(), writeAt(), and both for sequences.
void declare_constant_read(Text& out, Unit& unit, const model::Struct& decl,
                           const model::ConstantLayout& layout);
void declare_constant_write(Text& out, Unit& unit, const model::Struct& decl,
                            const model::ConstantLayout& layout);
void declare_sequences(Text& out, Unit& unit, const model::Struct& decl, const model::ConstantLayout& layout);
// Whether a value is or contains an array of Java, which has no equality by content.
bool has_arrays(const model::Type& type);

// A constant's value; `type` is the one that was written.
std::string literal(const Unit& unit, const model::Value& value, const model::Type& type);
std::string string_literal(std::string_view ascii);

// A documentation comment: what the IDL file says of the declaration, then `text`, which may be empty.
void document(Text& out, const model::Decl& decl, const std::string& text);

// --- what is in a class or file of its own, one kind per source ---
void declare_enum(Text& out, Unit& unit, const model::Enum& decl, bool nested);
void declare_bitmask(Text& out, Unit& unit, const model::Bitmask& decl, bool nested);
void declare_bitset(Text& out, Unit& unit, const model::Bitset& decl, bool nested);
void declare_struct(Text& out, Unit& unit, const model::Struct& decl, bool nested);
void declare_union(Text& out, Unit& unit, const model::Union& decl, bool nested);
void declare_exception(Text& out, Unit& unit, const model::Exception& decl, bool nested);
void declare_constant(Text& out, Unit& unit, const model::Constant& decl);        // of a module
void declare_constant_field(Text& out, Unit& unit, const model::Constant& decl);  // of an interface
void declare_interface(Text& out, Unit& unit, const model::Interface& decl);
void declare_stub(Text& out, Unit& unit, const model::Interface& decl);
void declare_servant(Text& out, Unit& unit, const model::Interface& decl);
void declare_async(Text& out, Unit& unit, const model::Interface& decl);
// An interface that both a record and its form in a message have.
void declare_view(Text& out, Unit& unit, const model::Struct& decl, bool nested);
void declare_typedef(Text& out, Unit& unit, const model::Typedef& decl,
                     bool nested);  // where types have TypeCodes
void declare_value(Text& out, Unit& unit, const model::ValueType& decl);
void declare_value_factory(Text& out, Unit& unit, const model::ValueType& decl);
void declare_value_box(Text& out, Unit& unit, const model::ValueBox& decl);
// Types inside another one.
void declare_nested(Text& out, Unit& unit, const std::vector<const model::Decl*>& contents);
// The class that reads and writes values of `type` for generic sequences, and has the TypeCode of `decl`.
void declare_type_class(Text& out, Unit& unit, const model::Decl& decl, const std::string& type,
                        const std::string& read, const std::string& write);

// Reports what this back end does not map; true if there is anything.
bool refuse(const model::Model& program, const BackendOptions& options, BackendDiagnostics& diagnostics);

}  // namespace tenon::idl::java
