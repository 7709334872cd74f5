// SPDX-License-Identifier: Apache-2.0
//
// How IDL types are spelled in C++: the mapped type, its codec, how values are passed, written and read. Pure functions of the
// model.
#pragma once

#include <string>

#include "idl/model/model.hpp"
#include "idl/model/query.hpp"

namespace tenon::idl::cpp {

// The class of references to an interface. An interface that the program only declares forward has no class: its references have the
// class of CORBA::Object.
std::string interface_class(const model::Interface& decl);
// A reference to a value of that class.
std::string value_reference_to(const std::string& value);
// The mapped type: "std::vector<::Calc::Sample>"; the name of an alias if the program uses one.
std::string cpp_type(const model::Type& type);
// The type of an `in` parameter (IDL to C++11 1.6 §6.24): by value or const&.
std::string in_type(const model::Type& type);
// The codec that reads and writes it: "gen::Sequence<gen::Codec<double>, 100>"; `gen` is the spelling of tenon::gen.
std::string codec(const model::Type& type, const std::string& gen);

// A parameter that is a view (model::is_view): "std::span<const double>".
std::string view_type(const model::Type& type);
// What writes and reads it: "gen::View<gen::Codec<double>, 100>".
std::string view_codec(const model::Type& type, const std::string& gen);
// Whether stubs take a span, too, for such a parameter: all but booleans, since a std::vector<bool> has no memory that a span could show.
bool is_sent_from_span(const model::Parameter& parameter);

// Read and written by Reader::get<T>() and Writer::put(): what gen::Primitive covers.
bool is_plain(const model::Type& type);
// Passed by value everywhere: primitives, enums, bitmasks.
bool is_scalar(const model::Type& type);
// A value type, a box, ValueBase.
bool is_value(const model::Type& type);
// A counted reference: values, interfaces, Object, TypeCode.
bool is_reference(const model::Type& type);

// Whether some @value differs from the ordinal, which is sent (docs/idl.md).
bool has_values(const model::Enum& decl);

// The initial value of a member if "{}" is no value of its type, that is, for an enum whose first enumerator is not 0, and arrays of these:
// the first enumerator, as IDL to C++11 wants. Else "".
std::string initial(const model::Type& type);

// "out.put(a)" and "a = in.get<T>()" or the same through a codec. `in` and `out` name the reader and writer.
std::string put_statement(const model::Type& type, const std::string& value, const std::string& gen);
std::string get_statement(const model::Type& type, const std::string& value, const std::string& gen);

// A literal of the constant's type: "5", "'a'", "\"text\"", "::Calc::Rounding::up".
std::string literal(const model::Value& value, const model::Type& type);

}  // namespace tenon::idl::cpp
