// SPDX-License-Identifier: Apache-2.0
//
// DynamicAny::DynAnyFactory (CORBA 3.4 part 1 §8.12.2): the initial reference "DynAnyFactory" of a program that refers to it.
// Safe from any thread.
#pragma once

#include <optional>

#include "tenon/dynamic/dyn_constructed.hpp"

namespace DynamicAny {
inline namespace cpp11 {

/// A value would be truncated, and lose the state that its own type adds (CORBA 3.4 part 1 §8.12.2).
class MustTruncate final : public tenon::gen::PlainException {
 public:
  MustTruncate() noexcept : PlainException(tenon::gen::plain_class<MustTruncate>) {}
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/MustTruncate:1.0";
};

class DynAnyFactory : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynAnyFactory:1.0";

  /// A DynAny cannot hold values of the type: native, local, Principal.
  class InconsistentTypeCode final : public tenon::gen::PlainException {
   public:
    InconsistentTypeCode() noexcept : PlainException(tenon::gen::plain_class<InconsistentTypeCode>) {}
    static constexpr std::string_view _static_id =
        "IDL:omg.org/DynamicAny/DynAnyFactory/InconsistentTypeCode:1.0";
  };

  ~DynAnyFactory() override;

  DynAnyRef create_dyn_any(const CORBA::Any& value);
  /// With the type's default value (§8.12.2): 0, "", nil, the first enumerator, the first case, no elements.
  DynAnyRef create_dyn_any_from_type_code(const CORBA::TypeCodeRef& type);
  /// MustTruncate for a value whose type is derived from the Any's, whose TypeCode then does not describe all of it.
  DynAnyRef create_dyn_any_without_truncation(const CORBA::Any& value);
  DynAnySeq create_multiple_dyn_anys(const AnySeq& values, bool allow_truncate);
  AnySeq create_multiple_anys(const DynAnySeq& values);

 private:
  tenon::gen::OwnId<DynAnyFactory> own_id_{*this};
};

}  // namespace cpp11
}  // namespace DynamicAny

template <>
struct IDL::traits<DynamicAny::DynAnyFactory> : tenon::gen::LocalInterfaceTraits<DynamicAny::DynAnyFactory> {
};

namespace tenon::dynamic {

/// The DynAny of the right class. InconsistentTypeCode.
DynamicAny::DynAnyRef make_dyn_any(types::Any value);
/// The default value of a type. InconsistentTypeCode.
types::Any default_value(const types::TypeRef& type);
/// A discriminator's value that selects the default case or none; nothing when every value has a case of its own.
std::optional<std::uint64_t> unused_label(const types::TypeCode& union_type);
/// A union's discriminator, sign-extended as in types::Member.
std::uint64_t label_of(const types::Any& discriminator);

}  // namespace tenon::dynamic
