// SPDX-License-Identifier: Apache-2.0
//
// Two types are compared by a walk over pairs of nodes. Pairs that are still to be compared wait in a list. Nodes that were ever
// paired are in one class (union-find), so a pair whose nodes share a class is not compared again: with n nodes there are at most
// n - 1 comparisons, circles included.
#include "types/compare.hpp"

#include <unordered_map>
#include <utility>

namespace tenon::types {
namespace {

enum class Rule { equal, equivalent, unbounded };

class Comparison {
 public:
  explicit Comparison(Rule rule) noexcept : rule_(rule) {}

  bool run(const TypeCode& a, const TypeCode& b) {
    want(&a, &b);
    while (!waiting_.empty()) {
      const auto [left, right] = waiting_.back();
      waiting_.pop_back();
      if (!same_node(*left, *right)) return false;
    }
    return true;
  }

 private:
  void want(const TypeCode* a, const TypeCode* b) {
    if (rule_ != Rule::equal) {
      a = &unaliased(*a);
      b = &unaliased(*b);
    }
    if (a == b) return;
    if (!has_no_parameters(a->kind) && a->kind == b->kind) {
      const TypeCode* class_a = representative(a);
      const TypeCode* class_b = representative(b);
      if (class_a == class_b) return;
      parent_[class_a] = class_b;
    }
    waiting_.emplace_back(a, b);
  }

  const TypeCode* representative(const TypeCode* node) {
    while (true) {
      const auto up = parent_.find(node);
      if (up == parent_.end()) return node;
      const auto above = parent_.find(up->second);
      if (above != parent_.end()) up->second = above->second;  // halves the path
      node = up->second;
    }
  }

  bool same_node(const TypeCode& a, const TypeCode& b) {
    if (a.kind != b.kind) return false;
    if (has_no_parameters(a.kind)) return true;
    if (rule_ == Rule::equal) {
      if (a.id != b.id || a.name != b.name) return false;
    } else if (!a.id.empty() && !b.id.empty()) {
      return a.id == b.id;
    }
    const bool bound = a.kind == Kind::tk_string || a.kind == Kind::tk_wstring || a.kind == Kind::tk_sequence;
    if (a.length != b.length && !(bound && rule_ == Rule::unbounded)) return false;
    if (a.digits != b.digits || a.scale != b.scale || a.default_index != b.default_index) return false;
    if (a.modifier != b.modifier || (a.content == nullptr) != (b.content == nullptr)) return false;
    if (a.content != nullptr) want(a.content, b.content);
    return same_members(a, b);
  }

  bool same_members(const TypeCode& a, const TypeCode& b) {
    if (a.members.size() != b.members.size()) return false;
    for (std::size_t i = 0; i < a.members.size(); ++i) {
      const Member& left = a.members[i];
      const Member& right = b.members[i];
      if (rule_ == Rule::equal && left.name != right.name) return false;
      if (left.visibility != right.visibility) return false;
      const bool labelled = a.kind == Kind::tk_union && static_cast<std::int64_t>(i) != a.default_index;
      if (labelled && left.label != right.label) return false;
      if (left.type != nullptr) want(left.type, right.type);
    }
    return true;
  }

  const Rule rule_;
  std::vector<std::pair<const TypeCode*, const TypeCode*>> waiting_;
  std::unordered_map<const TypeCode*, const TypeCode*> parent_;
};

}  // namespace

bool equal(const TypeCode& a, const TypeCode& b) { return &a == &b || Comparison(Rule::equal).run(a, b); }

bool equivalent(const TypeCode& a, const TypeCode& b) {
  return &a == &b || Comparison(Rule::equivalent).run(a, b);
}

bool equivalent_unbounded(const TypeCode& a, const TypeCode& b) {
  return &a == &b || Comparison(Rule::unbounded).run(a, b);
}

}  // namespace tenon::types
