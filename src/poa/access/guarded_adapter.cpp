// SPDX-License-Identifier: Apache-2.0
#include "poa/access/guarded_adapter.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "base/operation_number.hpp"
#include "orb/orb.hpp"

namespace tenon::poa {
namespace {

/// The caller, who is asked for when the first rule wants to know.
class AskedCaller {
 public:
  explicit AskedCaller(const protocol::IncomingCall& call) noexcept : call_(call) {}
  const protocol::Identity& operator()() {
    if (!asked_) static_cast<void>(call_.identify_caller(asked_.emplace()));
    return *asked_;
  }

 private:
  const protocol::IncomingCall& call_;
  std::optional<protocol::Identity> asked_;
};

/// By TLS with a certificate that has been verified, or without leaving the process.
bool is_protected(const protocol::Identity& who) noexcept { return who.kind == "tls" || who.kind == "self"; }

bool refused(const protocol::IncomingCall& call, std::string_view poa, AskedCaller& who,
             std::string_view why) {
  constexpr std::size_t most = 100;
  if (log_enabled(LogLevel::warning)) {
    // A peer has chosen the operation, and the certificate's owner the names in it.
    log(LogLevel::warning, "access",
        worded("refused: % of % to %: %", {printable(beginning(call.operation, most)), printable(poa),
                                           printable(who().text()), printable(why)}));
  }
  return false;
}

constexpr std::string_view rules_option = "-ORBAccessRules ";

}  // namespace

GuardedAdapter::~GuardedAdapter() = default;

// --- requests ---

Slot* GuardedAdapter::wait_and_pin(protocol::IncomingCall& call, const ObjectKey& key, Error& why) {
  Rules rules;
  std::uint64_t admitted = 0;
  if (find_rules(key, rules)) {
    why = errors::access_refused;
    if (!admit(call, rules)) return nullptr;
    admitted = rules.stamp;
  }
  Slot* slot = pin_open(key, Poa::guarded);
  if (slot == nullptr) slot = WholeAdapter::wait_and_pin(call, key, why);
  if (slot == nullptr || slot->poa->stamp_ == admitted) return slot;
  // The POA, or its rules, came while the request waited.
  Rules later;
  bool concerned = false;
  {
    LockGuard lock(mutex_);
    concerned = rules_of(slot->poa, slot->poa->path(), later);
  }
  if (!concerned || admit(call, later)) return slot;
  why = errors::access_refused;
  unpin(*slot);
  return nullptr;
}

bool GuardedAdapter::find_rules(const ObjectKey& key, Rules& into) {
  LockGuard lock(mutex_);
  Poa* const poa = find_poa(key);
  if (poa == nullptr && !key.persistent) return false;
  return rules_of(poa, poa != nullptr ? poa->path() : key.path, into);
}

bool GuardedAdapter::rules_of(Poa* poa, std::string_view path, Rules& into) {
  const Own* const own = poa != nullptr ? own_of(*poa) : nullptr;
  if (!rules_ && own == nullptr) return false;
  into.of_all = rules_;
  if (poa != nullptr) into.stamp = poa->stamp_;
  if (own != nullptr) {
    into.own = own->rules;
    into.tls = own->tls;
  }
  into.poa = access_name(path);
  return true;
}

bool GuardedAdapter::admit(const protocol::IncomingCall& call, const Rules& rules) {
  AskedCaller who(call);
  if (is_operation_number(call.operation))
    return refused(
        call, rules.poa, who,
        "an operation by number, which rules do not know; the reference was made before the rules");
  if (rules.tls && !is_protected(who()))
    return refused(call, rules.poa, who, "the POA demands TLS, with a certificate that can be verified");
  std::string why;
  for (const Ref<const AccessRules>& each : {rules.of_all, rules.own}) {
    if (each && !each->allow(rules.poa, call.operation, who, why)) return refused(call, rules.poa, who, why);
  }
  return true;
}

Result<protocol::LocateStatus> GuardedAdapter::locate(ByteView object_key, ior::Ior& forward,
                                                      Deadline deadline) {
  ObjectKey key;
  Rules rules;
  if (read(object_key, key) && find_rules(key, rules)) return protocol::LocateStatus::object_here;
  return WholeAdapter::locate(object_key, forward, deadline);
}

// --- rules ---

void GuardedAdapter::set_rules(Ref<const AccessRules> rules) {
  // The former ones go after the lock.
  LockGuard lock(mutex_);
  std::swap(rules_, rules);
  for (Poa* each = poas_; each != nullptr; each = each->next_) refresh(*each);
  lock.unlock();
}

Status GuardedAdapter::set_rules(Poa& poa, Ref<const AccessRules> rules) {
  LockGuard lock(mutex_);
  const Result<Own*> own = make_own(poa);
  if (!own) return own.error();
  std::swap((*own)->rules, rules);
  refresh(poa);
  lock.unlock();
  return {};
}

Status GuardedAdapter::demand_tls(Poa& poa, bool demanded) {
  LockGuard lock(mutex_);
  const Result<Own*> own = make_own(poa);
  if (!own) return own.error();
  (*own)->tls = demanded;
  refresh(poa);
  return {};
}

GuardedAdapter::Own* GuardedAdapter::own_of(const Poa& poa) noexcept {
  const auto found = std::ranges::find(own_, poa.stamp_, &Own::stamp);
  return found != own_.end() ? &*found : nullptr;
}

Result<GuardedAdapter::Own*> GuardedAdapter::make_own(Poa& poa) {
  if (const Fault fault = poa.gone()) return fault.error;
  Own* const own = own_of(poa);
  return own != nullptr ? own : &own_.emplace_back(Own{.stamp = poa.stamp_, .rules = nullptr});
}

void GuardedAdapter::refresh(Poa& poa) noexcept {
  const Own* own = own_of(poa);
  if (own != nullptr && !own->any()) {
    own_.erase(own_.begin() + (own - own_.data()));
    own = nullptr;
  }
  poa.own_gate_ = rules_ || own != nullptr ? poa.own_gate_ | Poa::guarded : poa.own_gate_ & ~Poa::guarded;
  poa.refresh_gate();
}

void GuardedAdapter::entered(WholePoa& poa) noexcept { refresh(poa); }

RootAdapter::Drained GuardedAdapter::drain(Poa& poa) noexcept {
  if (const Own* const own = own_of(poa)) own_.erase(own_.begin() + (own - own_.data()));
  return WholeAdapter::drain(poa);
}

// --- making ---

orb::Adapter* make_guarded_adapter(orb::Orb& orb) {
  auto* const made = new (std::nothrow) GuardedAdapter(&orb);
  if (made == nullptr) return nullptr;
  std::string file;
  for (const std::string& each : orb.options().given) {
    if (each.starts_with(rules_option)) file = each.substr(rules_option.size());  // the last one counts
  }
  if (file.empty()) return made;
  Ref<const AccessRules> rules = AccessRules::read_file(file);
  if (!rules) {  // an adapter without them would be open
    made->orb_gone();
    return nullptr;
  }
  if (!rules->fault().empty())
    advise("access", worded("every call is refused, since the rules cannot be used: %", {rules->fault()}));
  made->set_rules(std::move(rules));
  return made;
}

GuardedAdapter* guarded_adapter(orb::Orb& orb, RootAdapter& adapter) noexcept {
  return orb.parts().make_adapter == &make_guarded_adapter ? static_cast<GuardedAdapter*>(&adapter) : nullptr;
}

}  // namespace tenon::poa
