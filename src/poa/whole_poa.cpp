// SPDX-License-Identifier: Apache-2.0
//
// A POA in its tree: children, destruction, and the keys of its objects.
#include "poa/whole_poa.hpp"

#include "base/minor_codes.hpp"
#include "orb/orb.hpp"
#include "poa/observer.hpp"
#include "poa/whole_adapter.hpp"

namespace tenon::poa {

WholePoa::WholePoa(Ref<RootAdapter> root, Ref<WholePoa> parent, std::string_view name, Ref<Manager> manager,
                   const Policies& policies, PoaExtras extras)
    : Poa(std::move(root), name, std::move(manager), policies, true),
      parent_(std::move(parent)),
      path_(parent_ ? parent_->path_ + name_ + '\0' : std::string()),
      own_policies_(std::move(extras.own_policies)),
      components_(std::move(extras.components)) {}

WholePoa::~WholePoa() = default;

std::string_view Poa::path() const noexcept {
  const WholePoa* const all = whole();
  return all != nullptr ? std::string_view(all->path_) : std::string_view();
}

orb::OwnPoliciesRef Poa::own_policies() const noexcept {
  const WholePoa* const all = whole();
  return all != nullptr ? all->own_policies_ : nullptr;
}

Octets Poa::id() const {
  if (policies_.persistent()) return Octets(path().begin(), path().end());
  Octets made(sizeof stamp_);
  store(made.data(), stamp_, key::swap);
  return made;
}

void WholePoa::refresh_gate() noexcept {
  std::uint32_t gate = common_gate();
  if (policies_.thread == Thread::single_thread) gate |= serial;
  if (policies_.thread == Thread::main_thread) gate |= on_main;
  if (activated_by_ != std::thread::id()) gate |= activating;
  gate_.store(gate, std::memory_order_seq_cst);
}

std::shared_ptr<ReferenceMaker> WholePoa::reference_maker() const {
  if (!has_maker_) return nullptr;
  LockGuard lock(root_->mutex_);
  return maker_;
}

void WholePoa::set_reference_maker(std::shared_ptr<ReferenceMaker> maker) {
  has_maker_ |= maker != nullptr;
  // What was there before goes after the lock.
  LockGuard lock(root_->mutex_);
  std::swap(maker_, maker);
}

std::vector<Ref<WholePoa>> WholePoa::children() const {
  LockGuard lock(root_->mutex_);
  std::vector<Ref<WholePoa>> all;
  all.reserve(children_.size());
  for (const auto& [name, child] : children_) all.emplace_back(child);
  return all;
}

Outcome<Ref<WholePoa>> WholePoa::create_child(std::string_view name, Ref<Manager> manager,
                                              const Policies& policies, PoaExtras extras) {
  // Paths separate names by NUL.
  if (name.find('\0') != std::string_view::npos) return errors::nul_in_argument;
  WholeAdapter& adapter = root();
  const bool own_manager = !manager;
  if (own_manager) manager = adapter.make_manager();
  if (&manager->root() != root_.get()) return errors::foreign_manager;
  auto made = Ref<WholePoa>::adopt(
      new WholePoa(root_, Ref<WholePoa>(this), name, std::move(manager), policies, std::move(extras)));
  // A maker may hold the POA, which would never go if it is not made.
  struct MadeOrNot {
    WholePoa& poa;
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
  LockGuard lock(adapter.mutex_);
  if (const Fault fault = gone()) return fault;
  const auto [place, fresh] = children_.try_emplace(made->name_, made.get());
  if (!fresh) return Exception::adapter_already_exists;
  try {
    if (own_manager) adapter.know(made->manager_, true);
    adapter.join_activation(made);
    adapter.enter(*made);
  } catch (...) {
    children_.erase(place);
    throw;
  }
  outcome.made = true;
  return made;
}

Outcome<Ref<WholePoa>> WholePoa::find_child(const std::string& name, bool activate) {
  WholeAdapter& adapter = root();
  WholeAdapter::Patience patience;
  LockGuard lock(adapter.mutex_);
  for (;;) {
    if (const Fault fault = gone()) return fault;
    const auto found = children_.find(name);
    if (found != children_.end()) return Ref<WholePoa>(found->second);
    Error why;
    if (!activate || adapter.activate_child(*this, name, patience, why) == WholeAdapter::Asked::no) {
      if (why) return why;
      return Exception::adapter_non_existent;
    }
  }
}

Ref<AdapterActivator> WholePoa::activator() const {
  LockGuard lock(root_->mutex_);
  return activator_;
}

Outcome<void> WholePoa::set_activator(Ref<AdapterActivator> activator) {
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  std::swap(activator_, activator);
  lock.unlock();  // the former one may end here
  return {};
}

void WholePoa::let_go() noexcept {
  servant_activator_.reset();
  servant_locator_.reset();
  activator_.reset();
}

Octets WholePoa::make_key(ByteView id) const {
  return policies_.persistent() ? make_persistent_key(path_, id) : Poa::make_key(id);
}

Outcome<Octets> WholePoa::key_while_it_lives(ByteView id) const {
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    if (entry_ == nullptr) return errors::wrong_interception_point;
  }
  return make_key(id);
}

Outcome<Octets> WholePoa::new_key() {
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

Outcome<Octets> WholePoa::key_with_id(ByteView id) const {
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    if (policies_.system_ids() && !made_here(id)) return errors::bad_object_id;
  }
  return make_key(id);
}

}  // namespace tenon::poa
