// SPDX-License-Identifier: Apache-2.0
//
// A POA in its tree: children, destruction, and the keys of its objects.
#include "poa/whole_poa.hpp"

#include <algorithm>
#include <cassert>
#include <new>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "orb/orb.hpp"
#include "orb/protection_built.hpp"
#include "poa/observer.hpp"
#include "poa/octets.hpp"
#include "poa/whole_adapter.hpp"

namespace tenon::poa {

namespace {

std::string_view name_in(const IdText* path, const WholePoa* parent) noexcept {
  if (path == nullptr) return "RootPOA";
  const std::string_view text = path->text();
  const std::size_t above = parent->path().size();
  return text.substr(above, text.size() - above - 1);
}

}  // namespace

WholePoa::WholePoa(Ref<RootAdapter> root, Ref<WholePoa> parent, OwnText path, Ref<Manager> manager,
                   const Policies& policies, PoaExtras&& extras)
    : Poa(std::move(root), name_in(path.get(), parent.get()), std::move(manager), policies, true),
      parent_(std::move(parent)),
      path_(std::move(path)),
      own_policies_(std::move(extras.own_policies)),
      components_(std::move(extras.components)) {
  if (policies.thread == Thread::single_thread) own_gate_ = serial;
  if (policies.thread == Thread::main_thread) own_gate_ = on_main;
  if constexpr (orb::with_protection_policies) {
    if (extras.secured) own_gate_ |= secured;
  }
}

WholePoa::~WholePoa() = default;

std::string_view Poa::path() const noexcept {
  const WholePoa* const all = whole();
  return all != nullptr ? all->path_text() : std::string_view();
}

orb::OwnPoliciesRef Poa::own_policies() const noexcept {
  const WholePoa* const all = whole();
  return all != nullptr ? all->own_policies_ : nullptr;
}

Outcome<Octets> Poa::id() const {
  if (policies_.persistent()) return copied(bytes_of(path()));
  Octets made(sizeof stamp_);
  store(made.data(), stamp_, key::swap);
  return made;
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

std::size_t WholePoa::children(std::span<Ref<WholePoa>> into) const {
  LockGuard lock(root_->mutex_);
  std::size_t count = 0;
  for (WholePoa* child = first_child_; child != nullptr; child = child->next_sibling_, ++count) {
    if (count < into.size()) into[count] = Ref<WholePoa>(child);
  }
  return count;
}

Ref<WholePoa> WholePoa::make(WholeAdapter& adapter, WholePoa* parent, OwnText path, Ref<Manager> manager,
                             const Policies& policies, PoaExtras&& extras, Error& refused) {
  auto made = Ref<WholePoa>::adopt(
      new (std::nothrow) WholePoa(Ref<RootAdapter>(&adapter), Ref<WholePoa>(parent), std::move(path),
                                  std::move(manager), policies, std::move(extras)));
  if (!made) {
    refused = memory::shortage();
  } else if (const auto observer = AdapterObserver::of(adapter.orb())) {
    refused = observer->creating(*made, made->components_);
  }
  return made;
}

Outcome<Ref<WholePoa>> WholePoa::create_child(std::string_view name, Ref<Manager> manager,
                                              const Policies& policies, PoaExtras&& extras) {
  // Paths separate names by NUL.
  if (name.find('\0') != std::string_view::npos) return errors::nul_in_argument;
  WholeAdapter& adapter = root();
  assert(policies.thread == Thread::orb_control ||
         WholeAdapter::threads.load(std::memory_order_acquire) != nullptr);
  const bool own_manager = !manager;
  if (own_manager) manager = adapter.make_manager();
  if (!manager) return memory::shortage();
  if (&manager->root() != root_.get()) return errors::foreign_manager;
  OwnText path = path_of_child(name);
  if (path == nullptr) return memory::shortage();
  Error refused;
  auto made = make(adapter, this, std::move(path), std::move(manager), policies, std::move(extras), refused);
  if (!made) return refused;
  // A maker may hold the POA, which would never go if it is not made.
  struct MadeOrNot {
    WholePoa& poa;
    bool made = false;
    ~MadeOrNot() {
      if (!made && poa.has_maker_) poa.set_reference_maker(nullptr);
    }
  } outcome{*made};
  if (refused) return refused;
  if (policies.bidirectional && root_->orb() != nullptr && !root_->orb()->become_bidirectional(true, true))
    return errors::no_bidirectional_part;
  LockGuard lock(adapter.mutex_);
  if (const Fault fault = gone()) return fault;
  if (adapter.find_path(made->path(), made->path_->hash) != nullptr) return Exception::adapter_already_exists;
  if (adapter.activating_ != nullptr) (adapter.*adapter.activating_->join)(*made);
  if (const Status entered = adapter.enter(*made); !entered) return entered.error();
  if (own_manager) adapter.know(made->manager_, true);
  outcome.made = true;
  return made;
}

OwnText WholePoa::path_of_child(std::string_view name) const noexcept {
  const std::size_t above = path().size();
  OwnText made(IdText::make(above + name.size() + 1));
  if (made == nullptr) return made;
  std::uint8_t* const octets = made->octets();
  std::ranges::copy(path(), octets);
  std::ranges::copy(name, octets + above);
  octets[above + name.size()] = 0;
  made->hash = hash_octets(made->bytes());
  return made;
}

Outcome<Ref<WholePoa>> WholePoa::find_child(std::string_view name, bool activate) {
  WholeAdapter& adapter = root();
  WholeAdapter::Patience patience;
  // No POA has such a name, though the path that it makes may be one further below.
  const bool possible = name.find('\0') == std::string_view::npos;
  activate &= possible;
  const OwnText path = path_of_child(name);
  if (path == nullptr) return memory::shortage();
  LockGuard lock(adapter.mutex_);
  for (;;) {
    if (const Fault fault = gone()) return fault;
    WholePoa* const found = possible ? adapter.find_path(path->text(), path->hash) : nullptr;
    if (found != nullptr) return Ref<WholePoa>(found);
    Error why;
    if (!activate || adapter.activating_ == nullptr ||
        (adapter.*adapter.activating_->child)(*this, name, patience, why) == WholeAdapter::Asked::no) {
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
  root().activating_ = &WholeAdapter::activating;
  std::swap(activator_, activator);
  lock.unlock();  // the former one may end here
  return {};
}

void WholePoa::let_go() noexcept {
  servant_activator_.reset();
  servant_locator_.reset();
  activator_.reset();
}

Outcome<Octets> WholePoa::make_key(ByteView id) const {
  return policies_.persistent() ? key_or_shortage(make_persistent_key(path(), id)) : Poa::make_key(id);
}

Outcome<Octets> WholePoa::key_while_it_lives(ByteView id) const {
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    if (entry_ == nullptr) return errors::wrong_interception_point;
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
