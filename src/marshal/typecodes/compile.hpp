// SPDX-License-Identifier: Apache-2.0
//
// From a TypeCode to a marshal program, for types that are met at run time, and values of such types in memory of their own.
//
// Memory is laid out as C++ would lay out the mapped type: members in order, each aligned; std::string, std::wstring, three-pointer
// vectors, std::vector<bool>, tenon::Fixed. Unions are a ChoiceHead and the member. An object reference is a Reference; any and
// TypeCode are types::Any and types::TypeRef; what refers to a value is a HeldPlace, an abstract interface a union of both.
//
// A value of a type derived from the expected one is read as its own type if the TypeCode contains that anywhere, else as the
// base that it may be truncated to. Only the class of a custom value knows its state: reading one is NO_IMPLEMENT.
// Programs are immutable, so safe from any thread; a value is one thread's at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/ref.hpp"
#include "marshal/held_value.hpp"
#include "marshal/program.hpp"
#include "types/typecode.hpp"

namespace tenon::marshal {

/// An object reference as it travels (CORBA 3.4 part 2 §7.6.2).
struct Profile {
  std::uint32_t tag = 0;
  std::vector<std::uint8_t> data;
};
struct Reference {
  std::string type_id;
  std::vector<Profile> profiles;
};

/// A compiled TypeCode. Members of constructed types are found by their TypeCode.
class Program final : public RefCounted {
 public:
  const types::TypeRef& type() const noexcept { return type_; }
  const Unit& unit() const noexcept { return unit_; }
  TypeIndex root() const noexcept { return root_; }
  std::size_t size() const noexcept { return size_of(*unit_.type(root_)); }

  /// Where member `index` of a struct or exception lies in its memory. `struct_type` (below its aliases) is a part of type().
  std::size_t member_offset(const types::TypeCode& struct_type, std::size_t index) const noexcept;
  /// The program of a part of type(), below its aliases; no_case when it is no part.
  TypeIndex index_of(const types::TypeCode& part) const noexcept;

 private:
  friend class Compiler;
  struct Part {
    const types::TypeCode* type;
    TypeIndex index;
    std::vector<std::size_t> offsets;
  };
  const Part* find(const types::TypeCode& part) const noexcept;

  types::TypeRef type_;
  std::vector<Word> words_;
  std::vector<const Foreign*> foreign_;
  std::vector<Part> parts_;
  ValueTypes values_;
  Unit unit_;
  TypeIndex root_ = 0;
};

/// IMP_LIMIT for a type above 16 MiB in memory; NO_IMPLEMENT for native and incomplete types; BAD_TYPECODE if `type` is null.
Result<Ref<const Program>> compile(const types::TypeRef& type);

/// A value of a type met at run time, in memory of its own.
class Value {
 public:
  /// Numbers 0, texts and sequences empty, unions at their first label.
  explicit Value(Ref<const Program> program);
  Value(const Value& other);
  Value(Value&& other) noexcept = default;
  Value& operator=(Value other) noexcept;
  ~Value();

  const Program& program() const noexcept { return *program_; }
  const Ref<const Program>& shared_program() const noexcept { return program_; }
  std::byte* data() noexcept { return memory_.get(); }
  const std::byte* data() const noexcept { return memory_.get(); }

  void encode(cdr::Writer& out) const { marshal::encode(program_->unit(), program_->root(), out, data()); }
  void decode(cdr::Reader& in) { marshal::decode(program_->unit(), program_->root(), in, data()); }
  /// Compares values of equal types; where there are value types, both must have the same program.
  friend bool operator==(const Value& a, const Value& b) {
    return marshal::equal(a.program_->unit(), a.program_->root(), a.data(), b.data());
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept { ::operator delete(memory); }
  };
  Ref<const Program> program_;
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace tenon::marshal
