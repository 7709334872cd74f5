// SPDX-License-Identifier: Apache-2.0
//
// Types, typedefs, enums, bitmasks and bitsets.
#include <algorithm>

#include "idl/model/query.hpp"
#include "idl/sema/analysis.hpp"

namespace tenon::idl {

using model::TypeKind;

const model::Type* Analysis::basic(TypeKind kind) {
  const model::Type*& slot = basics_[static_cast<std::size_t>(kind)];
  if (slot == nullptr) slot = model_->add_type(kind);
  return slot;
}

const model::Type* Analysis::named(const model::Decl* decl) {
  const model::Type*& slot = named_[decl];
  if (slot == nullptr) {
    auto* node = model_->add_type(TypeKind::Named);
    node->decl = decl;
    slot = node;
  }
  return slot;
}

// After an error there must be some type: long, so that no further errors follow.
const model::Type* Analysis::type(const ast::TypeSpec& spec, const Place& place, TypeUse use) {
  const model::Type* out = nullptr;
  switch (spec.form) {
    case ast::TypeForm::Basic: out = basic(spec.basic); break;
    case ast::TypeForm::Named: out = named_type(spec, place); break;
    case ast::TypeForm::Inline:
      if (use != TypeUse::Member && use != TypeUse::Typedef && use != TypeUse::Discriminator) {
        diagnostics_.error(spec.definition->name.span, "a type cannot be defined here", "define it before");
        break;
      }
      out = inline_type(spec, place);
      break;
    case ast::TypeForm::String:
    case ast::TypeForm::WString:
    case ast::TypeForm::Fixed:
    case ast::TypeForm::Sequence:
    case ast::TypeForm::Map: out = template_type(spec, place); break;
  }
  if (out == nullptr) return basic(TypeKind::Long);
  check_use(spec, out, use);
  return out;
}

void Analysis::check_use(const ast::TypeSpec& spec, const model::Type* type, TypeUse use) {
  if (type->kind == TypeKind::Void && use != TypeUse::Result) {
    diagnostics_.error(spec.span, "'void' is only for operations that return nothing");
  }
  const bool anonymous = spec.form == ast::TypeForm::Sequence || spec.form == ast::TypeForm::Map ||
                         (spec.form == ast::TypeForm::Fixed && type->digits != 0);
  const bool bounded_string =
      (spec.form == ast::TypeForm::String || spec.form == ast::TypeForm::WString) && type->bound != 0;
  const bool needs_name = use == TypeUse::Parameter || use == TypeUse::Result || use == TypeUse::Attribute;
  if (anonymous && (needs_name || use == TypeUse::Constant)) {
    // IDL 4.2 §7.4.3.4.3: parameters, results and attributes name their types.
    diagnostics_.error(spec.span, "a " + std::string(model::to_string(type->kind)) + " needs a name here",
                       "give it one with typedef");
  } else if ((anonymous || bounded_string) && (use == TypeUse::Member || use == TypeUse::Element) &&
             diagnostics_.warn_anonymous_types) {
    diagnostics_.warning(spec.span, "anonymous types are deprecated", "give it a name with typedef");
  }
  if (spec.form == ast::TypeForm::Fixed && type->digits == 0 && use != TypeUse::Constant) {
    diagnostics_.error(spec.span, "'fixed' needs its digits and scale here", "as in fixed<10,2>");
  }
}

const model::Type* Analysis::named_type(const ast::TypeSpec& spec, const Place& place) {
  const Entry* entry = scopes_.look_up(*place.scope, spec.name, "a type");
  if (entry == nullptr) return nullptr;
  if (entry->kind == Entry::Kind::TypeCode) return basic(TypeKind::TypeCode);
  if (entry->kind == Entry::Kind::Declaration && entry->decl != nullptr) {
    switch (entry->decl->kind) {
      case model::DeclKind::Interface:
        if (entry->decl->scoped_name == "::CORBA::TypeCode") return basic(TypeKind::TypeCode);
        return named(entry->decl);
      case model::DeclKind::ValueType:
      case model::DeclKind::ValueBox:
      case model::DeclKind::Struct:
      case model::DeclKind::Union:
      case model::DeclKind::Enum:
      case model::DeclKind::Bitmask:
      case model::DeclKind::Bitset:
      case model::DeclKind::Typedef:
      case model::DeclKind::Native: return named(entry->decl);
      default: break;
    }
  }
  std::string what = "member";
  if (entry->kind == Entry::Kind::Declaration) {
    what = entry->decl != nullptr ? model::to_string(entry->decl->kind) : "module";
  }
  const bool vowel = what.front() == 'e' || what.front() == 'i' || what.front() == 'o' || what.front() == 'a';
  diagnostics_.error(spec.span,
                     "'" + spec.name.text() + "' is " + (vowel ? "an " : "a ") + what + ", not a type");
  diagnostics_.note(entry->span, "declared here");
  return nullptr;
}

const model::Type* Analysis::inline_type(const ast::TypeSpec& spec, const Place& place) {
  definition(*spec.definition, place);
  const Entry* entry = Scopes::find_own(*place.scope, spec.definition->name.text);
  if (entry == nullptr || entry->kind != Entry::Kind::Declaration ||
      entry->name != spec.definition->name.text || entry->span.where != spec.definition->name.span.where) {
    return nullptr;  // it could not be declared, and that was reported
  }
  return named(entry->decl);
}

const model::Type* Analysis::template_type(const ast::TypeSpec& spec, const Place& place) {
  if (spec.form == ast::TypeForm::Fixed) {
    auto* out = model_->add_type(TypeKind::Fixed);
    if (!spec.bound) return out;
    const auto digits = evaluator_.evaluate_count(*spec.bound, *place.scope, 1, Decimal::most_digits,
                                                  "the digits of a fixed");
    if (!digits) return nullptr;
    const auto scale =
        evaluator_.evaluate_count(*spec.scale, *place.scope, 0, *digits, "the scale of a fixed");
    if (!scale) return nullptr;
    out->digits = static_cast<std::uint16_t>(*digits);
    out->scale = static_cast<std::uint16_t>(*scale);
    return out;
  }
  TypeKind kind = TypeKind::String;
  if (spec.form == ast::TypeForm::WString) kind = TypeKind::WString;
  if (spec.form == ast::TypeForm::Sequence) kind = TypeKind::Sequence;
  if (spec.form == ast::TypeForm::Map) kind = TypeKind::Map;
  if ((kind == TypeKind::String || kind == TypeKind::WString) && !spec.bound) return basic(kind);
  auto* out = model_->add_type(kind);
  if (spec.key) {
    out->key = type(*spec.key, place, TypeUse::Element);
    const model::Type* key = model::resolve_aliases(out->key);
    const bool enumerated = key->kind == TypeKind::Named && key->decl->kind == model::DeclKind::Enum;
    const bool plain = (model::primitive_size(key->kind) != 0 && key->kind != TypeKind::Float &&
                        key->kind != TypeKind::Double && key->kind != TypeKind::LongDouble) ||
                       key->kind == TypeKind::String || key->kind == TypeKind::WString ||
                       key->kind == TypeKind::WChar;
    if (!enumerated && !plain) {
      diagnostics_.error(spec.key->span,
                         "the key of a map must be an integer, character, boolean, enum or string");
    }
  }
  if (spec.element) out->element = type(*spec.element, place, TypeUse::Element);
  // The element of a sequence may be incomplete (that is how types recurse); a map's value as well.
  if (spec.bound) {
    const auto bound = evaluator_.evaluate_count(*spec.bound, *place.scope, 1, largest_bound, "a bound");
    if (!bound) return nullptr;
    out->bound = *bound;
  }
  return out;
}

// False (and reported) for a struct or union whose definition is not finished here.
bool Analysis::check_complete(const model::Type* type, const Span& where) {
  const model::Type* real = model::resolve_aliases(type);
  while (real->kind == TypeKind::Array) real = model::resolve_aliases(real->element);
  if (real->kind != TypeKind::Named) return true;
  const auto* s = model::as<model::Struct>(real->decl);
  const auto* u = model::as<model::Union>(real->decl);
  const bool incomplete = (s != nullptr && !s->defined) || (u != nullptr && !u->defined);
  if (!incomplete) return true;
  const bool itself = open_.contains(real->decl);
  diagnostics_.error(where,
                     itself ? "'" + real->decl->name + "' cannot contain itself"
                            : "'" + real->decl->name + "' is only declared, not defined here",
                     itself ? "use a sequence<" + real->decl->name + ">" : std::string());
  diagnostics_.note(Span{real->decl->location, 1}, "declared here");
  return false;
}

std::uint32_t Analysis::depth(const model::Type* type) const {
  std::uint32_t out = 0;
  for (; type != nullptr; type = type->element, ++out) {
    if (type->key != nullptr) out = std::max(out, depth(type->key));
    if (type->kind != TypeKind::Named) continue;
    const auto it = depth_of_.find(type->decl);
    return out + (it == depth_of_.end() ? 0 : it->second);
  }
  return out;
}

std::uint32_t Analysis::depth(const std::vector<model::Member>& members) const {
  std::uint32_t out = 0;
  for (const model::Member& member : members) out = std::max(out, depth(member.type));
  return out;
}

void Analysis::note_depth(const model::Decl& decl, std::uint32_t depth, const Span& where) {
  if (depth > deepest_type) {
    diagnostics_.error(where,
                       "types are nested more than " + std::to_string(deepest_type) + " levels deep here");
    return;  // counts as flat from here on, so that it is reported once
  }
  depth_of_[&decl] = depth;
}

const model::Type* Analysis::declared_type(const model::Type* base, const ast::Declarator& declarator,
                                           const Place& place) {
  if (declarator.dimensions.empty()) return base;
  auto* out = model_->add_type(TypeKind::Array);
  out->element = base;
  std::uint64_t total = 1;
  for (const ast::ExprPtr& dimension : declarator.dimensions) {
    const auto size =
        evaluator_.evaluate_count(*dimension, *place.scope, 1, largest_bound, "the size of an array");
    out->dimensions.push_back(size.value_or(1));
    if (__builtin_mul_overflow(total, out->dimensions.back(), &total) || total > largest_bound) {
      diagnostics_.error(declarator.name.span, "this array has more than 4294967295 elements");
      return base;
    }
  }
  return out;
}

bool Analysis::repeats_provided_typedef(const Place& place, const ast::Name& name,
                                        const model::Type* type) const {
  const Entry* known = Scopes::find_own(*place.scope, name.text);
  if (known == nullptr || known->kind != Entry::Kind::Declaration || known->name != name.text) return false;
  const auto* before = model::as<model::Typedef>(known->decl);
  return before != nullptr && may_be_repeated(before, name) && model::same_type(before->type, type);
}

void Analysis::typedef_(const ast::Typedef& node, const Place& place) {
  const model::Type* base = type(*node.type, place, TypeUse::Typedef);
  for (const ast::Declarator& declarator : node.declarators) {
    if (!declarator.dimensions.empty()) check_complete(base, node.type->span);
    auto* decl = model_->add<model::Typedef>();
    decl->type = declared_type(base, declarator, place);
    if (repeats_provided_typedef(place, declarator.name, decl->type)) continue;
    if (!declare(place, declarator.name, decl, nullptr, "typedef")) continue;
    introduce(*decl, declarator.name, place);
    note_depth(*decl, depth(decl->type) + 1, declarator.name.span);
    decl->annotations = annotations(node.annotations, place, decl->type);
  }
}

void Analysis::enumeration(const ast::Enum& node, const Place& place) {
  auto* decl = model_->add<model::Enum>();
  if (declare(place, node.name, decl, nullptr, "enum")) introduce(*decl, node.name, place);
  decl->annotations = annotations(node.annotations, place);
  std::int64_t next = 0;
  std::set<std::int64_t> values;
  for (const ast::Enumerator& one : node.enumerators) {
    auto* item = model_->add<model::Enumerator>();
    item->parent = decl;
    // Enumerators are names of the scope around the enum: IDL 4.2 §7.4.1.4.4.2.
    if (!declare(place, one.name, item, nullptr, "enumerator")) continue;
    introduce(*item, one.name, place, false);
    item->parent = decl;
    item->ordinal = static_cast<std::uint32_t>(decl->enumerators.size());
    item->annotations = annotations(one.annotations, place, basic(TypeKind::Long));
    if (const auto* value = model::find_annotation(item->annotations, "value");
        value && !value->parameters.empty()) {
      next = value->parameters.front().value.integer;
      item->explicit_value = true;
    }
    item->value = next++;
    if (!values.insert(item->value).second) {
      diagnostics_.error(one.name.span, "'" + one.name.text + "' has the value " +
                                            std::to_string(item->value) + " of an earlier enumerator");
    }
    decl->enumerators.push_back(item);
  }
}

namespace {

TypeKind carrier_for(std::uint32_t bits) {
  if (bits <= 8) return TypeKind::Octet;
  if (bits <= 16) return TypeKind::UShort;
  return bits <= 32 ? TypeKind::ULong : TypeKind::ULongLong;
}

std::uint64_t unsigned_parameter(const model::Annotation* annotation, std::uint64_t otherwise) {
  if (annotation == nullptr || annotation->parameters.empty()) return otherwise;
  return annotation->parameters.front().value.unsigned_integer;
}

}  // namespace

void Analysis::bitmask(const ast::Bitmask& node, const Place& place) {
  auto* decl = model_->add<model::Bitmask>();
  Scope* inner = scopes_.add(ScopeKind::Mask, node.name, place.scope, decl);
  if (declare(place, node.name, decl, inner, "bitmask")) introduce(*decl, node.name, place);
  decl->annotations = annotations(node.annotations, place);
  const std::uint64_t bound = unsigned_parameter(model::find_annotation(decl->annotations, "bit_bound"), 32);
  if (bound < 1 || bound > 64) {
    diagnostics_.error(node.name.span, "the bit bound of a bitmask must be from 1 to 64");
  } else {
    decl->bit_bound = static_cast<std::uint16_t>(bound);
  }
  decl->carrier = carrier_for(decl->bit_bound);
  std::uint64_t next = 0;
  std::uint64_t used = 0;
  for (const ast::Enumerator& one : node.flags) {
    model::BitFlag flag;
    flag.name = one.name.text;
    flag.location = one.name.span.where;
    flag.annotations = annotations(one.annotations, place);
    const std::uint64_t position =
        unsigned_parameter(model::find_annotation(flag.annotations, "position"), next);
    if (position >= decl->bit_bound) {
      diagnostics_.error(one.name.span, "flag '" + flag.name + "' stands at bit " + std::to_string(position) +
                                            ", but the bitmask has " + std::to_string(decl->bit_bound) +
                                            " bits");
      continue;
    }
    const std::uint64_t bit = std::uint64_t{1} << position;
    if ((used & bit) != 0) {
      diagnostics_.error(one.name.span, "flag '" + flag.name + "' shares bit " + std::to_string(position) +
                                            " with an earlier flag");
    }
    used |= bit;
    next = position + 1;
    flag.position = static_cast<std::uint16_t>(position);
    Entry entry;
    entry.kind = Entry::Kind::Flag;
    entry.flag = bit;
    if (scopes_.declare(*inner, one.name, std::move(entry), "flag")) decl->flags.push_back(std::move(flag));
  }
}

void Analysis::bitset(const ast::Bitset& node, const Place& place) {
  auto* decl = model_->add<model::Bitset>();
  Scope* inner = scopes_.add(ScopeKind::Mask, node.name, place.scope, decl);
  if (node.base) {
    const Entry* entry = scopes_.look_up(*place.scope, *node.base, "a bitset");
    if (entry != nullptr && entry->kind == Entry::Kind::Declaration) {
      decl->base = model::as<model::Bitset>(entry->decl);
    }
    if (entry != nullptr && decl->base == nullptr) {
      diagnostics_.error(node.base->span(), "'" + node.base->text() + "' is not a bitset");
    }
  }
  if (decl->base != nullptr) {
    decl->bits = decl->base->bits;
    inner->bases.push_back(scope_of_[decl->base]);
  }
  if (declare(place, node.name, decl, inner, "bitset")) introduce(*decl, node.name, place);
  decl->annotations = annotations(node.annotations, place);
  for (const ast::BitField& field : node.fields) bit_field(field, Place{inner, decl, nullptr}, *decl);
  if (decl->bits == 0) diagnostics_.error(node.name.span, "a bitset needs at least one bit field");
  decl->carrier = carrier_for(decl->bits);
}

void Analysis::bit_field(const ast::BitField& node, const Place& place, model::Bitset& out) {
  const auto width = evaluator_.evaluate_count(*node.width, *place.scope, 1, 64, "the width of a bit field");
  if (!width) return;
  const model::Type* kind = nullptr;
  if (node.type) {
    kind = type(*node.type, place, TypeUse::Member);
    const model::Type* real = model::resolve_aliases(kind);
    const std::uint32_t size = model::primitive_size(real->kind);
    const bool integral = model::is_integer(real->kind) || real->kind == TypeKind::Octet;
    if (!(integral && size * 8 >= *width) && !(real->kind == TypeKind::Boolean && *width == 1)) {
      diagnostics_.error(node.type->span,
                         "the type of a bit field must be an integer (or boolean) that holds its " +
                             std::to_string(*width) + " bits");
      return;
    }
  } else {
    kind = basic(*width == 1 ? TypeKind::Boolean : carrier_for(static_cast<std::uint32_t>(*width)));
  }
  const std::size_t count = node.names.empty() ? 1 : node.names.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (out.bits + *width > 64) {
      diagnostics_.error(node.span, "this bitset has more than 64 bits");
      return;
    }
    model::BitField field;
    field.width = static_cast<std::uint16_t>(*width);
    field.position = out.bits;
    field.type = kind;
    field.location = node.span.where;
    field.annotations = annotations(node.annotations, place);
    out.bits = static_cast<std::uint16_t>(out.bits + *width);
    if (!node.names.empty()) {
      field.name = node.names[i].text;
      field.location = node.names[i].span.where;
      Entry entry;
      entry.kind = Entry::Kind::Member;
      if (!scopes_.declare(*place.scope, node.names[i], std::move(entry), "bit field")) continue;
    }
    out.fields.push_back(std::move(field));
  }
}

}  // namespace tenon::idl
