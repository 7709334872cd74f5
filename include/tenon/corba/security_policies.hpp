// SPDX-License-Identifier: Apache-2.0
//
// Protection by policy (Security Service 1.8, modules Security and SecurityLevel2): QOPPolicy says how calls are protected on their way,
// EstablishTrustPolicy who has to prove who it is. For ORBs (ORBPolicyManager), threads (PolicyCurrent), references
// (_set_policy_overrides()), where they are a client's, and for create_POA(), where they say what callers have to do. An ORB knows them if
// its start-up names tenon::parts::security_policies; CORBA::ORB_init does. docs/security.md has the rules and examples.
//
// Policies never change. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tenon/corba/policy.hpp"

namespace Security {
inline namespace cpp11 {

inline constexpr CORBA::PolicyType SecQOPPolicy = 15;
inline constexpr CORBA::PolicyType SecEstablishTrustPolicy = 39;

/// How octets are protected on their way: nobody changes them, nobody reads them.
enum class QOP : std::uint32_t {
  SecQOPNoProtection,
  SecQOPIntegrity,
  SecQOPConfidentiality,
  SecQOPIntegrityAndConfidentiality,
};

/// Which side proves to the other one who it is.
class EstablishTrust {
 public:
  EstablishTrust() = default;
  explicit EstablishTrust(bool trust_in_client, bool trust_in_target)
      : trust_in_client_(trust_in_client), trust_in_target_(trust_in_target) {}

  void trust_in_client(bool value) { trust_in_client_ = value; }
  bool trust_in_client() const { return trust_in_client_; }
  bool& trust_in_client() { return trust_in_client_; }
  void trust_in_target(bool value) { trust_in_target_ = value; }
  bool trust_in_target() const { return trust_in_target_; }
  bool& trust_in_target() { return trust_in_target_; }

  void swap(EstablishTrust& other) noexcept { std::swap(*this, other); }
  bool operator==(const EstablishTrust&) const = default;

 private:
  bool trust_in_client_ = false;
  bool trust_in_target_ = false;
};

}  // namespace cpp11
}  // namespace Security

namespace SecurityLevel2 {
inline namespace cpp11 {

/// Of a call: it goes over connections that are protected so, and raises NO_PERMISSION where the reference has none that this ORB can open.
/// SecQOPNoProtection asks for nothing. Of a POA: its references lead over such connections alone, and requests that have come otherwise
/// are refused (NO_PERMISSION). What stays inside the process needs no connection.
class QOPPolicy final : public virtual CORBA::Policy {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/SecurityLevel2/QOPPolicy:1.0";
  /// INV_POLICY: the standard has no such value.
  explicit QOPPolicy(Security::QOP qop);
  Security::QOP qop() const noexcept { return qop_; }
  CORBA::PolicyType policy_type() const override { return Security::SecQOPPolicy; }
  CORBA::object_reference<CORBA::Policy> copy() override;

 private:
  const Security::QOP qop_;
  tenon::gen::OwnId<QOPPolicy> own_id_{*this};
};

/// Of a call: with trust_in_target the server must have proved who it is, whatever the options say; without it, it need not, and such calls
/// have connections of their own. With trust_in_client this side must have a certificate to show, and the server must ask for it. Either
/// leaves out ways in the clear. Of a POA: with trust_in_client its callers must have shown a certificate that this side has verified;
/// either refuses requests in the clear.
class EstablishTrustPolicy final : public virtual CORBA::Policy {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/SecurityLevel2/EstablishTrustPolicy:1.0";
  explicit EstablishTrustPolicy(Security::EstablishTrust trust);
  ~EstablishTrustPolicy() override;
  Security::EstablishTrust trust() const { return trust_; }
  CORBA::PolicyType policy_type() const override { return Security::SecEstablishTrustPolicy; }
  CORBA::object_reference<CORBA::Policy> copy() override;

  // --- the ORB's own ---
  /// `before`, and what connections of these calls have in addition; lives as long as the policy.
  std::string_view _properties(std::string_view before, std::string_view added) const;

 private:
  struct Texts;
  const Security::EstablishTrust trust_;
  const std::unique_ptr<Texts> texts_;
  tenon::gen::OwnId<EstablishTrustPolicy> own_id_{*this};
};

}  // namespace cpp11
}  // namespace SecurityLevel2

namespace tenon::gen {

template <>
struct Codec<Security::QOP> : Enum<Security::QOP, 4> {};

template <>
struct Codec<Security::EstablishTrust> {
  using value_type = Security::EstablishTrust;
  static constexpr std::size_t smallest = 2;
  static void put(cdr::Writer& out, const value_type& value) noexcept {
    out.put(value.trust_in_client());
    out.put(value.trust_in_target());
  }
  static void get(cdr::Reader& in, value_type& value) noexcept {
    value.trust_in_client(in.get<bool>());
    value.trust_in_target(in.get<bool>());
  }
};

}  // namespace tenon::gen

template <>
struct IDL::traits<SecurityLevel2::QOPPolicy> : tenon::gen::LocalInterfaceTraits<SecurityLevel2::QOPPolicy> {
};
template <>
struct IDL::traits<SecurityLevel2::EstablishTrustPolicy>
    : tenon::gen::LocalInterfaceTraits<SecurityLevel2::EstablishTrustPolicy> {};
