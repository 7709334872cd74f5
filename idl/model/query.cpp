// SPDX-License-Identifier: Apache-2.0
#include "idl/model/query.hpp"

#include <algorithm>
#include <set>

#include "idl/model/constant_layout.hpp"
#include "idl/model/contents.hpp"

namespace tenon::idl::model {

const Type* resolve_aliases(const Type* type) {
  while (type != nullptr && type->kind == TypeKind::Named && type->decl->kind == DeclKind::Typedef) {
    type = static_cast<const Typedef*>(type->decl)->type;
  }
  return type;
}

const Decl* named_decl(const Type* type) {
  const Type* real = resolve_aliases(type);
  return real != nullptr && real->kind == TypeKind::Named ? real->decl : nullptr;
}

bool same_type(const Type* a, const Type* b) {
  a = resolve_aliases(a);
  b = resolve_aliases(b);
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->kind != b->kind) return false;
  const bool inner = (a->element == nullptr) == (b->element == nullptr) &&
                     (a->key == nullptr) == (b->key == nullptr) &&
                     (a->element == nullptr || same_type(a->element, b->element)) &&
                     (a->key == nullptr || same_type(a->key, b->key));
  return inner && a->bound == b->bound && a->digits == b->digits && a->scale == b->scale &&
         a->dimensions == b->dimensions && a->decl == b->decl;
}

const Annotation* find_annotation(const std::vector<Annotation>& annotations, std::string_view name) {
  for (const Annotation& annotation : annotations) {
    if (annotation.name == name && annotation.decl == nullptr) return &annotation;
  }
  return nullptr;
}

bool is_view(const Parameter& parameter) { return has_view(parameter.annotations); }

bool has_view(const std::vector<Annotation>& annotations) {
  return find_annotation(annotations, "tenon::view") != nullptr;
}

bool can_be_viewed(const Type* type) {
  const Type* real = resolve_aliases(type);
  if (real->kind != TypeKind::Sequence) return false;
  const TypeKind element = resolve_aliases(real->element)->kind;
  if (element == TypeKind::Named) return sequence_of_constant_structs(*real) != nullptr;
  return primitive_size(element) != 0 && element != TypeKind::LongDouble;
}

bool is_integer(TypeKind kind) {
  return kind == TypeKind::Int8 || kind == TypeKind::UInt8 || kind == TypeKind::Short ||
         kind == TypeKind::UShort || kind == TypeKind::Long || kind == TypeKind::ULong ||
         kind == TypeKind::LongLong || kind == TypeKind::ULongLong;
}

bool is_signed(TypeKind kind) {
  return kind == TypeKind::Int8 || kind == TypeKind::Short || kind == TypeKind::Long ||
         kind == TypeKind::LongLong;
}

namespace {

// Visits every type reachable by value (members, elements, cases) until the visitor returns true. It keeps a list
// of types to visit instead of recursing: types that are declared forward can refer to each other in chains of
// any length.
class ContentWalk {
 public:
  explicit ContentWalk(const std::function<bool(const Type&)>& predicate) : predicate_(predicate) {}

  bool of(const Type* type) {
    push(type);
    while (!left_.empty()) {
      const Type* real = resolve_aliases(left_.back());
      left_.pop_back();
      if (predicate_(*real)) return true;
      push(real->key);
      push(real->element);
      if (real->kind == TypeKind::Named && seen_.insert(real->decl).second) push_contents(*real->decl, left_);
    }
    return false;
  }

 private:
  void push(const Type* type) {
    if (type != nullptr) left_.push_back(type);
  }
  const std::function<bool(const Type&)>& predicate_;
  std::vector<const Type*> left_;
  std::set<const Decl*> seen_;
};

}  // namespace

bool contains(const Type* type, const std::function<bool(const Type&)>& predicate) {
  return ContentWalk(predicate).of(type);
}

bool is_variable_length(const Type* type) { return (contents_of(*type) & Contents::variable) != 0; }

bool is_recursive(const Decl* decl) { return (contents_of(*decl) & Contents::itself) != 0; }

bool contains_value_type(const Type* type) { return (contents_of(*type) & Contents::value) != 0; }

bool contains_any(const Type* type) { return (contents_of(*type) & Contents::any) != 0; }

bool contains_object(const Type* type) { return (contents_of(*type) & Contents::object) != 0; }

bool contains_variable_elements(const Type* type) {
  return (contents_of(*type) & Contents::variable_elements) != 0;
}

bool is_local(const Type* type) { return (contents_of(*type) & Contents::local) != 0; }

namespace {

// Everything that a declaration mentions, once: types (as written), declarations, nested contents.
class MentionWalk {
 public:
  std::vector<const Type*> types;
  std::vector<const Decl*> decls;

  void of(const Decl* decl) {
    if (const auto* m = as<Module>(decl)) {
      nested(m->contents);
    } else if (const auto* i = as<Interface>(decl)) {
      for (const Interface* base : i->bases) mention(base);
      nested(i->contents);
    } else if (const auto* v = as<ValueType>(decl)) {
      for (const ValueType* base : v->bases) mention(base);
      for (const Interface* one : v->supports) mention(one);
      nested(v->contents);
    } else if (const auto* b = as<ValueBox>(decl)) {
      mention(b->type);
    } else if (const auto* s = as<Struct>(decl)) {
      if (s->base != nullptr) mention(s->base);
      nested(s->contents);
      members(s->members);
    } else if (const auto* e = as<Exception>(decl)) {
      nested(e->contents);
      members(e->members);
    } else if (const auto* u = as<Union>(decl)) {
      nested(u->contents);
      if (u->discriminator != nullptr) mention(u->discriminator);
      for (const UnionCase& one : u->cases) mention(one.member.type);
    } else if (const auto* t = as<Typedef>(decl)) {
      mention(t->type);
    } else if (const auto* c = as<Constant>(decl)) {
      mention(c->type);
    } else if (const auto* m2 = as<StateMember>(decl)) {
      mention(m2->type);
    } else if (const auto* set = as<Bitset>(decl)) {
      if (set->base != nullptr) mention(set->base);
      for (const BitField& field : set->fields) mention(field.type);
    } else {
      callable(decl);
    }
  }

 private:
  void callable(const Decl* decl) {
    if (const auto* o = as<Operation>(decl)) {
      mention(o->result);
      for (const Parameter& parameter : o->parameters) mention(parameter.type);
      for (const Exception* one : o->raises) mention(one);
    } else if (const auto* a = as<Attribute>(decl)) {
      mention(a->type);
      for (const Exception* one : a->get_raises) mention(one);
      for (const Exception* one : a->set_raises) mention(one);
    } else if (const auto* f = as<Initializer>(decl)) {
      for (const Parameter& parameter : f->parameters) mention(parameter.type);
      for (const Exception* one : f->raises) mention(one);
    }
  }
  void nested(const std::vector<const Decl*>& contents) {
    for (const Decl* one : contents) of(one);
  }
  void members(const std::vector<Member>& members) {
    for (const Member& member : members) mention(member.type);
  }
  void mention(const Decl* decl) {
    if (seen_.insert(decl).second) decls.push_back(decl);
  }
  void mention(const Type* type) {
    types.push_back(type);
    for (const Type* t = type; t != nullptr; t = t->element) {
      if (t->key != nullptr) mention(t->key);
      if (t->kind == TypeKind::Named) mention(t->decl);
    }
  }
  std::set<const Decl*> seen_;
};

}  // namespace

bool uses_value_type(const Decl* decl) {
  if (decl->kind == DeclKind::ValueType || decl->kind == DeclKind::ValueBox) return true;
  if (const auto* forward = as<Forward>(decl)) return forward->target->kind == DeclKind::ValueType;
  if (const auto* m = as<Module>(decl)) {
    return std::any_of(m->contents.begin(), m->contents.end(), uses_value_type);
  }
  if (const auto* i = as<Interface>(decl)) {
    if (std::any_of(i->contents.begin(), i->contents.end(), uses_value_type)) return true;
  }
  MentionWalk walk;
  walk.of(decl);
  return std::any_of(walk.types.begin(), walk.types.end(), contains_value_type);
}

bool uses_any(const Decl* decl) {
  MentionWalk walk;
  walk.of(decl);
  return std::any_of(walk.types.begin(), walk.types.end(), contains_any);
}

std::vector<const Decl*> dependencies(const Decl* decl) {
  MentionWalk walk;
  walk.of(decl);
  std::vector<const Decl*> out;
  for (const Decl* one : walk.decls) {
    bool own = false;
    for (const Decl* up = one; up != nullptr && !own; up = up->parent) own = up == decl;
    if (!own) out.push_back(one);
  }
  return out;
}

}  // namespace tenon::idl::model
