// SPDX-License-Identifier: Apache-2.0
//
// The copy of a type without names. It uses a list of nodes to fill, not recursion, because types may be circles.
#include <unordered_map>

#include "types/typecode.hpp"

namespace tenon::types {
namespace {

class Compacting {
 public:
  explicit Compacting(TypeGraph& graph) noexcept : graph_(graph) {}

  const TypeCode* run(const TypeCode& root) {
    const TypeCode* copy = of(&root);
    while (!waiting_.empty()) {
      const auto [from, to] = waiting_.back();
      waiting_.pop_back();
      fill(*from, *to);
    }
    return copy;
  }

 private:
  const TypeCode* of(const TypeCode* original) {
    if (original == nullptr) return nullptr;
    if (has_no_parameters(original->kind)) return &basic(original->kind);
    if (is_incomplete(*original)) return original;  // a copy would never be completed
    const auto [place, fresh] = copies_.try_emplace(original, nullptr);
    if (fresh) {
      place->second = graph_.add_node();
      waiting_.emplace_back(original, place->second);
    }
    return place->second;
  }

  void fill(const TypeCode& from, TypeCode& to) {
    to = from;
    to.name = {};
    to.content = of(from.content);
    const std::span<Member> members = graph_.add_members(from.members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      members[i] = from.members[i];
      members[i].name = {};
      members[i].type = of(from.members[i].type);
    }
    to.members = members;
  }

  TypeGraph& graph_;
  std::unordered_map<const TypeCode*, TypeCode*> copies_;
  std::vector<std::pair<const TypeCode*, TypeCode*>> waiting_;
};

}  // namespace

TypeRef compact(const TypeRef& type) {
  if (!type) return {};
  auto graph = make_ref<TypeGraph>();
  const TypeCode* copy = Compacting(*graph).run(*type);
  graph->keep(type.graph());  // the ids are views into it
  return {*copy, graph};
}

}  // namespace tenon::types
