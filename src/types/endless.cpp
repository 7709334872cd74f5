// SPDX-License-Identifier: Apache-2.0
#include "types/endless.hpp"

#include <unordered_map>
#include <vector>

namespace tenon::types {
namespace {

/// Whether a value of type `whole` need not hold a value of `part`, because it may be empty or null. The state of a value type's base is
/// always part of the value.
bool ends_recursion(const TypeCode& whole, const TypeCode* part) noexcept {
  if (has_state(whole.kind)) return part != whole.content;
  return whole.kind == Kind::tk_sequence || whole.kind == Kind::tk_value_box;
}

/// Finds a type that contains itself without end: a circle of nodes that hold their parts directly.
class EndlessSearch {
 public:
  bool found(const TypeCode& root) {
    open(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      const TypeCode* part = next_part(step);
      if (part == nullptr) {
        state_[step.node] = State::done;
        path_.pop_back();
        continue;
      }
      // the content of a sequence or of a value begins a path of its own
      if (ends_recursion(*step.node, part)) {
        if (!state_.contains(part)) later_.push_back(part);
        continue;
      }
      if (const auto seen = state_.find(part); seen == state_.end()) {
        open(*part);
      } else if (seen->second == State::open) {
        return true;
      }
    }
    return false;
  }

  bool found_from(const TypeCode& root) {
    later_.push_back(&root);
    while (!later_.empty()) {
      const TypeCode* start = later_.back();
      later_.pop_back();
      if (!state_.contains(start) && found(*start)) return true;
    }
    return false;
  }

 private:
  enum class State : std::uint8_t { open, done };
  struct Step {
    const TypeCode* node;
    std::size_t next = 0;
  };

  void open(const TypeCode& node) {
    state_[&node] = State::open;
    path_.push_back({&node});
  }
  /// The content, then each member; basic types have no parts of their own and are passed over.
  static const TypeCode* next_part(Step& step) noexcept {
    while (step.next <= step.node->members.size()) {
      const std::size_t index = step.next++;
      const TypeCode* part = index == 0 ? step.node->content : step.node->members[index - 1].type;
      if (part != nullptr && !has_no_parameters(part->kind)) return part;
    }
    return nullptr;
  }

  std::unordered_map<const TypeCode*, State> state_;
  std::vector<Step> path_;
  std::vector<const TypeCode*> later_;
};

}  // namespace

bool contains_itself_endlessly(const TypeCode& type) { return EndlessSearch().found_from(type); }

}  // namespace tenon::types
