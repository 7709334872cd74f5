// SPDX-License-Identifier: Apache-2.0
//
// CORBA::Policy (CORBA 3.4 part 1 §8.10): the base of every policy object. Policies are local and never change, so copies share.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mapping/cpp11/types/codec.hpp"
#include "mapping/cpp11/types/sequences.hpp"
#include "mapping/cpp11/types/traits.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/corba/object.hpp"

namespace CORBA {
inline namespace cpp11 {

class Policy : public virtual LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/Policy:1.0";

  virtual PolicyType policy_type() const = 0;
  virtual object_reference<Policy> copy() = 0;
  virtual void destroy() {}

  // --- the ORB's own ---
  /// What travels in references for the policy: its attributes as an encapsulation. Empty: it stays in this process. tenon::ExposedPolicy
  /// (tenon/interceptors/exposed_policy.hpp) defines it for policies of programs.
  virtual std::vector<std::uint8_t> _exposed_value() const { return {}; }

 private:
  tenon::gen::OwnId<Policy> own_id_{*this};
};

inline constexpr PolicyErrorCode BAD_POLICY = 0;          ///< not known
inline constexpr PolicyErrorCode UNSUPPORTED_POLICY = 1;  ///< known, but not supported here
inline constexpr PolicyErrorCode BAD_POLICY_TYPE = 2;     ///< the value is not of the policy's type
inline constexpr PolicyErrorCode BAD_POLICY_VALUE = 3;    ///< of the type, but none of the policy's values
inline constexpr PolicyErrorCode UNSUPPORTED_POLICY_VALUE = 4;  ///< one of them, but not supported here

/// No policy can be made of this (CORBA 3.4 part 1 §8.10.3).
class PolicyError : public UserException {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/PolicyError:1.0";
  PolicyError() = default;
  explicit PolicyError(PolicyErrorCode reason) noexcept : reason_(reason) {}
  /// `why`: which policy that is, and what is wrong with it; what() shows it after the members.
  PolicyError(PolicyErrorCode reason, const std::string& why);
  void reason(PolicyErrorCode value) noexcept { reason_ = value; }
  PolicyErrorCode reason() const noexcept { return reason_; }
  PolicyErrorCode& reason() noexcept { return reason_; }
  std::string_view _rep_id() const noexcept override { return _static_id; }
  std::string_view _name() const noexcept override { return "PolicyError"; }
  [[noreturn]] void _raise() const override { throw *this; }
  void _put(tenon::cdr::Writer& out) const override;
  const char* _members() const noexcept override {
    return "reason:h(BAD_POLICY,UNSUPPORTED_POLICY,BAD_POLICY_TYPE,BAD_POLICY_VALUE,UNSUPPORTED_POLICY_"
           "VALUE)";
  }
  const char* what() const noexcept override;

 private:
  PolicyErrorCode reason_ = BAD_POLICY;
  std::string text_;
};

/// Some policies do not go together, or not with the object; it has their places in the list (§8.3.1.6).
class InvalidPolicies : public UserException {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/InvalidPolicies:1.0";
  InvalidPolicies() = default;
  explicit InvalidPolicies(std::vector<std::uint16_t> indices) : indices_(std::move(indices)) {}
  /// `why`: as in PolicyError.
  InvalidPolicies(std::vector<std::uint16_t> indices, const std::string& why);
  void indices(std::vector<std::uint16_t> value) { indices_ = std::move(value); }
  const std::vector<std::uint16_t>& indices() const noexcept { return indices_; }
  std::vector<std::uint16_t>& indices() noexcept { return indices_; }
  std::string_view _rep_id() const noexcept override { return _static_id; }
  std::string_view _name() const noexcept override { return "InvalidPolicies"; }
  [[noreturn]] void _raise() const override { throw *this; }
  void _put(tenon::cdr::Writer& out) const override;
  const char* _members() const noexcept override { return "indices:*H"; }
  const char* what() const noexcept override;

 private:
  std::vector<std::uint16_t> indices_;
  std::string text_;
};

using PolicyList = std::vector<object_reference<Policy>>;
using PolicyTypeSeq = std::vector<PolicyType>;

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

template <>
struct Codec<CORBA::PolicyError> {
  using value_type = CORBA::PolicyError;
  static constexpr std::size_t smallest = 2;
  static void put(cdr::Writer& out, const value_type& value) noexcept { out.put(value.reason()); }
  static void get(cdr::Reader& in, value_type& value) noexcept {
    value.reason(in.get<CORBA::PolicyErrorCode>());
  }
};
template <>
struct Codec<CORBA::InvalidPolicies> {
  using value_type = CORBA::InvalidPolicies;
  using Indices = Sequence<Codec<std::uint16_t>>;
  static constexpr std::size_t smallest = Indices::smallest;
  static void put(cdr::Writer& out, const value_type& value) { Indices::put(out, value.indices()); }
  static void get(cdr::Reader& in, value_type& value) { Indices::get(in, value.indices()); }
};

/// A policy that is one value.
template <typename Self, typename Value, CORBA::PolicyType Type>
class ValuePolicy : public virtual CORBA::Policy {
 public:
  explicit ValuePolicy(Value value) noexcept : value_(value) {}
  Value value() const noexcept { return value_; }
  CORBA::PolicyType policy_type() const override { return Type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return CORBA::make_reference<Self>(value_); }

 private:
  const Value value_;
  tenon::gen::OwnId<Self> own_id_{*this};
};

}  // namespace tenon::gen

template <>
struct IDL::traits<CORBA::Policy> : tenon::gen::LocalInterfaceTraits<CORBA::Policy> {};
