// SPDX-License-Identifier: Apache-2.0
//
// Policies of a program that its clients see: a POA that has one says so in its references (component TAG_POLICIES, CORBA 3.4 part 1
// §17.2), and Object::_get_policy() and get_request_policy() of an ORB with a factory for the type return it. docs/interceptors.md has an
// example.
//
// Threads: called by those that make POAs and ask for policies, several at a time.
#pragma once

#include "tenon/interceptors/interceptors.hpp"

namespace tenon {

/// A policy for create_POA whose value travels.
class ExposedPolicy : public virtual CORBA::Policy {
 public:
  static constexpr std::string_view _static_id = "IDL:tenon/ExposedPolicy:1.0";
  /// The policy's attribute; for several ones a struct of them in the order of their declaration. Two policies of one type with equal
  /// values go together.
  virtual CORBA::Any exposed_value() const = 0;

  std::vector<std::uint8_t> _exposed_value() const final;

 private:
  gen::OwnId<ExposedPolicy> own_id_{*this};
};

/// Makes such policies, also of what came in a reference: create_policy() gets the value as exposed_value() gave it at the server.
class ExposedPolicyFactory : public PortableInterceptor::PolicyFactory {
 public:
  static constexpr std::string_view _static_id = "IDL:tenon/ExposedPolicyFactory:1.0";
  /// The type of the values of that policy type. Nil: such policies do not travel.
  virtual CORBA::TypeCodeRef exposed_type(CORBA::PolicyType type) = 0;

 private:
  gen::OwnId<ExposedPolicyFactory> own_id_{*this};
};

}  // namespace tenon

template <>
struct IDL::traits<tenon::ExposedPolicy> : tenon::gen::LocalInterfaceTraits<tenon::ExposedPolicy> {};
template <>
struct IDL::traits<tenon::ExposedPolicyFactory>
    : tenon::gen::LocalInterfaceTraits<tenon::ExposedPolicyFactory> {};
