// SPDX-License-Identifier: Apache-2.0
//
// DynamicAny::DynAny (CORBA 3.4 part 1 §8.12): takes values of any type apart and puts them together at run time, without compiled code.
// The constructed kinds are in dyn_constructed.hpp, the factory is in dyn_any_factory.hpp.
//
// A DynAny is a node of a tree. It holds its value as a types::Any until its components are asked for; from then on they hold it,
// each in the same way. So a part that is not looked into is never decoded, and a big sequence of octets never becomes a million
// objects. Components are shared with the code that asked for them: a change to one is a change to the whole.
// One thread at a time per tree.
#pragma once

#include <string>
#include <vector>

#include "mapping/cpp11/types/sequences.hpp"
#include "mapping/cpp11/types/traits.hpp"
#include "tenon/corba/abstract_base.hpp"
#include "tenon/corba/object.hpp"
#include "tenon/corba/value.hpp"
#include "tenon/dynamic/any.hpp"
#include "tenon/portable_server/poa_exceptions.hpp"

namespace DynamicAny {
inline namespace cpp11 {

class DynAny;
using DynAnyRef = CORBA::object_reference<DynAny>;

class DynAny : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynAny:1.0";

  /// The type does not allow the value, or there is no current component.
  class InvalidValue final : public tenon::gen::PlainException {
   public:
    InvalidValue() noexcept : PlainException(tenon::gen::plain_class<InvalidValue>) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynAny/InvalidValue:1.0";
  };
  class TypeMismatch final : public tenon::gen::PlainException {
   public:
    TypeMismatch() noexcept : PlainException(tenon::gen::plain_class<TypeMismatch>) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynAny/TypeMismatch:1.0";
  };

  ~DynAny() override;

  // Every operation raises OBJECT_NOT_EXIST after destroy().

  CORBA::TypeCodeRef type() const;
  /// Takes the other's value; TypeMismatch unless the types are equivalent.
  void assign(const DynAnyRef& dyn_any);
  void from_any(const CORBA::Any& value);
  CORBA::Any to_any();
  /// Whether types are equivalent and values equal; current positions do not matter.
  bool equal(const DynAnyRef& dyn_any);
  /// Destroys all components too. Does nothing for a component, which goes with the whole. Not needed to release memory.
  void destroy();
  DynAnyRef copy();

  // --- components are numbered from 0; -1: none is current. The first one is current at first ---
  bool seek(std::int32_t index);
  void rewind() { seek(0); }
  bool next();
  std::uint32_t component_count();
  /// Nil where no component is current; TypeMismatch where the type has none.
  DynAnyRef current_component();

  // --- this value, or the current component if the type has components. TypeMismatch, InvalidValue ---
  void insert_boolean(bool value);
  void insert_octet(std::uint8_t value);
  void insert_char(char value);
  void insert_short(std::int16_t value);
  void insert_ushort(std::uint16_t value);
  void insert_long(std::int32_t value);
  void insert_ulong(std::uint32_t value);
  void insert_float(float value);
  void insert_double(double value);
  void insert_string(const std::string& value);
  void insert_reference(const CORBA::object_reference<CORBA::Object>& value);
  void insert_typecode(const CORBA::TypeCodeRef& value);
  void insert_longlong(std::int64_t value);
  void insert_ulonglong(std::uint64_t value);
  void insert_longdouble(long double value);
  void insert_wchar(wchar_t value);
  void insert_wstring(const std::wstring& value);
  void insert_any(const CORBA::Any& value);
  void insert_dyn_any(const DynAnyRef& value);
  /// This value type, or the current component if that is one. TypeMismatch when the value is of another type.
  void insert_val(const CORBA::valuetype_reference<CORBA::ValueBase>& value);
  bool get_boolean();
  std::uint8_t get_octet();
  char get_char();
  std::int16_t get_short();
  std::uint16_t get_ushort();
  std::int32_t get_long();
  std::uint32_t get_ulong();
  float get_float();
  double get_double();
  std::string get_string();
  CORBA::object_reference<CORBA::Object> get_reference();
  CORBA::TypeCodeRef get_typecode();
  std::int64_t get_longlong();
  std::uint64_t get_ulonglong();
  long double get_longdouble();
  wchar_t get_wchar();
  std::wstring get_wstring();
  CORBA::Any get_any();
  DynAnyRef get_dyn_any();
  /// The value is made by the ORB's value factories: MARSHAL (minor OMG 1) if there is none for it.
  CORBA::valuetype_reference<CORBA::ValueBase> get_val();
  /// An object or a value where the type is an abstract interface. Whether an object has that interface is not asked; a value is made as by
  /// get_val().
  void insert_abstract(const CORBA::object_reference<CORBA::AbstractBase>& value);
  CORBA::object_reference<CORBA::AbstractBase> get_abstract();

  // --- this sequence or array of primitives, or the current component if that is one ---
  void insert_boolean_seq(const CORBA::BooleanSeq& value);
  void insert_octet_seq(const CORBA::OctetSeq& value);
  void insert_char_seq(const CORBA::CharSeq& value);
  void insert_short_seq(const CORBA::ShortSeq& value);
  void insert_ushort_seq(const CORBA::UShortSeq& value);
  void insert_long_seq(const CORBA::LongSeq& value);
  void insert_ulong_seq(const CORBA::ULongSeq& value);
  void insert_float_seq(const CORBA::FloatSeq& value);
  void insert_double_seq(const CORBA::DoubleSeq& value);
  void insert_longlong_seq(const CORBA::LongLongSeq& value);
  void insert_ulonglong_seq(const CORBA::ULongLongSeq& value);
  void insert_longdouble_seq(const CORBA::LongDoubleSeq& value);
  void insert_wchar_seq(const CORBA::WCharSeq& value);
  CORBA::BooleanSeq get_boolean_seq();
  CORBA::OctetSeq get_octet_seq();
  CORBA::CharSeq get_char_seq();
  CORBA::ShortSeq get_short_seq();
  CORBA::UShortSeq get_ushort_seq();
  CORBA::LongSeq get_long_seq();
  CORBA::ULongSeq get_ulong_seq();
  CORBA::FloatSeq get_float_seq();
  CORBA::DoubleSeq get_double_seq();
  CORBA::LongLongSeq get_longlong_seq();
  CORBA::ULongLongSeq get_ulonglong_seq();
  CORBA::LongDoubleSeq get_longdouble_seq();
  CORBA::WCharSeq get_wchar_seq();

  // --- the ORB's own ---
  /// `value` fits its type, but its bytes may be malformed.
  explicit DynAny(tenon::types::Any value) : packed_(std::move(value)) {}
  /// The value as it would travel.
  tenon::types::Any _pack();
  const tenon::types::TypeRef& _type() const noexcept { return packed_.type(); }
  tenon::types::Kind _kind() const noexcept { return tenon::types::unaliased(*_type()).kind; }

 protected:
  using Parts = std::vector<DynAnyRef>;

  // Constructed kinds override these. Kinds without components do not.
  virtual bool has_parts() const noexcept { return false; }
  /// Reads all components.
  virtual void split(tenon::cdr::Reader&, Parts&) {}
  /// Writes what comes before the components.
  virtual void write_head(tenon::cdr::Writer&) {}
  /// Writes what comes after them.
  virtual void write_tail(tenon::cdr::Writer&) {}
  /// To be called before components are used: the application shares them, and may have changed one.
  virtual void refresh(Parts&) {}

  void check_alive() const;
  /// The components, which hold the value from now on.
  Parts& parts();
  const tenon::types::TypeCode& plain_type() const noexcept { return tenon::types::unaliased(*_type()); }
  tenon::types::TypeRef part_type(const tenon::types::TypeCode& type) const noexcept {
    return _type().part(type);
  }
  /// A component with that value; without one, with the type's default.
  DynAnyRef component(tenon::types::Any value);
  DynAnyRef component(const tenon::types::TypeRef& type);
  /// The next value of that type as a component. InvalidValue when it is malformed.
  DynAnyRef read_component(tenon::cdr::Reader& in, const tenon::types::TypeCode& type);
  /// A component made of the given value. TypeMismatch unless its type is equivalent.
  DynAnyRef adopted(const tenon::types::Any& value, const tenon::types::TypeRef& type);
  /// Replaces all components and makes the first current.
  void replace_parts(Parts parts);
  /// Replaces the value; the first component is current.
  void replace(tenon::types::Any value);

  std::int32_t current_ = 0;  ///< as it was set; valid only while there is such a component

 private:
  DynAny& place();
  DynAny& place_of(tenon::types::Kind kind);
  DynAny& sequence_of(tenon::types::Kind element);
  DynAny& value_place();
  template <typename Put>
  void put_in(tenon::types::Kind kind, Put write);
  template <typename Get>
  auto take_out(tenon::types::Kind kind, Get read);
  template <typename T>
  void insert_seq(tenon::types::Kind kind, const std::vector<T>& value);
  template <typename T>
  std::vector<T> get_seq(tenon::types::Kind kind);
  void write_to(tenon::cdr::Writer& out);
  /// How much further a comparison may go, as values that contain themselves could be compared for ever.
  struct Limits {
    unsigned steps = 1u << 20;
    unsigned depth = 1000;
  };
  bool same_as(DynAny& other, Limits& limits);
  bool same_parts(DynAny& other, Limits& limits);
  void mark_destroyed() noexcept;

  tenon::types::Any packed_;  // the type always; the value until split_
  Parts parts_;
  bool split_ = false;
  bool is_component_ = false;
  bool destroyed_ = false;
  tenon::gen::OwnId<DynAny> own_id_{*this};
};

using AnySeq = std::vector<CORBA::Any>;
using DynAnySeq = std::vector<DynAnyRef>;

/// Fixed-point decimals, as text.
class DynFixed final : public DynAny {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynFixed:1.0";
  using DynAny::DynAny;
  std::string get_value();
  /// False: places were cut. TypeMismatch when the text is no number, InvalidValue when it has too many digits before the point.
  bool set_value(const std::string& val);

 private:
  tenon::gen::OwnId<DynFixed> own_id_{*this};
};

class DynEnum final : public DynAny {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/DynamicAny/DynEnum:1.0";
  using DynAny::DynAny;
  std::string get_as_string();
  void set_as_string(const std::string& value);
  std::uint32_t get_as_ulong();
  void set_as_ulong(std::uint32_t value);

 private:
  tenon::gen::OwnId<DynEnum> own_id_{*this};
};

}  // namespace cpp11
}  // namespace DynamicAny

template <>
struct IDL::traits<DynamicAny::DynAny> : tenon::gen::LocalInterfaceTraits<DynamicAny::DynAny> {};
template <>
struct IDL::traits<DynamicAny::DynFixed> : tenon::gen::LocalInterfaceTraits<DynamicAny::DynFixed> {};
template <>
struct IDL::traits<DynamicAny::DynEnum> : tenon::gen::LocalInterfaceTraits<DynamicAny::DynEnum> {};
