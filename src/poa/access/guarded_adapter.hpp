// SPDX-License-Identifier: Apache-2.0
//
// The adapter of an ORB that has rules of access: who may call what is decided here, before a request is held, before an adapter activator
// is asked for a POA, and before a servant, a default servant or a servant manager is touched.
//
// A POA that rules are for has a bit in its gate, so its requests leave the main path of upcall() where it looks at the gate anyway; those of
// other POAs stay on it and cost what they cost without this class (docs/decisions/0057-who-may-call-what.md).
//
// Threads: any. The rules are under the adapter's mutex; the decision is made without it.
#pragma once

#include <string>
#include <vector>

#include "poa/access/access_rules.hpp"
#include "poa/whole_adapter.hpp"

namespace tenon::poa {

class GuardedAdapter final : public WholeAdapter {
 public:
  explicit GuardedAdapter(orb::Orb* orb = nullptr) : WholeAdapter(orb) {}
  ~GuardedAdapter() override;

  /// Of all POAs, those that are made later included; null: none any more. Requests that have been admitted go on.
  void set_rules(Ref<const AccessRules> rules) TENON_EXCLUDES(mutex_);
  /// Of this POA alone, beside those of all. OBJECT_NOT_EXIST: it has been destroyed.
  Status set_rules(Poa& poa, Ref<const AccessRules> rules) TENON_EXCLUDES(mutex_);
  /// Whether the POA's callers must be known by TLS, or be this process. OBJECT_NOT_EXIST: it has been destroyed.
  Status demand_tls(Poa& poa, bool demanded) TENON_EXCLUDES(mutex_);

  /// Keys of POAs with rules are all "here", without a look: LocateRequest says neither who asks nor what for.
  Result<protocol::LocateStatus> locate(ByteView object_key, ior::Ior& forward,
                                        Deadline deadline = Deadline::never()) override;

 private:
  /// What one POA has of its own.
  struct Own {
    std::uint64_t stamp;  ///< the POA's, which no other POA of the process gets
    Ref<const AccessRules> rules;
    bool tls = false;

    bool any() const noexcept { return rules || tls; }
  };
  /// What a decision is made from.
  struct Rules {
    std::uint64_t stamp = 0;  ///< 0: the POA is not there yet
    Ref<const AccessRules> of_all;
    Ref<const AccessRules> own;
    bool tls = false;
    std::string poa;
  };

  Slot* wait_and_pin(protocol::IncomingCall& call, const ObjectKey& key, Error& why) override;
  void entered(WholePoa& poa) noexcept override TENON_REQUIRES(mutex_);
  Drained drain(Poa& poa) noexcept override TENON_REQUIRES(mutex_);

  Own* own_of(const Poa& poa) noexcept TENON_REQUIRES(mutex_);
  /// The POA's own ones, new if it has none. OBJECT_NOT_EXIST.
  Result<Own*> make_own(Poa& poa) TENON_REQUIRES(mutex_);
  void refresh(Poa& poa) noexcept TENON_REQUIRES(mutex_);
  /// False: none are for requests with that key.
  bool find_rules(const ObjectKey& key, Rules& into) TENON_EXCLUDES(mutex_);
  bool rules_of(Poa* poa, std::string_view path, Rules& into) TENON_REQUIRES(mutex_);
  static bool admit(const protocol::IncomingCall& call, const Rules& rules);

  Ref<const AccessRules> rules_ TENON_GUARDED_BY(mutex_);
  std::vector<Own> own_ TENON_GUARDED_BY(mutex_);
};

/// For orb::Parts: this adapter, with the rules that -ORBAccessRules names; null: there is no memory for it.
orb::Adapter* make_guarded_adapter(orb::Orb& orb);

/// The adapter of that ORB as one with rules; null: it is another one.
GuardedAdapter* guarded_adapter(orb::Orb& orb, RootAdapter& adapter) noexcept;

}  // namespace tenon::poa
