// SPDX-License-Identifier: Apache-2.0
#include "idl/model/contents.hpp"

#include <algorithm>
#include <unordered_map>

#include "idl/model/provided.hpp"
#include "idl/model/query.hpp"

namespace tenon::idl::model {

namespace {

using Bits = Contents::Bits;

std::uint64_t visited = 0;

// The kind of a type alone, without what it is made of.
Bits own_bits(const Type& type) {
  switch (type.kind) {
    case TypeKind::Any:
    case TypeKind::TypeCode: return Contents::any | Contents::variable;
    case TypeKind::Object: return Contents::object | Contents::variable;
    case TypeKind::ValueBase: return Contents::value | Contents::variable;
    case TypeKind::String:
    case TypeKind::WString:
    case TypeKind::Sequence:
    case TypeKind::Map: return Contents::variable;
    case TypeKind::Named: break;
    default: return 0;
  }
  switch (type.decl->kind) {
    case DeclKind::Interface: {
      const auto& interface = static_cast<const Interface&>(*type.decl);
      Bits bits = Contents::object | Contents::variable;
      if (interface.abstract) bits |= Contents::value;
      if (interface.local) bits |= Contents::local;
      return bits;
    }
    case DeclKind::Native: return Contents::local | Contents::variable;
    case DeclKind::ValueType:
      if (type.decl->provided_by_orb && is_object_in_orb(type.decl->scoped_name))
        return Contents::local | Contents::variable;
      return Contents::value | Contents::variable;
    case DeclKind::ValueBox: return Contents::value | Contents::variable;
    default: return 0;
  }
}

bool has_contents(const Decl& decl) {
  return decl.kind == DeclKind::Struct || decl.kind == DeclKind::Exception || decl.kind == DeclKind::Union ||
         decl.kind == DeclKind::ValueBox || decl.kind == DeclKind::ValueType;
}

// A type without the declarations that it leads to.
struct Shell {
  Bits bits = 0;
  std::vector<const Decl*> decls;
  std::vector<const Type*> elements;  // of sequences

  // Until none is left.
  void take(std::vector<const Type*>& left) {
    while (!left.empty()) {
      const Type& real = *resolve_aliases(left.back());
      left.pop_back();
      bits |= own_bits(real);
      if (real.key != nullptr) left.push_back(real.key);
      if (real.element != nullptr) left.push_back(real.element);
      if (real.kind == TypeKind::Sequence) elements.push_back(real.element);
      if (real.kind == TypeKind::Named && has_contents(*real.decl)) decls.push_back(real.decl);
    }
  }
  explicit Shell(const Type& type) {
    std::vector<const Type*> left{&type};
    take(left);
  }
  explicit Shell(const Decl& decl) {
    std::vector<const Type*> left;
    push_contents(decl, left);
    take(left);
  }
};

// The bits of the shell and of what its declarations are known to contain.
Bits bits_of(const Shell& shell) {
  Bits bits = shell.bits;
  for (const Decl* decl : shell.decls) bits |= contents_of(*decl) & ~Contents::itself;
  return bits;
}

bool is_variable(const Type* type) { return (bits_of(Shell(*type)) & Contents::variable) != 0; }

// Declarations that contain each other have the same contents, and are finished together (Tarjan's algorithm, without recursion, since
// chains may be of any length).
class Finder {
 public:
  void find(const Decl& root) {
    open(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next == step.shell.decls.size()) {
        close();
        continue;
      }
      const Decl& next = *step.shell.decls[step.next++];
      if (next.contents_known != 0) continue;
      const auto found = numbers_.find(&next);
      if (found == numbers_.end()) {
        open(next);
      } else {
        step.lowest = std::min(step.lowest, found->second);
      }
    }
  }

 private:
  struct Step {
    const Decl* decl;
    Shell shell;
    std::size_t next = 0;
    std::size_t number;
    std::size_t lowest;
  };

  void open(const Decl& decl) {
    const std::size_t number = numbers_.size();
    numbers_.emplace(&decl, number);
    path_.push_back({.decl = &decl, .shell = Shell(decl), .number = number, .lowest = number});
  }

  void close() {
    Step step = std::move(path_.back());
    path_.pop_back();
    const std::size_t number = step.number;
    const std::size_t lowest = step.lowest;
    if (!path_.empty()) path_.back().lowest = std::min(path_.back().lowest, lowest);
    unfinished_.push_back(std::move(step));
    if (lowest == number) finish(number);
  }

  // Finishes all declarations from number `first` on: they contain each other.
  void finish(std::size_t first) {
    auto begin = unfinished_.end();
    while (begin != unfinished_.begin() && (begin - 1)->number >= first) --begin;
    Bits bits = Contents::known;
    bool itself = unfinished_.end() - begin > 1;
    for (auto at = begin; at != unfinished_.end(); ++at) {
      bits |= at->shell.bits;
      for (const Decl* inner : at->shell.decls) {
        bits |= inner->contents_known & ~Contents::itself;
        itself = itself || inner == at->decl;
      }
    }
    if (itself) bits |= Contents::itself;
    for (auto at = begin; at != unfinished_.end(); ++at) at->decl->contents_known = bits;
    // A sequence of one of these makes all of them variable, which is known by now.
    const bool variable_elements = std::any_of(begin, unfinished_.end(), [](const Step& step) {
      return std::ranges::any_of(step.shell.elements, is_variable);
    });
    if (variable_elements) {
      for (auto at = begin; at != unfinished_.end(); ++at)
        at->decl->contents_known |= Contents::variable_elements;
    }
    unfinished_.erase(begin, unfinished_.end());
  }

  std::unordered_map<const Decl*, std::size_t> numbers_;
  std::vector<Step> path_;
  std::vector<Step> unfinished_;
};

}  // namespace

void push_contents(const Decl& decl, std::vector<const Type*>& into) {
  ++visited;
  const auto push = [&into](const std::vector<Member>& members) {
    for (const Member& member : members) into.push_back(member.type);
  };
  if (decl.kind == DeclKind::Struct) {
    for (const auto* s = static_cast<const Struct*>(&decl); s != nullptr; s = s->base) push(s->members);
  } else if (decl.kind == DeclKind::Exception) {
    push(static_cast<const Exception&>(decl).members);
  } else if (decl.kind == DeclKind::Union) {
    for (const UnionCase& one : static_cast<const Union&>(decl).cases) into.push_back(one.member.type);
  } else if (decl.kind == DeclKind::ValueBox) {
    into.push_back(static_cast<const ValueBox&>(decl).type);
  } else if (decl.kind == DeclKind::ValueType) {
    for (const StateMember* one : static_cast<const ValueType&>(decl).all_state) into.push_back(one->type);
  }
}

Bits contents_of(const Decl& decl) {
  if (decl.contents_known == 0) Finder().find(decl);
  return decl.contents_known;
}

Bits contents_of(const Type& type) {
  const Shell shell(type);
  Bits bits = bits_of(shell);
  if (std::ranges::any_of(shell.elements, is_variable)) bits |= Contents::variable_elements;
  return bits;
}

std::uint64_t contents_visited() { return visited; }

}  // namespace tenon::idl::model
