// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/policy.hpp"

namespace CORBA {
inline namespace cpp11 {

void PolicyError::_put(tenon::cdr::Writer& out) const { tenon::gen::Codec<PolicyError>::put(out, *this); }

void InvalidPolicies::_put(tenon::cdr::Writer& out) const {
  tenon::gen::Codec<InvalidPolicies>::put(out, *this);
}

PolicyError::PolicyError(PolicyErrorCode reason, const std::string& why) : reason_(reason) {
  text_ = UserException::what() + (": " + why);
}

const char* PolicyError::what() const noexcept {
  return text_.empty() ? UserException::what() : text_.c_str();
}

InvalidPolicies::InvalidPolicies(std::vector<std::uint16_t> indices, const std::string& why)
    : indices_(std::move(indices)) {
  text_ = UserException::what() + (": " + why);
}

const char* InvalidPolicies::what() const noexcept {
  return text_.empty() ? UserException::what() : text_.c_str();
}

}  // namespace cpp11
}  // namespace CORBA
