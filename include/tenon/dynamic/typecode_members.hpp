// SPDX-License-Identifier: Apache-2.0
//
// Arguments of ORB::create_struct_tc() and similar functions: members of types that are to be made (CORBA 3.4 part 1 §8.11.3, §14.7).
//
// `type_def` belongs to interface repositories and may stay nil. Classes as the mapping makes them of IDL structs.
#pragma once

#include "tenon/corba/object.hpp"
#include "tenon/dynamic/any.hpp"
#include "tenon/dynamic/typecode.hpp"

namespace CORBA {
inline namespace cpp11 {

/// Name and type, which all members have.
class TypedMember {
 public:
  TypedMember() = default;

  const std::string& name() const noexcept { return name_; }
  std::string& name() noexcept { return name_; }
  void name(std::string value) noexcept { name_ = std::move(value); }
  const TypeCodeRef& type() const noexcept { return type_; }
  TypeCodeRef& type() noexcept { return type_; }
  void type(TypeCodeRef value) noexcept { type_ = std::move(value); }
  const object_reference<Object>& type_def() const noexcept { return type_def_; }
  object_reference<Object>& type_def() noexcept { return type_def_; }
  void type_def(object_reference<Object> value) noexcept { type_def_ = std::move(value); }

 protected:
  TypedMember(std::string name, TypeCodeRef type, object_reference<Object> type_def) noexcept
      : name_(std::move(name)), type_(std::move(type)), type_def_(std::move(type_def)) {}

 private:
  std::string name_;
  TypeCodeRef type_;
  object_reference<Object> type_def_;
};

class StructMember : public TypedMember {
 public:
  StructMember() = default;
  StructMember(std::string name, TypeCodeRef type, object_reference<Object> type_def = nullptr) noexcept
      : TypedMember(std::move(name), std::move(type), std::move(type_def)) {}
};

class UnionMember : public TypedMember {
 public:
  UnionMember() = default;
  /// `label`: a value of the discriminator's type; the octet 0 for the default case.
  UnionMember(std::string name, Any label, TypeCodeRef type,
              object_reference<Object> type_def = nullptr) noexcept
      : TypedMember(std::move(name), std::move(type), std::move(type_def)), label_(std::move(label)) {}

  const Any& label() const noexcept { return label_; }
  Any& label() noexcept { return label_; }
  void label(Any value) noexcept { label_ = std::move(value); }

 private:
  Any label_;
};

class ValueMember : public TypedMember {
 public:
  ValueMember() = default;
  ValueMember(std::string name, std::string id, std::string defined_in, std::string version, TypeCodeRef type,
              object_reference<Object> type_def, Visibility access) noexcept
      : TypedMember(std::move(name), std::move(type), std::move(type_def)),
        id_(std::move(id)),
        defined_in_(std::move(defined_in)),
        version_(std::move(version)),
        access_(access) {}

  const std::string& id() const noexcept { return id_; }
  std::string& id() noexcept { return id_; }
  void id(std::string value) noexcept { id_ = std::move(value); }
  const std::string& defined_in() const noexcept { return defined_in_; }
  std::string& defined_in() noexcept { return defined_in_; }
  void defined_in(std::string value) noexcept { defined_in_ = std::move(value); }
  const std::string& version() const noexcept { return version_; }
  std::string& version() noexcept { return version_; }
  void version(std::string value) noexcept { version_ = std::move(value); }
  Visibility access() const noexcept { return access_; }
  Visibility& access() noexcept { return access_; }
  void access(Visibility value) noexcept { access_ = value; }

 private:
  std::string id_;
  std::string defined_in_;
  std::string version_;
  Visibility access_ = PRIVATE_MEMBER;
};

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

// Codecs as structs of IDL have them, for generated operations with such parameters (interface repositories have some).
template <>
struct Codec<CORBA::StructMember> {
  using value_type = CORBA::StructMember;
  static constexpr std::size_t smallest = 16;
  static void put(cdr::Writer& out, const value_type& value);
  static void get(cdr::Reader& in, value_type& value);
};
template <>
struct Codec<CORBA::UnionMember> {
  using value_type = CORBA::UnionMember;
  static constexpr std::size_t smallest = 20;
  static void put(cdr::Writer& out, const value_type& value);
  static void get(cdr::Reader& in, value_type& value);
};
template <>
struct Codec<CORBA::ValueMember> {
  using value_type = CORBA::ValueMember;
  static constexpr std::size_t smallest = 30;
  static void put(cdr::Writer& out, const value_type& value);
  static void get(cdr::Reader& in, value_type& value);
};

}  // namespace tenon::gen
