// SPDX-License-Identifier: Apache-2.0
#include "idl/model/query.hpp"

#include <algorithm>
#include <map>
#include <set>

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
  const bool inner = (a->element == nullptr) == (b->element == nullptr) && (a->key == nullptr) == (b->key == nullptr) &&
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

bool is_integer(TypeKind kind) {
  return kind == TypeKind::Int8 || kind == TypeKind::UInt8 || kind == TypeKind::Short || kind == TypeKind::UShort ||
         kind == TypeKind::Long || kind == TypeKind::ULong || kind == TypeKind::LongLong || kind == TypeKind::ULongLong;
}

bool is_signed(TypeKind kind) {
  return kind == TypeKind::Int8 || kind == TypeKind::Short || kind == TypeKind::Long || kind == TypeKind::LongLong;
}

// CDR, GIOP 1.2 §15.3.1.1. A wchar's size depends on the GIOP version: no fixed size here.
std::uint32_t primitive_size(TypeKind kind) {
  switch (kind) {
    case TypeKind::Boolean:
    case TypeKind::Char:
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8: return 1;
    case TypeKind::Short:
    case TypeKind::UShort: return 2;
    case TypeKind::Long:
    case TypeKind::ULong:
    case TypeKind::Float: return 4;
    case TypeKind::LongLong:
    case TypeKind::ULongLong:
    case TypeKind::Double: return 8;
    case TypeKind::LongDouble: return 16;
    default: return 0;
  }
}

namespace {

constexpr std::uint64_t enough = std::uint64_t{1} << 62;  // sizes saturate here

std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) || out > enough ? enough : out;
}
std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) { return a > enough - b ? enough : a + b; }

std::uint64_t element_count(const Type& array) {
  std::uint64_t total = 1;
  for (const std::uint64_t dimension : array.dimensions) total = saturating_multiply(total, dimension);
  return total;
}

FixedLayout primitive_layout(std::uint32_t size, std::uint32_t alignment) {
  FixedLayout out;
  out.alignment = alignment;
  for (std::uint32_t phase = 0; phase < 8; ++phase) {
    out.size_at[phase] = (alignment - phase % alignment) % alignment + size;
  }
  return out;
}

FixedLayout followed_by(const FixedLayout& a, const FixedLayout& b) {
  FixedLayout out;
  out.alignment = std::max(a.alignment, b.alignment);
  for (std::uint32_t phase = 0; phase < 8; ++phase) {
    const std::uint64_t first = a.size_at[phase];
    out.size_at[phase] = saturating_add(first, b.size_at[(phase + first) % 8]);
  }
  return out;
}

// `count` times in a row. The phase of the n-th element is periodic (8 phases), so jump whole periods.
FixedLayout repeated(const FixedLayout& element, std::uint64_t count) {
  FixedLayout out;
  out.alignment = element.alignment;
  for (std::uint32_t start = 0; start < 8; ++start) {
    std::uint64_t total = 0;
    std::uint64_t left = count;
    std::uint64_t seen_total[8];
    std::uint64_t seen_left[8];
    std::fill(std::begin(seen_left), std::end(seen_left), ~std::uint64_t{0});
    while (left > 0) {
      const auto phase = static_cast<std::uint32_t>((start + total) % 8);
      if (seen_left[phase] != ~std::uint64_t{0}) {
        const std::uint64_t period = seen_left[phase] - left;
        const std::uint64_t times = left / period;
        total = saturating_add(total, saturating_multiply(times, total - seen_total[phase]));
        left %= period;
        std::fill(std::begin(seen_left), std::end(seen_left), ~std::uint64_t{0});
        if (left == 0) break;
      } else {
        seen_left[phase] = left;
        seen_total[phase] = total;
      }
      total = saturating_add(total, element.size_at[(start + total) % 8]);
      --left;
    }
    out.size_at[start] = total;
  }
  return out;
}

class LayoutWalk {
 public:
  std::optional<FixedLayout> of(const Type* type) {
    const Type* real = resolve_aliases(type);
    if (const std::uint32_t size = primitive_size(real->kind)) return primitive_layout(size, std::min(size, 8u));
    switch (real->kind) {
      case TypeKind::Void: return FixedLayout{};
      case TypeKind::Fixed: return primitive_layout(real->digits / 2u + 1u, 1);  // packed decimal, GIOP 1.2 §15.3.2.8
      case TypeKind::Array: {
        const auto element = of(real->element);
        if (!element) return std::nullopt;
        return repeated(*element, element_count(*real));
      }
      case TypeKind::Named: return of(real->decl);
      default: return std::nullopt;
    }
  }

  std::optional<FixedLayout> of(const Decl* decl) {
    if (const auto it = known_.find(decl); it != known_.end()) return it->second;
    known_[decl] = std::nullopt;  // recursion goes through sequences only, which have no fixed layout
    std::optional<FixedLayout> out;
    switch (decl->kind) {
      case DeclKind::Enum: out = primitive_layout(4, 4); break;
      case DeclKind::Bitmask: out = carrier(static_cast<const Bitmask*>(decl)->carrier); break;
      case DeclKind::Bitset: out = carrier(static_cast<const Bitset*>(decl)->carrier); break;
      case DeclKind::Struct: {
        const auto* s = static_cast<const Struct*>(decl);
        std::optional<FixedLayout> start = FixedLayout{};
        if (s->base != nullptr) start = of(s->base);
        if (start) out = members(*start, s->members);
        break;
      }
      case DeclKind::Exception: out = members(FixedLayout{}, static_cast<const Exception*>(decl)->members); break;
      default: break;
    }
    known_[decl] = out;
    return out;
  }

 private:
  static FixedLayout carrier(TypeKind kind) {
    const std::uint32_t size = primitive_size(kind);
    return primitive_layout(size, size);
  }
  std::optional<FixedLayout> members(FixedLayout out, const std::vector<Member>& members) {
    for (const Member& member : members) {
      const auto one = of(member.type);
      if (!one) return std::nullopt;
      out = followed_by(out, *one);
    }
    return out;
  }
  std::map<const Decl*, std::optional<FixedLayout>> known_;
};

// Smallest encodings; a declaration met again inside itself counts nothing (there is a shorter way out).
class MinimumWalk {
 public:
  std::uint64_t of(const Type* type) {
    const Type* real = resolve_aliases(type);
    if (real->kind == TypeKind::WChar) return 1;  // GIOP 1.2: an octet count, which may be 0 for garbage
    if (const std::uint32_t size = primitive_size(real->kind)) return size;
    switch (real->kind) {
      case TypeKind::Void: return 0;
      case TypeKind::String: return 4;  // a lenient reader takes length 0
      case TypeKind::WString:
      case TypeKind::Sequence:
      case TypeKind::Map: return 4;
      case TypeKind::Any: return 4;
      case TypeKind::TypeCode: return 4;
      case TypeKind::Object: return 8;
      case TypeKind::ValueBase: return 4;
      case TypeKind::Fixed: return real->digits / 2u + 1u;
      case TypeKind::Array: return saturating_multiply(of(real->element), element_count(*real));
      case TypeKind::Named: return of(real->decl);
      default: return 0;
    }
  }

 private:
  std::uint64_t of(const Decl* decl) {
    if (const auto it = known_.find(decl); it != known_.end()) return it->second;
    known_[decl] = 0;
    std::uint64_t out = 0;
    switch (decl->kind) {
      case DeclKind::Enum: out = 4; break;
      case DeclKind::Bitmask: out = primitive_size(static_cast<const Bitmask*>(decl)->carrier); break;
      case DeclKind::Bitset: out = primitive_size(static_cast<const Bitset*>(decl)->carrier); break;
      case DeclKind::Interface: out = static_cast<const Interface*>(decl)->abstract ? 5 : 8; break;
      case DeclKind::ValueType:
      case DeclKind::ValueBox: out = 4; break;
      case DeclKind::Struct: {
        const auto* s = static_cast<const Struct*>(decl);
        if (s->base != nullptr) out = of(s->base);
        for (const Member& member : s->members) out = saturating_add(out, of(member.type));
        break;
      }
      case DeclKind::Exception:
        for (const Member& member : static_cast<const Exception*>(decl)->members) {
          out = saturating_add(out, of(member.type));
        }
        break;
      case DeclKind::Union: {
        const auto* u = static_cast<const Union*>(decl);
        std::uint64_t least = u->implicit_default ? 0 : enough;
        for (const UnionCase& one : u->cases) least = std::min(least, of(one.member.type));
        out = saturating_add(u->discriminator != nullptr ? of(u->discriminator) : 0, least == enough ? 0 : least);
        break;
      }
      default: break;
    }
    known_[decl] = out;
    return out;
  }
  std::map<const Decl*, std::uint64_t> known_;
};

// Visits every type reachable by value: members, elements, cases. Stops early when the visitor says so.
class ContentWalk {
 public:
  explicit ContentWalk(const std::function<bool(const Type&)>& predicate) : predicate_(predicate) {}

  bool of(const Type* type) {
    if (type == nullptr) return false;
    const Type* real = resolve_aliases(type);
    if (predicate_(*real)) return true;
    switch (real->kind) {
      case TypeKind::Sequence:
      case TypeKind::Array: return of(real->element);
      case TypeKind::Map: return of(real->key) || of(real->element);
      case TypeKind::Named: return of(real->decl);
      default: return false;
    }
  }

  bool of(const Decl* decl) {
    if (!seen_.insert(decl).second) return false;
    switch (decl->kind) {
      case DeclKind::Struct: {
        const auto* s = static_cast<const Struct*>(decl);
        return (s->base != nullptr && of(s->base)) || any_of(s->members);
      }
      case DeclKind::Exception: return any_of(static_cast<const Exception*>(decl)->members);
      case DeclKind::Union: {
        const auto& cases = static_cast<const Union*>(decl)->cases;
        return std::any_of(cases.begin(), cases.end(), [this](const UnionCase& one) { return of(one.member.type); });
      }
      case DeclKind::ValueBox: return of(static_cast<const ValueBox*>(decl)->type);
      case DeclKind::ValueType: {
        const auto& state = static_cast<const ValueType*>(decl)->all_state;
        return std::any_of(state.begin(), state.end(), [this](const StateMember* one) { return of(one->type); });
      }
      default: return false;
    }
  }

 private:
  bool any_of(const std::vector<Member>& members) {
    return std::any_of(members.begin(), members.end(), [this](const Member& member) { return of(member.type); });
  }
  const std::function<bool(const Type&)>& predicate_;
  std::set<const Decl*> seen_;
};

bool is_decl(const Type& type, DeclKind kind) { return type.kind == TypeKind::Named && type.decl->kind == kind; }

}  // namespace

std::optional<FixedLayout> fixed_layout(const Type* type) { return LayoutWalk().of(type); }
std::optional<FixedLayout> fixed_layout(const Decl* struct_or_exception) {
  return LayoutWalk().of(struct_or_exception);
}

std::uint64_t minimum_wire_size(const Type* type) { return MinimumWalk().of(type); }

bool contains(const Type* type, const std::function<bool(const Type&)>& predicate) {
  return ContentWalk(predicate).of(type);
}

bool is_variable_length(const Type* type) {
  return contains(type, [](const Type& one) {
    switch (one.kind) {
      case TypeKind::String:
      case TypeKind::WString:
      case TypeKind::Sequence:
      case TypeKind::Map:
      case TypeKind::Any:
      case TypeKind::TypeCode:
      case TypeKind::Object:
      case TypeKind::ValueBase: return true;
      case TypeKind::Named:
        return one.decl->kind == DeclKind::Interface || one.decl->kind == DeclKind::ValueType ||
               one.decl->kind == DeclKind::ValueBox || one.decl->kind == DeclKind::Native;
      default: return false;
    }
  });
}

bool is_recursive(const Decl* decl) {
  bool first = true;
  const auto again = [&](const Type& type) {
    if (first) {
      first = false;
      return false;
    }
    return type.kind == TypeKind::Named && type.decl == decl;
  };
  Type self;
  self.kind = TypeKind::Named;
  self.decl = decl;
  return contains(&self, again);
}

bool contains_value_type(const Type* type) {
  return contains(type, [](const Type& one) {
    return one.kind == TypeKind::ValueBase || is_decl(one, DeclKind::ValueType) || is_decl(one, DeclKind::ValueBox) ||
           (is_decl(one, DeclKind::Interface) && static_cast<const Interface*>(one.decl)->abstract);
  });
}

bool contains_any(const Type* type) {
  return contains(type,
                  [](const Type& one) { return one.kind == TypeKind::Any || one.kind == TypeKind::TypeCode; });
}

bool contains_object(const Type* type) {
  return contains(type,
                  [](const Type& one) { return one.kind == TypeKind::Object || is_decl(one, DeclKind::Interface); });
}

bool is_local(const Type* type) {
  return contains(type, [](const Type& one) {
    return is_decl(one, DeclKind::Native) ||
           (is_decl(one, DeclKind::Interface) && static_cast<const Interface*>(one.decl)->local);
  });
}

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

const char* to_string(DeclKind kind) {
  switch (kind) {
    case DeclKind::Module: return "module";
    case DeclKind::Interface: return "interface";
    case DeclKind::ValueType: return "valuetype";
    case DeclKind::ValueBox: return "value box";
    case DeclKind::Struct: return "struct";
    case DeclKind::Union: return "union";
    case DeclKind::Enum: return "enum";
    case DeclKind::Enumerator: return "enumerator";
    case DeclKind::Bitmask: return "bitmask";
    case DeclKind::Bitset: return "bitset";
    case DeclKind::Typedef: return "typedef";
    case DeclKind::Constant: return "constant";
    case DeclKind::Exception: return "exception";
    case DeclKind::Operation: return "operation";
    case DeclKind::Attribute: return "attribute";
    case DeclKind::StateMember: return "state member";
    case DeclKind::Initializer: return "factory";
    case DeclKind::Native: return "native";
    case DeclKind::Forward: return "forward declaration";
    case DeclKind::Annotation: return "annotation";
  }
  return "";
}

const char* to_string(TypeKind kind) {
  switch (kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Boolean: return "boolean";
    case TypeKind::Char: return "char";
    case TypeKind::WChar: return "wchar";
    case TypeKind::Octet: return "octet";
    case TypeKind::Int8: return "int8";
    case TypeKind::UInt8: return "uint8";
    case TypeKind::Short: return "short";
    case TypeKind::UShort: return "unsigned short";
    case TypeKind::Long: return "long";
    case TypeKind::ULong: return "unsigned long";
    case TypeKind::LongLong: return "long long";
    case TypeKind::ULongLong: return "unsigned long long";
    case TypeKind::Float: return "float";
    case TypeKind::Double: return "double";
    case TypeKind::LongDouble: return "long double";
    case TypeKind::Any: return "any";
    case TypeKind::TypeCode: return "CORBA::TypeCode";
    case TypeKind::Object: return "Object";
    case TypeKind::ValueBase: return "ValueBase";
    case TypeKind::String: return "string";
    case TypeKind::WString: return "wstring";
    case TypeKind::Fixed: return "fixed";
    case TypeKind::Sequence: return "sequence";
    case TypeKind::Array: return "array";
    case TypeKind::Map: return "map";
    case TypeKind::Named: return "named type";
  }
  return "";
}

}  // namespace tenon::idl::model
