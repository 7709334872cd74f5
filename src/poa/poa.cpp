// SPDX-License-Identifier: Apache-2.0
//
// A POA in its tree: children, destruction, and the keys of its objects.
#include "poa/poa.hpp"

#include "base/minor_codes.hpp"
#include "orb/orb.hpp"
#include "poa/observer.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::poa {

Poa::Poa(Ref<RootAdapter> root, Ref<Poa> parent, std::string name, Ref<Manager> manager,
         const Policies& policies, PoaExtras extras)
    : root_(std::move(root)),
      parent_(std::move(parent)),
      name_(std::move(name)),
      path_(parent_ ? parent_->path_ + name_ + '\0' : std::string()),
      policies_(policies),
      own_policies_(std::move(extras.own_policies)),
      manager_(std::move(manager)),
      components_(std::move(extras.components)) {}

Poa::~Poa() = default;

Octets Poa::id() const {
  if (policies_.persistent()) return Octets(path_.begin(), path_.end());
  Octets made(sizeof stamp_);
  store(made.data(), stamp_, key::swap);
  return made;
}

Fault Poa::gone() const noexcept {
  if (!destroyed_) return {};
  return drained_ ? errors::no_such_adapter : errors::poa_in_destruction;
}

void Poa::refresh_gate() noexcept {
  std::uint32_t gate = 0;
  switch (manager_->state_) {
    case ManagerState::holding: gate = holding; break;
    case ManagerState::active: break;
    case ManagerState::discarding: gate = discarding; break;
    case ManagerState::inactive: gate = inactive; break;
  }
  if (destroyed_) gate |= destroyed;
  if (policies_.thread == Thread::single_thread) gate |= serial;
  if (policies_.thread == Thread::main_thread) gate |= on_main;
  if (activated_by_ != std::thread::id()) gate |= activating;
  gate_.store(gate, std::memory_order_seq_cst);
}

std::shared_ptr<ReferenceMaker> Poa::reference_maker() const {
  if (!has_maker_) return nullptr;
  LockGuard lock(root_->mutex_);
  return maker_;
}

void Poa::set_reference_maker(std::shared_ptr<ReferenceMaker> maker) {
  has_maker_ |= maker != nullptr;
  // What was there before goes after the lock.
  LockGuard lock(root_->mutex_);
  std::swap(maker_, maker);
}

std::vector<Ref<Poa>> Poa::children() const {
  LockGuard lock(root_->mutex_);
  std::vector<Ref<Poa>> all;
  all.reserve(children_.size());
  for (const auto& [name, child] : children_) all.emplace_back(child);
  return all;
}

Outcome<Ref<Poa>> Poa::create_child(std::string_view name, Ref<Manager> manager, const Policies& policies,
                                    PoaExtras extras) {
  // Paths separate names by NUL.
  if (name.find('\0') != std::string_view::npos) return errors::nul_in_argument;
  const bool own_manager = !manager;
  if (own_manager) manager = root_->make_manager();
  if (&manager->root() != root_.get()) return errors::foreign_manager;
  auto made = Ref<Poa>::adopt(
      new Poa(root_, Ref<Poa>(this), std::string(name), std::move(manager), policies, std::move(extras)));
  // A maker may hold the POA, which would never go if it is not made.
  struct MadeOrNot {
    Poa& poa;
    bool made = false;
    ~MadeOrNot() {
      if (!made && poa.has_maker_) poa.set_reference_maker(nullptr);
    }
  } outcome{*made};
  if (const auto observer = AdapterObserver::of(root_->orb())) {
    if (const Error refused = observer->creating(*made, made->components_)) return refused;
  }

  if (policies.bidirectional && root_->orb() != nullptr && !root_->orb()->become_bidirectional(true, true))
    return errors::no_bidirectional_part;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  const auto [place, fresh] = children_.try_emplace(made->name_, made.get());
  if (!fresh) return Exception::adapter_already_exists;
  try {
    if (own_manager) root_->know(made->manager_, true);
    root_->join_activation(made);
    root_->add(*made);
  } catch (...) {
    children_.erase(place);
    throw;
  }
  outcome.made = true;
  return made;
}

Outcome<Ref<Poa>> Poa::find_child(const std::string& name, bool activate) {
  RootAdapter::Patience patience;
  LockGuard lock(root_->mutex_);
  for (;;) {
    if (const Fault fault = gone()) return fault;
    const auto found = children_.find(name);
    if (found != children_.end()) return Ref<Poa>(found->second);
    Error why;
    if (!activate || root_->activate_child(*this, name, patience, why) == RootAdapter::Asked::no) {
      if (why) return why;
      return Exception::adapter_non_existent;
    }
  }
}

Outcome<void> Poa::destroy(bool etherealize, bool wait) {
  if (wait && root_->in_upcall()) return errors::would_deadlock;
  root_->destroy(*this, etherealize, wait);
  return {};
}

Ref<AdapterActivator> Poa::activator() const {
  LockGuard lock(root_->mutex_);
  return activator_;
}

Outcome<void> Poa::set_activator(Ref<AdapterActivator> activator) {
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  std::swap(activator_, activator);
  lock.unlock();  // the former one may end here
  return {};
}

Octets Poa::make_key(ByteView id) const {
  if (policies_.persistent()) return make_persistent_key(path_, id);
  LockGuard lock(root_->mutex_);
  return make_transient_key(entry_ != nullptr ? entry_->index : 0, stamp_, id);
}

Outcome<Octets> Poa::key_while_it_lives(ByteView id) const {
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    if (entry_ == nullptr) return errors::wrong_interception_point;
  }
  return make_key(id);
}

Outcome<Octets> Poa::new_key() {
  if (!policies_.system_ids()) return Exception::wrong_policy;
  ObjectId id;
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    const std::uint64_t number = next_serial_++;
    id = policies_.persistent() ? make_persistent_id(stamp_, number) : make_loose_id(number);
  }
  return make_key(id);
}

Outcome<Octets> Poa::key_with_id(ByteView id) const {
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    if (policies_.system_ids() && !made_here(id)) return errors::bad_object_id;
  }
  return make_key(id);
}

Outcome<ObjectId> Poa::id_of(ByteView key) const {
  ObjectKey parts;
  if (!read_key(key, parts)) return Exception::wrong_adapter;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  if (root_->find_poa(parts) != this) return Exception::wrong_adapter;
  return ObjectId(parts.id.begin(), parts.id.end());
}

}  // namespace tenon::poa
