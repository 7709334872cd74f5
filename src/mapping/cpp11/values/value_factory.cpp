// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/value_factory.hpp"

#include <map>
#include <mutex>
#include <shared_mutex>

#include "base/minor_codes.hpp"
#include "tenon/corba/orb.hpp"

namespace tenon::gen {

namespace {

using FactoryRef = CORBA::object_reference<CORBA::ValueFactoryBase>;
using Factories = std::map<std::string, FactoryRef, std::less<>>;

struct Tables {
  std::shared_mutex mutex;  // guards `of`; readers share it
  std::map<const orb::Orb*, Factories> of;
};

Tables& tables() {
  static auto* the_one =
      new Tables;  // never destroyed: threads may still read values while the process exits
  return *the_one;
}

void forget_value_factories(const orb::Orb& orb) noexcept {
  Factories gone;  // declared before the lock: destroyed after it
  std::lock_guard lock(tables().mutex);
  const auto mine = tables().of.find(&orb);
  if (mine == tables().of.end()) return;
  gone.swap(mine->second);
  tables().of.erase(mine);
}

/// Sets the factory, or removes it, and returns the former one.
FactoryRef exchange(const orb::Orb& orb, const std::string& id, FactoryRef factory) {
  std::lock_guard lock(tables().mutex);
  forget_of_orb.store(&forget_value_factories, std::memory_order_release);
  Factories& mine = tables().of[&orb];
  const auto place = mine.try_emplace(id).first;
  std::swap(place->second, factory);
  if (!place->second) mine.erase(place);
  return factory;
}

}  // namespace

FactoryRef find_value_factory(const orb::Orb& orb, std::string_view id) {
  std::shared_lock lock(tables().mutex);
  const auto mine = tables().of.find(&orb);
  if (mine == tables().of.end()) return nullptr;
  const auto place = mine->second.find(id);
  return place != mine->second.end() ? place->second : nullptr;
}

void register_value_factory(const CORBA::object_reference<CORBA::ORB>& orb, std::string_view id,
                            const FactoryRef& factory) {
  orb->register_value_factory(std::string(id), factory);
}

}  // namespace tenon::gen

namespace CORBA {
inline namespace cpp11 {

object_reference<ValueFactoryBase> ORB::register_value_factory(
    const std::string& id, const object_reference<ValueFactoryBase>& factory) {
  if (id.empty() || !factory) tenon::gen::raise(tenon::errors::value_factory_registration);
  return tenon::gen::exchange(*core_, id, factory);
}

void ORB::unregister_value_factory(const std::string& id) {
  if (!tenon::gen::exchange(*core_, id, nullptr))
    tenon::gen::raise(tenon::errors::value_factory_registration);
}

object_reference<ValueFactoryBase> ORB::lookup_value_factory(const std::string& id) const {
  auto found = tenon::gen::find_value_factory(*core_, id);
  if (!found) tenon::gen::raise(tenon::errors::value_factory_registration);
  return found;
}

}  // namespace cpp11
}  // namespace CORBA
