// SPDX-License-Identifier: Apache-2.0
//
// An object reference: an IOR, what the protocols here make of it, and what calls have learnt (forward, chosen address).
// The IOR never changes. Safe from any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/ref.hpp"
#include "cdr/code_sets.hpp"
#include "ior/components.hpp"
#include "ior/ior.hpp"
#include "orb/client/call_policies.hpp"
#include "orb/own_policies.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Orb;
class Endpoint;

/// A profile that one of the ORB's protocols understands.
struct UsableProfile {
  std::size_t index;  ///< in the IOR
  protocol::TransportPlugin* transport;
  protocol::ProfileView view;
  bool has_code_sets = false;
  cdr::CodeSetComponentInfo code_sets;
  std::unique_ptr<const ior::OperationNumbers> numbers = nullptr;  ///< null: the profile has none
  /// What its connections are opened with (TransportPlugin::connect_with()); lives as long as the reference.
  std::string_view properties = {};

  /// Sets the code sets and the numbers by the view's components.
  void read_components();
};

/// What policies say against all profiles of a reference.
enum class Unreachable : std::uint8_t {
  no,
  by_policy,         ///< ClientProtocolPolicy names none of their protocols
  by_contradiction,  ///< the override is another policy than the server's
  // QOPPolicy and EstablishTrustPolicy; and what the reference requires of clients:
  by_protection,   ///< none is protected as calls want it
  by_certificate,  ///< this side has no certificate to show
  by_trust,        ///< the server asks nobody for a certificate
};

class Reference final : public RefCounted {
 public:
  Reference(Ref<Orb> orb, ior::Ior&& ior, std::shared_ptr<const PolicyOverrides> policies = nullptr);
  ~Reference() override;

  Orb& orb() const noexcept { return *orb_; }
  const ior::Ior& ior() const noexcept { return ior_; }
  /// The object's own policies for calls; null: it has none.
  const CallPolicies* policies() const noexcept {
    return policies_ && !policies_->calls.empty() ? &policies_->calls : nullptr;
  }
  /// The object's own policies of other types; null: it has none.
  OwnPoliciesRef own_policies() const noexcept { return policies_ ? policies_->own : nullptr; }
  std::string_view type_id() const noexcept { return ior_.type_id; }

  /// The profiles that can be used here, in the order of the IOR, or as ClientProtocolPolicy wants them (protocol_policies.hpp). Parsed
  /// once.
  const std::vector<UsableProfile>& profiles();
  /// The same as the ORB's protocols understand them now. The result lives as long as this reference, whose variant it may be.
  Reference& read_now();
  /// Why profiles() has none of those that the ORB's protocols understand. To be called after profiles().
  Unreachable unreachable() const noexcept { return unreachable_; }

  /// Where LOCATION_FORWARD sent us; null: nowhere.
  Ref<Reference> forwarded() const {
    return has_forward_.load(std::memory_order_acquire) ? last_forward() : nullptr;
  }
  void forward_to(Ref<Reference> other);
  /// The same for an object that a server names. Calls there have this reference's policies.
  void forward_to(ior::Ior&& other);
  /// Forgets `other` when it is still where calls go: the original address is asked again.
  void forget_forward(const Reference* other) noexcept;

  /// What the last successful call used; null: nothing yet. The pointer stays valid as long as this reference.
  struct Binding {
    Ref<Endpoint> endpoint;
    const UsableProfile* profile;
    protocol::Target target;
  };
  const Binding* binding() const noexcept { return binding_.load(std::memory_order_acquire); }
  const Binding* bind(Binding binding);

  // --- the same object with other policies, for calls of a thread or an ORB that has some ---
  /// The first of them, then each one's next; null: there is no other. They live as long as this reference.
  Reference* variant() const noexcept { return variant_.load(std::memory_order_acquire); }
  void add_variant(Ref<Reference> other) noexcept;

 private:
  Ref<Reference> last_forward() const;

  Ref<Orb> orb_;
  const ior::Ior ior_;
  const std::shared_ptr<const PolicyOverrides> policies_;
  std::once_flag parsed_;
  std::vector<UsableProfile> profiles_;
  std::atomic<const Binding*> binding_{nullptr};
  std::atomic<bool> has_forward_{false};
  Unreachable unreachable_ = Unreachable::no;  // by profiles()
  // By profiles(), where protocols change: how many had been added to the ORB by then.
  std::atomic<std::uint16_t> read_after_ = 0;
  std::atomic<Reference*> variant_{nullptr};  // with a reference to it
  mutable std::mutex mutex_;                  // guards forward_ and bindings_
  Ref<Reference> forward_;
  struct Bound;
  std::unique_ptr<const Bound> bindings_;  // all that there ever were (a few), since calls may still use them
};

}  // namespace tenon::orb
