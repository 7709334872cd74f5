// SPDX-License-Identifier: Apache-2.0
//
// DynAnys of types with components (CORBA 3.4 part 1 §8.12.5 to §8.12.11). See dyn_any.hpp. One thread at a time per tree.
#pragma once

#include "tenon/dynamic/dyn_any.hpp"

namespace DynamicAny {
inline namespace cpp11 {

using FieldName = std::string;

/// A member with its name: struct NameValuePair { FieldName id; any value; } and struct NameDynAnyPair.
template <typename Value>
class NamedPart {
 public:
  NamedPart() = default;
  NamedPart(FieldName id, Value value) : id_(std::move(id)), value_(std::move(value)) {}

  const FieldName& id() const noexcept { return id_; }
  FieldName& id() noexcept { return id_; }
  void id(FieldName id) { id_ = std::move(id); }
  const Value& value() const noexcept { return value_; }
  Value& value() noexcept { return value_; }
  void value(Value value) { value_ = std::move(value); }

  void swap(NamedPart& other) noexcept { std::swap(*this, other); }

 private:
  FieldName id_;
  Value value_;
};

using NameValuePair = NamedPart<CORBA::Any>;
using NameValuePairSeq = std::vector<NameValuePair>;
using NameDynAnyPair = NamedPart<DynAnyRef>;
using NameDynAnyPairSeq = std::vector<NameDynAnyPair>;

/// Base of types with named members.
class DynMembers : public DynAny {
 public:
  using DynAny::DynAny;

  FieldName current_member_name();
  CORBA::TCKind current_member_kind();
  NameValuePairSeq get_members();
  /// All members in order. A name may be empty. TypeMismatch for a wrong name or type, InvalidValue for a wrong number.
  void set_members(const NameValuePairSeq& value);
  NameDynAnyPairSeq get_members_as_dyn_any();
  void set_members_as_dyn_any(const NameDynAnyPairSeq& value);

 protected:
  using Members = std::vector<const tenon::types::Member*>;
  virtual Members members() const = 0;
  /// InvalidValue where there are no members to get.
  virtual void check_members() {}
  virtual void members_are_set() noexcept {}

 private:
  const tenon::types::Member& current_member();
};

/// Structs and exceptions.
class DynStruct final : public DynMembers {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynStruct:1.0";
  using DynMembers::DynMembers;

 private:
  bool has_parts() const noexcept override { return !plain_type().members.empty(); }
  void split(tenon::cdr::Reader& in, Parts& parts) override;
  void write_head(tenon::cdr::Writer& out) override;
  Members members() const override;
  tenon::gen::OwnId<DynStruct> own_id_{*this};
};

/// Components: the discriminator, and the active member if there is one.
class DynUnion final : public DynAny {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynUnion:1.0";
  using DynAny::DynAny;

  DynAnyRef get_discriminator();
  /// A member that is no longer active is lost; one that becomes active has its type's default value.
  void set_discriminator(const DynAnyRef& d);
  /// TypeMismatch without a default case.
  void set_to_default_member();
  /// TypeMismatch when there is a default case, or every value has a case.
  void set_to_no_active_member();
  bool has_no_active_member();
  CORBA::TCKind discriminator_kind();
  // The next three are for the active member; InvalidValue when there is none.
  DynAnyRef member();
  FieldName member_name();
  CORBA::TCKind member_kind();

 private:
  bool has_parts() const noexcept override { return true; }
  void split(tenon::cdr::Reader& in, Parts& parts) override;
  void refresh(Parts& parts) override;
  void set_label(std::uint64_t label, std::int32_t current);
  const tenon::types::Member& active_member();

  const tenon::types::Member* active_ = nullptr;
  tenon::gen::OwnId<DynUnion> own_id_{*this};
};

/// Base of sequences and arrays.
class DynElements : public DynAny {
 public:
  using DynAny::DynAny;

  AnySeq get_elements();
  /// TypeMismatch for an element of another type, InvalidValue for a wrong number.
  void set_elements(const AnySeq& value);
  DynAnySeq get_elements_as_dyn_any();
  void set_elements_as_dyn_any(const DynAnySeq& value);

 protected:
  virtual bool takes(std::size_t count) const noexcept = 0;
  tenon::types::TypeRef element_type() const noexcept { return part_type(*plain_type().content); }

 private:
  bool has_parts() const noexcept final { return true; }
};

class DynSequence final : public DynElements {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynSequence:1.0";
  using DynElements::DynElements;

  std::uint32_t get_length();
  /// New elements have their type's default value. InvalidValue above the bound.
  void set_length(std::uint32_t len);

 private:
  bool takes(std::size_t count) const noexcept override {
    return plain_type().length == 0 || count <= plain_type().length;
  }
  void split(tenon::cdr::Reader& in, Parts& parts) override;
  void write_head(tenon::cdr::Writer& out) override;
  tenon::gen::OwnId<DynSequence> own_id_{*this};
};

class DynArray final : public DynElements {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynArray:1.0";
  using DynElements::DynElements;

 private:
  bool takes(std::size_t count) const noexcept override { return count == plain_type().length; }
  void split(tenon::cdr::Reader& in, Parts& parts) override;
  tenon::gen::OwnId<DynArray> own_id_{*this};
};

/// Base of value types and boxes. A value is a tree here: a part that is shared is taken apart at each of its places, and a value that
/// contains itself has components without end. The state of a custom value cannot be read: InvalidValue.
class DynValueCommon : public DynMembers {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynValueCommon:1.0";
  using DynMembers::DynMembers;

  bool is_null();
  void set_to_null();
  /// Gives it default members, if it was null.
  void set_to_value();
  /// True: the value's type is derived from the TypeCode's, which therefore does not describe all of the value.
  bool _truncated();

 protected:
  void check_members() final;
  void members_are_set() noexcept final { null_ = false; }

 private:
  bool has_parts() const noexcept final { return true; }
  void split(tenon::cdr::Reader& in, Parts& parts) final;
  void write_head(tenon::cdr::Writer& out) final;
  void write_tail(tenon::cdr::Writer& out) final;

  bool null_ = false;       // valid once it is split
  bool truncated_ = false;  // likewise
  tenon::gen::OwnId<DynValueCommon> own_id_{*this};
};

/// Components: the state, that of bases first.
class DynValue final : public DynValueCommon {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynValue:1.0";
  using DynValueCommon::DynValueCommon;

 private:
  Members members() const override;
  tenon::gen::OwnId<DynValue> own_id_{*this};
};

/// One component: what is in the box.
class DynValueBox final : public DynValueCommon {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynValueBox:1.0";
  explicit DynValueBox(tenon::types::Any value);

  // InvalidValue for null; TypeMismatch.
  CORBA::Any get_boxed_value();
  void set_boxed_value(const CORBA::Any& boxed);
  DynAnyRef get_boxed_value_as_dyn_any();
  void set_boxed_value_as_dyn_any(const DynAnyRef& boxed);

 private:
  Members members() const override { return {&inside_}; }
  tenon::types::Member inside_;
  tenon::gen::OwnId<DynValueBox> own_id_{*this};
};

}  // namespace cpp11
}  // namespace DynamicAny

namespace tenon::gen {

template <>
struct Codec<DynamicAny::NameValuePair> {
  using value_type = DynamicAny::NameValuePair;
  static constexpr std::size_t smallest = String<>::smallest + Codec<CORBA::Any>::smallest;
  static void put(cdr::Writer& out, const value_type& value) {
    out.put_string(value.id());
    Codec<CORBA::Any>::put(out, value.value());
  }
  static void get(cdr::Reader& in, value_type& value) {
    in.get_string(value.id());
    Codec<CORBA::Any>::get(in, value.value());
  }
};

}  // namespace tenon::gen

template <>
struct IDL::traits<DynamicAny::DynValueCommon>
    : tenon::gen::LocalInterfaceTraits<DynamicAny::DynValueCommon> {};
template <>
struct IDL::traits<DynamicAny::DynValue> : tenon::gen::LocalInterfaceTraits<DynamicAny::DynValue> {};
template <>
struct IDL::traits<DynamicAny::DynValueBox> : tenon::gen::LocalInterfaceTraits<DynamicAny::DynValueBox> {};
template <>
struct IDL::traits<DynamicAny::DynStruct> : tenon::gen::LocalInterfaceTraits<DynamicAny::DynStruct> {};
template <>
struct IDL::traits<DynamicAny::DynUnion> : tenon::gen::LocalInterfaceTraits<DynamicAny::DynUnion> {};
template <>
struct IDL::traits<DynamicAny::DynSequence> : tenon::gen::LocalInterfaceTraits<DynamicAny::DynSequence> {};
template <>
struct IDL::traits<DynamicAny::DynArray> : tenon::gen::LocalInterfaceTraits<DynamicAny::DynArray> {};
