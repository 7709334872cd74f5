// SPDX-License-Identifier: Apache-2.0
#include "orb/reference.hpp"

#include <algorithm>

#include "cdr/reader.hpp"
#include "orb/current_protocols.hpp"
#include "orb/orb.hpp"

namespace tenon::orb {

struct Reference::Bound final : memory::Of<memory::Kind::connections> {
  explicit Bound(Binding what) noexcept : binding(std::move(what)) {}
  const Binding binding;
  std::unique_ptr<const Bound> next;
};

void UsableProfile::read_components() {
  if (const auto* component = ior::find_component(view.components, ior::tag_code_sets)) {
    cdr::Reader reader = cdr::Reader::encapsulation(component->data);
    if (auto sets = cdr::get_code_set_component(reader)) {
      code_sets = std::move(*sets);
      has_code_sets = true;
    }
  }
  if (auto found = ior::read_operation_numbers(view.components))
    numbers = std::make_unique<const ior::OperationNumbers>(std::move(*found));
}

Reference::Reference(Ref<Orb> orb, ior::Ior&& ior, std::shared_ptr<const PolicyOverrides> policies)
    : orb_(std::move(orb)), ior_(std::move(ior)), policies_(std::move(policies)) {}

Reference::~Reference() {
  if (Reference* const other = variant_.load(std::memory_order_relaxed)) other->remove_ref();
}

const std::vector<UsableProfile>& Reference::profiles() {
  std::call_once(parsed_, [this] {
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
    if (const ProtocolTable* const table = orb_->parts().table)
      read_after_.store(table->additions(), std::memory_order_relaxed);
#endif
    std::size_t known = 0;
    for (const ior::TaggedProfile& each : ior_.profiles) known += orb_->transport_for(each.tag) != nullptr;
    std::vector<UsableProfile> profiles(known);  // of its size at once, so that none is moved
    std::size_t usable = 0;
    for (std::size_t i = 0; i < ior_.profiles.size(); ++i) {
      protocol::TransportPlugin* transport = orb_->transport_for(ior_.profiles[i].tag);
      if (transport == nullptr) continue;
      if constexpr (protocols_change) {
        if (usable == profiles.size()) break;  // a protocol has been added since
      }
      auto view = transport->read_profile(ior_.profiles[i].data);
      if (!view) continue;
      UsableProfile& profile = profiles[usable++];
      profile.index = i;
      profile.transport = transport;
      profile.view = std::move(*view);
      profile.read_components();
    }
    while (profiles.size() > usable) profiles.pop_back();
    if (const auto take_apart = orb_->parts().take_profiles_apart) take_apart(*orb_, profiles);
    if (const auto choose = orb_->parts().choose_profiles) unreachable_ = choose(*this, profiles);
    profiles_ = std::move(profiles);
  });
  return profiles_;
}

#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
namespace {

bool has_profile_of(const std::vector<UsableProfile>& profiles, std::uint32_t tag) noexcept {
  return std::ranges::any_of(
      profiles, [tag](const UsableProfile& each) { return each.transport->profile_tag() == tag; });
}

}  // namespace

/// Reads the reference anew if a protocol of one of its profiles has been added since it was read. What was read before stays, since calls
/// may be bound to it.
Reference& Reference::read_now() {
  const std::vector<UsableProfile>& read = profiles();
  const ProtocolTable* const table = orb_->parts().table;
  const std::uint16_t now = table != nullptr ? table->additions() : std::uint16_t{0};
  if (read_after_.load(std::memory_order_relaxed) == now) return *this;
  const bool is_new = std::ranges::any_of(ior_.profiles, [&](const ior::TaggedProfile& each) {
    return orb_->transport_for(each.tag) != nullptr && !has_profile_of(read, each.tag);
  });
  if (!is_new) return *this;
  for (Reference* each = variant(); each != nullptr; each = each->variant()) {
    if (each->policies_ != policies_) continue;
    static_cast<void>(each->profiles());
    if (each->read_after_.load(std::memory_order_relaxed) == now) return *each;
  }
  auto anew = make_ref<Reference>(orb_, ior::Ior(ior_), policies_);
  static_cast<void>(anew->profiles());
  Reference& result = *anew;
  add_variant(std::move(anew));
  return result;
}
#endif

Ref<Reference> Reference::last_forward() const {
  std::lock_guard lock(mutex_);
  return forward_;
}

void Reference::forward_to(Ref<Reference> other) {
  std::lock_guard lock(mutex_);
  forward_ = std::move(other);
  has_forward_.store(static_cast<bool>(forward_), std::memory_order_release);
}

void Reference::forward_to(ior::Ior&& other) {
  forward_to(make_ref<Reference>(orb_, std::move(other), policies_));
}

void Reference::add_variant(Ref<Reference> other) noexcept {
  const std::lock_guard lock(mutex_);
  Reference* last = this;
  while (Reference* const next = last->variant()) last = next;
  last->variant_.store(other.detach(), std::memory_order_release);
}

void Reference::forget_forward(const Reference* other) noexcept {
  Ref<Reference> dropped;
  std::lock_guard lock(mutex_);
  if (forward_.get() != other) return;
  dropped = std::move(forward_);
  has_forward_.store(false, std::memory_order_release);
}

const Reference::Binding* Reference::bind(Binding binding) {
  std::lock_guard lock(mutex_);
  const Bound* known = bindings_.get();
  while (known != nullptr &&
         (known->binding.endpoint != binding.endpoint || known->binding.profile != binding.profile ||
          known->binding.target.addressing != binding.target.addressing)) {
    known = known->next.get();
  }
  if (known == nullptr) {
    auto made = std::make_unique<Bound>(std::move(binding));
    if (!made) return nullptr;
    made->next = std::move(bindings_);
    bindings_ = std::move(made);
    known = bindings_.get();
  }
  binding_.store(&known->binding, std::memory_order_release);
  return &known->binding;
}

}  // namespace tenon::orb
