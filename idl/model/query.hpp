// SPDX-License-Identifier: Apache-2.0
//
// Questions about model nodes that need a walk: aliases, recursion, wire size, what a type contains.
//
// All are pure functions of an immutable model; none is on a hot path. Recursive types are handled
// everywhere. What a declaration contains is remembered there (contents.hpp), so the model must be complete, except for
// contains(), and threads come one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "idl/model/model.hpp"

namespace tenon::idl::model {

// The type below all typedefs (an Array stays: `typedef long A[2]` resolves to the Array).
const Type* resolve_aliases(const Type* type);

// The constructed declaration of a type, aliases looked through; null for anonymous and basic types.
const Decl* named_decl(const Type* type);

// Equal by meaning, aliases stripped.
bool same_type(const Type* a, const Type* b);

const Annotation* find_annotation(const std::vector<Annotation>& annotations, std::string_view name);

// Whether servants get the parameter as a view of the request (@tenon::view, docs/idl.md).
bool is_view(const Parameter& parameter);
// @tenon::view among those of anything: of a parameter; of an operation or struct, for Java (docs/java.md).
bool has_view(const std::vector<Annotation>& annotations);
// A sequence of octets, characters, booleans, integers, floats or doubles, or of structs of these (constant_layout.hpp).
bool can_be_viewed(const Type* type);

bool is_integer(TypeKind kind);  // int8 .. unsigned long long, octet not counted
bool is_signed(TypeKind kind);   // int8, short, long, long long
std::uint32_t primitive_size(
    TypeKind kind);  // CDR size of a primitive, 0 if it is none (a wchar, too: it depends on
                     // the GIOP version); alignment is min(size, 8)

// CDR layout of a type whose encoding has the same length whatever its value. The length depends on where the
// value starts (alignment phase), hence size_at.
struct FixedLayout {
  std::uint32_t alignment = 1;    // of the strictest primitive inside: 1, 2, 4 or 8
  std::uint64_t size_at[8] = {};  // bytes from a start at offset phase (mod 8), leading padding included
};
std::optional<FixedLayout> fixed_layout(const Type* type);
std::optional<FixedLayout> fixed_layout(const Decl* struct_or_exception);

// The least number of bytes that any value of the type needs on the wire, padding not counted: bounds what a
// length prefix may claim. At least 0 (empty struct does not exist in IDL, an empty exception does).
// Sums that no message could hold saturate.
std::uint64_t minimum_wire_size(const Type* type);
// The same for many types of one program: each declaration is computed once. Threads: one at a time.
class MinimumSizes {
 public:
  std::uint64_t of(const Type* type);
  std::uint64_t of(const Decl* struct_union_or_exception);
  std::uint64_t of(const std::vector<Member>& members);

 private:
  std::unordered_map<const Decl*, std::uint64_t> known_;
};
constexpr std::uint64_t largest_message = 0xffffffff;  // octets: GIOP counts them in an unsigned long

// "Fixed-length" in the sense of the C++ mappings: no string, sequence, any, reference, ... anywhere inside.
bool is_variable_length(const Type* type);

// True when a value of the declaration can contain another value of the same declaration (struct, union,
// value).
bool is_recursive(const Decl* decl);

bool contains(const Type* type, const std::function<bool(const Type&)>& predicate);
bool contains_value_type(const Type* type);         // ValueType, ValueBox, ValueBase, abstract interface
bool contains_any(const Type* type);                // any or TypeCode
bool contains_object(const Type* type);             // an object reference, local ones too
bool contains_variable_elements(const Type* type);  // a sequence whose elements are variable-length
// Cannot cross the wire: a local interface or a native inside.
bool is_local(const Type* type);

// Whether the declaration itself, or anything it is made of (members, parameters, bases, contents), has a
// value type: what a back end without value types must leave out.
bool uses_value_type(const Decl* decl);
bool uses_any(const Decl* decl);

// Every declaration that a declaration names (types of members, parameters, bases, raised exceptions), each
// once and in order of appearance; its own nested declarations not counted.
std::vector<const Decl*> dependencies(const Decl* decl);

const char* to_string(DeclKind kind);  // "struct", "interface", ...
const char* to_string(TypeKind kind);  // "long", "sequence", ...

}  // namespace tenon::idl::model
