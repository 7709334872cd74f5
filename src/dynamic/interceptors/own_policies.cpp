// SPDX-License-Identifier: Apache-2.0
//
// The policy factories of a chain, and the values of policies that travel.
#include "dynamic/interceptors/own_policies.hpp"

#include "mapping/cpp11/corba/own_policies.hpp"
#include "tenon/interceptors/exposed_policy.hpp"

namespace tenon {

namespace dynamic {

namespace {

/// As a codec of GIOP 1.2 writes it (part 2 §9.3.3).
IOP::Codec& codec() {
  static const auto the_one = CORBA::make_reference<IOP::Codec>(cdr::WireFormat{});
  return *the_one;
}

class Makers final : public gen::PolicyMakers {
 public:
  explicit Makers(std::shared_ptr<const Chain> chain) : chain_(std::move(chain)) {}

  bool make(CORBA::PolicyType type) const override { return chain_->policy_factories.contains(type); }

  gen::PolicyRef read(CORBA::PolicyType type, ByteView value) const override {
    const auto found = chain_->policy_factories.find(type);
    if (found == chain_->policy_factories.end()) return nullptr;
    auto* const factory = dynamic_cast<ExposedPolicyFactory*>(found->second.get());
    const CORBA::TypeCodeRef value_type = factory != nullptr ? factory->exposed_type(type) : nullptr;
    if (!value_type) return nullptr;
    try {
      return factory->create_policy(type, codec().decode_value({value.begin(), value.end()}, value_type));
    } catch (const CORBA::UserException& exception) {
      gen::raise_with_reason(
          errors::unknown_policy_value,
          gen::policy_name(type) + ": the reference has a value that is none: " + exception.what());
    }
  }

 private:
  const std::shared_ptr<const Chain> chain_;
};

}  // namespace

void set_policy_makers(orb::Orb& orb, std::shared_ptr<const Chain> chain) {
  gen::PolicyMakers::set(orb, std::make_shared<const Makers>(std::move(chain)));
}

}  // namespace dynamic

std::vector<std::uint8_t> ExposedPolicy::_exposed_value() const {
  return dynamic::codec().encode_value(exposed_value());
}

}  // namespace tenon
