// SPDX-License-Identifier: Apache-2.0
//
// The root POA, and what every POA has: its state, and the keys of its objects.
#include "poa/poa.hpp"

#include "base/minor_codes.hpp"
#include "poa/octets.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::poa {

Poa::Poa(Ref<RootAdapter> root, std::string_view name, Ref<Manager> manager, const Policies& policies,
         bool whole)
    : root_(std::move(root)), name_(name), policies_(policies), manager_(std::move(manager)), whole_(whole) {}

Poa::~Poa() = default;

Fault Poa::gone() const noexcept {
  if (!destroyed_) return {};
  return drained_ ? errors::no_such_adapter : errors::poa_in_destruction;
}

void Poa::refresh_gate() noexcept {
  std::uint32_t gate = own_gate_;
  switch (manager_->state_) {
    case ManagerState::holding: gate |= holding; break;
    case ManagerState::active: break;
    case ManagerState::discarding: gate |= discarding; break;
    case ManagerState::inactive: gate |= inactive; break;
  }
  gate_.store(destroyed_ ? gate | destroyed : gate, std::memory_order_seq_cst);
}

Outcome<void> Poa::destroy(bool etherealize, bool wait) {
  if (wait && root_->in_upcall()) return errors::would_deadlock;
  root_->destroy(*this, etherealize, wait);
  return {};
}

Outcome<Octets> Poa::make_key(ByteView id) const {
  LockGuard lock(root_->mutex_);
  return key_or_shortage(make_transient_key(entry_ != nullptr ? entry_->index : 0, stamp_, id));
}

Outcome<Octets> Poa::key_of(Servant& servant) {
  // Inside an upcall on the servant, it is that object (CORBA 3.4 part 1 §15.3.9, servant_to_reference).
  if (const Frame* frame = running(servant)) return make_key(frame->id);
  const Outcome<ObjectId> id = servant_to_id(servant);
  if (!id) return id.fault();
  return make_key(*id);
}

Outcome<Octets> Poa::key_of_active(ByteView id) const {
  if (!policies_.retains()) return Exception::wrong_policy;
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    if (find_active(id) == nullptr) return Exception::object_not_active;
  }
  return make_key(id);
}

Outcome<ObjectId> Poa::id_of(ByteView key) const {
  ObjectKey parts;
  if (!read_key(key, parts)) return Exception::wrong_adapter;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  if (root_->find_poa(parts) != this) return Exception::wrong_adapter;
  return copied(parts.id);
}

}  // namespace tenon::poa
