// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/stub_kinds.hpp"

#include <algorithm>
#include <vector>

#include "idl/backends/cpp/emit.hpp"
#include "idl/backends/cpp/walk.hpp"

namespace tenon::idl::cpp {

using model::Decl;

namespace {

enum class Wish { none, compiled, interpreted };

Wish wish_of(const Decl& decl) {
  for (auto one = decl.annotations.rbegin(); one != decl.annotations.rend(); ++one) {
    if (one->name == "tenon::compiled") return Wish::compiled;
    if (one->name == "tenon::interpreted") return Wish::interpreted;
  }
  return Wish::none;
}

// The nearest annotation around a declaration, its own first.
Wish wish_around(const Decl* decl) {
  for (; decl != nullptr; decl = decl->parent) {
    if (const Wish wish = wish_of(*decl); wish != Wish::none) return wish;
  }
  return Wish::none;
}

bool only_scalars(const Call& call) {
  return (call.result == nullptr || is_scalar(*call.result)) &&
         std::all_of(call.parameters.begin(), call.parameters.end(),
                     [](const model::Parameter& one) { return is_scalar(*one.type); });
}

// Longer or with more parameters than an interpreted operation can have (src/interpreted/interpreted.hpp).
bool too_large(const Call& call) { return call.wire.size() > 255 || call.parameters.size() > 254; }

// Whether the discriminator's value in memory is not the number on the wire.
bool is_translated(const model::Union& decl) {
  const auto* of = model::as<model::Enum>(model::named_decl(decl.discriminator));
  return of != nullptr && has_values(*of);
}

}  // namespace

StubKinds::StubKinds(const model::Model& program, const BackendOptions& options) : options_(options) {
  each_decl(program.roots, [&](const Decl& decl) {
    if (const auto* interface = model::as<model::Interface>(&decl)) by_id_[decl.repository_id] = interface;
  });
  if (options.stubs == Stubs::automatic) {
    each_decl(program.roots, [&](const Decl& decl) {
      const auto* interface = model::as<model::Interface>(&decl);
      if (interface == nullptr || !interface->defined || interface->local || interface->handles != nullptr)
        return;
      for (const Call& call : own_calls(*interface)) {
        if (interpreted(call)) continue;
        if (call.result != nullptr) compile_types(*call.result);
        for (const model::Parameter& parameter : call.parameters) compile_types(*parameter.type);
      }
    });
  }
  each_decl(program.roots, [&](const Decl& decl) {
    const auto* record = model::as<model::Struct>(&decl);
    const auto* choice = model::as<model::Union>(&decl);
    const bool type = (record != nullptr && record->defined) || (choice != nullptr && choice->defined) ||
                      decl.kind == model::DeclKind::Exception;
    if (type && has_codec(decl)) any_ |= interpreted(decl);
    const auto* interface = model::as<model::Interface>(&decl);
    if (interface == nullptr || !interface->defined || interface->local) return;
    for (const Call& call : own_calls(*interface)) any_ |= interpreted(call);
  });
}

bool StubKinds::interpreted(const Call& call) const {
  // handlers and operations with views have no other form
  if (!is_ours(*call.owner) || call.owner->handles != nullptr || too_large(call) || call.has_views())
    return false;
  // operations of the ORB's own interfaces that a class repeats are made as the class is
  const Wish wish = !options_.annotated_stubs
                        ? Wish::none
                        : wish_around(call.decl->provided_by_orb ? call.owner : call.decl);
  if (wish != Wish::none) return wish == Wish::interpreted;
  switch (options_.stubs) {
    case Stubs::compiled: return false;
    case Stubs::interpreted: return true;
    case Stubs::automatic: return options_.usage ? !hot(call) : !only_scalars(call);
  }
  return false;
}

bool StubKinds::interpreted(const Decl& type) const {
  if (!is_ours(type)) return false;
  const auto* choice = model::as<model::Union>(&type);
  if (choice != nullptr && is_translated(*choice)) return false;
  const Wish wish = !options_.annotated_stubs ? Wish::none : wish_around(&type);
  if (wish != Wish::none) return wish == Wish::interpreted;
  switch (options_.stubs) {
    case Stubs::compiled: return false;
    case Stubs::interpreted: return true;
    case Stubs::automatic: return !hot_types_.contains(&type);
  }
  return false;
}

// Whether an operation has at least a hundredth of all calls or of all octets. A row names the most derived interface that the counting
// side knew: it counts for the interface with that id, for its bases in the program, and, if the program does not know the id, for every
// operation of the name.
bool StubKinds::hot(const Call& call) const {
  double calls = 0;
  double octets = 0;
  double own_calls = 0;
  double own_octets = 0;
  for (const UsageRow& row : options_.usage->rows) {
    calls += static_cast<double>(row.calls);
    octets += static_cast<double>(row.octets);
    if (row.operation != call.wire) continue;
    const auto found = by_id_.find(row.interface);
    const bool counts =
        found == by_id_.end() || found->second == call.owner ||
        std::ranges::find(found->second->all_bases, call.owner) != found->second->all_bases.end();
    if (!counts) continue;
    own_calls += static_cast<double>(row.calls);
    own_octets += static_cast<double>(row.octets);
  }
  return own_calls > 0 && (own_calls * 100 >= calls || own_octets * 100 >= octets);
}

// Keeps a list of types to visit instead of recursing, since types can refer to each other in chains of any length.
void StubKinds::compile_types(const model::Type& type) {
  std::vector<const model::Type*> left{&type};
  while (!left.empty()) {
    const model::Type& one = *model::resolve_aliases(left.back());
    left.pop_back();
    if (one.element != nullptr) left.push_back(one.element);
    if (one.key != nullptr) left.push_back(one.key);
    const auto* record = model::as<model::Struct>(one.decl);
    const auto* choice = model::as<model::Union>(one.decl);
    if ((record == nullptr && choice == nullptr) || !hot_types_.insert(one.decl).second) continue;
    for (const model::Struct* each = record; each != nullptr; each = each->base) {
      hot_types_.insert(each);
      for (const model::Member& member : each->members) left.push_back(member.type);
    }
    if (choice == nullptr) continue;
    for (const model::UnionCase& each : choice->cases) left.push_back(each.member.type);
  }
}

}  // namespace tenon::idl::cpp
