// SPDX-License-Identifier: Apache-2.0
#include "types/complete.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace tenon::types {
namespace {

/// The incomplete nodes that a graph keeps, each with its own graph.
std::vector<TypeRef> incomplete_parts(const Ref<const TypeGraph>& root) {
  std::vector<TypeRef> found;
  std::unordered_set<const TypeGraph*> seen{root.get()};
  std::vector<Ref<const TypeGraph>> waiting{root};
  while (!waiting.empty()) {
    const Ref<const TypeGraph> graph = waiting.back();
    waiting.pop_back();
    if (const TypeCode* first = graph->first(); first != nullptr && is_incomplete(*first))
      found.emplace_back(*first, graph);
    for (const Ref<const TypeGraph>& other : graph->kept()) {
      if (seen.insert(other.get()).second) waiting.push_back(other);
    }
  }
  return found;
}

class Copying {
 public:
  explicit Copying(TypeGraph& graph) noexcept : graph_(graph) {}

  /// `same`: nodes that become the copy of the root; other incomplete nodes stay the same nodes.
  TypeCode* run(const TypeCode& root, const std::vector<TypeRef>& same) {
    TypeCode* copy = of(&root);
    for (const TypeRef& node : same) copies_[node.get()] = copy;
    while (!waiting_.empty()) {
      const auto [from, to] = waiting_.back();
      waiting_.pop_back();
      fill(*from, *to);
    }
    return copy;
  }

 private:
  TypeCode* of(const TypeCode* original) {
    const auto [place, fresh] = copies_.try_emplace(original, nullptr);
    if (fresh) {
      place->second = graph_.add_node();
      waiting_.emplace_back(original, place->second);
    }
    return place->second;
  }

  const TypeCode* part(const TypeCode* original) {
    if (original == nullptr || has_no_parameters(original->kind)) return original;
    if (is_incomplete(*original) && !copies_.contains(original)) return original;
    return of(original);
  }

  void fill(const TypeCode& from, TypeCode& to) {
    to = from;
    to.id = graph_.add_text(from.id);
    to.name = graph_.add_text(from.name);
    to.content = part(from.content);
    const std::span<Member> members = graph_.add_members(from.members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      members[i] = from.members[i];
      members[i].name = graph_.add_text(from.members[i].name);
      members[i].type = part(from.members[i].type);
    }
    to.members = members;
  }

  TypeGraph& graph_;
  std::unordered_map<const TypeCode*, TypeCode*> copies_;
  std::vector<std::pair<const TypeCode*, TypeCode*>> waiting_;
};

}  // namespace

TypeRef complete(const TypeRef& type) {
  std::vector<TypeRef> same = incomplete_parts(type.graph());
  const auto others =
      std::partition(same.begin(), same.end(), [&](const TypeRef& part) { return part->id == type->id; });
  const std::vector<TypeRef> unfinished(others, same.end());
  same.erase(others, same.end());
  if (same.empty()) return type;

  auto graph = make_ref<TypeGraph>();
  TypeCode* whole = Copying(*graph).run(*type, same);
  for (const TypeRef& part : unfinished) graph->keep(part.graph());
  for (const TypeRef& part : same) {
    // Nowhere else does a node change after it was made; an incomplete one could not be used until now.
    auto* own = const_cast<TypeGraph*>(part.graph().get());
    *own->first() = *whole;
    own->keep(graph);
  }
  return {*whole, graph};
}

}  // namespace tenon::types
