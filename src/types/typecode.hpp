// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes: immutable descriptions of IDL types (CORBA 3.4 part 1 §8.11).
//
// A TypeCode is a plain node of constant data that points to other nodes, recursive types in a circle. Compiled types are
// constants of the program, made by the constexpr functions below: no initialiser runs for them. A type that is met at run time
// (read from a message, made compact) belongs to a TypeGraph, which owns all its nodes, members and texts. TypeRef is a node
// together with what keeps it alive; whoever keeps a type keeps a TypeRef, whoever only looks at one takes a const TypeCode&.
//
// A recursive type that is made part by part holds incomplete nodes until it is whole (create.hpp): nothing can be done with those
// but to use them as parts. All else is immutable, so safe from any thread.
//
// Invariant: no type contains itself except through a sequence or a value type; so aliases end, and values are finite.
// Not here: making types from checked parts (create.hpp), comparing (compare.hpp), CDR (typecode_cdr.hpp), values (walker.hpp,
// any.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/ref.hpp"
#include "types/kind.hpp"

namespace tenon::types {

struct TypeCode;

/// Visibility of a value type's member (part 1 §8.11.1).
enum class Visibility : std::int16_t { private_member = 0, public_member = 1 };
/// What kind of value type (part 1 §8.11.1).
enum class Modifier : std::int16_t { none = 0, custom = 1, abstract = 2, truncatable = 3 };

/// Of a struct, exception, union, enum or value type. A union case with two labels is two members.
struct Member {
  std::string_view name;
  const TypeCode* type = nullptr;  ///< null: an enumerator
  /// Of a union: the discriminator's value, sign-extended; means nothing in the default case.
  std::uint64_t label = 0;
  Visibility visibility = Visibility::private_member;  ///< of a value type
};

struct TypeCode {
  Kind kind = Kind::tk_null;
  std::uint32_t length = 0;  ///< bound of a string or sequence (0: none), elements of an array
  std::uint16_t digits = 0;
  std::int16_t scale = 0;
  std::int32_t default_index = -1;  ///< of a union: the member with `default:`, or -1
  Modifier modifier = Modifier::none;
  std::string_view id = {};
  std::string_view name = {};
  /// Element of a sequence or array, original type of an alias or box, discriminator of a union, base of a value type (or null).
  const TypeCode* content = nullptr;
  std::span<const Member> members = {};

  // Checked access (part 1 §8.11.1): typecode_bad_kind or typecode_bounds where the standard has BadKind or Bounds.
  Result<std::string_view> checked_id() const noexcept;
  Result<std::string_view> checked_name() const noexcept;
  Result<std::uint32_t> member_count() const noexcept;
  Result<std::string_view> member_name(std::uint32_t index) const noexcept;
  Result<const TypeCode*> member_type(std::uint32_t index) const noexcept;
  Result<std::uint64_t> member_label(std::uint32_t index) const noexcept;
  Result<const TypeCode*> discriminator_type() const noexcept;
  Result<std::int32_t> checked_default_index() const noexcept;
  Result<std::uint32_t> checked_length() const noexcept;
  Result<const TypeCode*> content_type() const noexcept;
  Result<std::uint16_t> fixed_digits() const noexcept;
  Result<std::int16_t> fixed_scale() const noexcept;
  Result<Visibility> member_visibility(std::uint32_t index) const noexcept;
  Result<Modifier> type_modifier() const noexcept;
  /// The null TypeCode when there is no base.
  Result<const TypeCode*> concrete_base_type() const noexcept;
};

/// A value type with a base, a modifier and members.
constexpr bool has_state(Kind kind) noexcept { return kind == Kind::tk_value || kind == Kind::tk_event; }

/// Stands for a type that is still being made; `id` says which.
constexpr bool is_incomplete(const TypeCode& type) noexcept { return type.kind == incomplete_kind; }

/// The type below all aliases.
inline const TypeCode& unaliased(const TypeCode& type) noexcept {
  const TypeCode* below = &type;
  while (below->kind == Kind::tk_alias) below = below->content;
  return *below;
}

/// Whether a union may have this discriminator (after aliases).
bool is_discriminator(const TypeCode& type) noexcept;

/// The member that a discriminator's value selects, or null: a discriminator alone.
const Member* selected_member(const TypeCode& union_type, std::uint64_t label) noexcept;

/// The node of a kind without parameters, or of an unbounded string or wide string.
const TypeCode& basic(Kind kind) noexcept;

// --- constant data; what the arguments point to must outlive the TypeCode ---

constexpr TypeCode basic_type(Kind kind) noexcept { return {.kind = kind}; }
constexpr TypeCode string_type(std::uint32_t bound = 0) noexcept {
  return {.kind = Kind::tk_string, .length = bound};
}
constexpr TypeCode wstring_type(std::uint32_t bound = 0) noexcept {
  return {.kind = Kind::tk_wstring, .length = bound};
}
constexpr TypeCode fixed_type(std::uint16_t digits, std::int16_t scale) noexcept {
  return {.kind = Kind::tk_fixed, .digits = digits, .scale = scale};
}
constexpr TypeCode sequence_type(const TypeCode& element, std::uint32_t bound = 0) noexcept {
  return {.kind = Kind::tk_sequence, .length = bound, .content = &element};
}
constexpr TypeCode array_type(const TypeCode& element, std::uint32_t length) noexcept {
  return {.kind = Kind::tk_array, .length = length, .content = &element};
}
constexpr TypeCode alias_type(std::string_view id, std::string_view name, const TypeCode& original) noexcept {
  return {.kind = Kind::tk_alias, .id = id, .name = name, .content = &original};
}
constexpr TypeCode struct_type(std::string_view id, std::string_view name,
                               std::span<const Member> members) noexcept {
  return {.kind = Kind::tk_struct, .id = id, .name = name, .members = members};
}
constexpr TypeCode exception_type(std::string_view id, std::string_view name,
                                  std::span<const Member> members) noexcept {
  return {.kind = Kind::tk_except, .id = id, .name = name, .members = members};
}
constexpr TypeCode enum_type(std::string_view id, std::string_view name,
                             std::span<const Member> members) noexcept {
  return {.kind = Kind::tk_enum, .id = id, .name = name, .members = members};
}
constexpr TypeCode union_type(std::string_view id, std::string_view name, const TypeCode& discriminator,
                              std::int32_t default_index, std::span<const Member> members) noexcept {
  return {.kind = Kind::tk_union,
          .default_index = default_index,
          .id = id,
          .name = name,
          .content = &discriminator,
          .members = members};
}
/// tk_objref, tk_abstract_interface, tk_local_interface, tk_native, tk_component, tk_home.
constexpr TypeCode named_type(Kind kind, std::string_view id, std::string_view name) noexcept {
  return {.kind = kind, .id = id, .name = name};
}
constexpr TypeCode box_type(std::string_view id, std::string_view name, const TypeCode& content) noexcept {
  return {.kind = Kind::tk_value_box, .id = id, .name = name, .content = &content};
}
constexpr TypeCode value_type(std::string_view id, std::string_view name, Modifier modifier,
                              const TypeCode* base, std::span<const Member> members) noexcept {
  return {.kind = Kind::tk_value,
          .modifier = modifier,
          .id = id,
          .name = name,
          .content = base,
          .members = members};
}

/// What a layer above made of a type of a graph and keeps with it.
class TypeAttachment {
 public:
  virtual ~TypeAttachment() = default;

 private:
  friend class TypeGraph;
  const TypeAttachment* older_ = nullptr;
};

/// Owns the nodes of a type made at run time. Filled by one thread before others see it; attachments are safe from any thread.
class TypeGraph final : public RefCounted {
 public:
  ~TypeGraph() override;
  TypeCode* add_node() { return &nodes_.emplace_back(); }
  std::span<Member> add_members(std::size_t count) {
    members_.push_back(std::make_unique<Member[]>(count));
    return {members_.back().get(), count};
  }
  /// Room for `bytes` octets that views may point into.
  std::uint8_t* add_bytes(std::size_t bytes) {
    bytes_.push_back(std::make_unique<std::uint8_t[]>(bytes));
    return bytes_.back().get();
  }
  /// A copy that lives as long as the graph.
  std::string_view add_text(std::string_view text);
  /// Nodes of another graph are pointed to.
  void keep(Ref<const TypeGraph> other) {
    if (other) others_.push_back(std::move(other));
  }
  const std::vector<Ref<const TypeGraph>>& kept() const noexcept { return others_; }
  /// Null in an empty graph.
  TypeCode* first() noexcept { return nodes_.empty() ? nullptr : &nodes_.front(); }
  const TypeCode* first() const noexcept { return nodes_.empty() ? nullptr : &nodes_.front(); }

  /// The newest attachment, or the one that is older than `before`; null at the end.
  const TypeAttachment* attachment(const TypeAttachment* before = nullptr) const noexcept {
    return before != nullptr ? before->older_ : newest_.load(std::memory_order_acquire);
  }
  void attach(std::unique_ptr<TypeAttachment> made) const noexcept;
  /// Counts work that was done on values of these types; returns how much there has been.
  std::size_t worked(std::size_t more) const noexcept {
    return work_.fetch_add(more, std::memory_order_relaxed) + more;
  }

 private:
  std::deque<TypeCode> nodes_;  // addresses never change
  std::vector<std::unique_ptr<Member[]>> members_;
  std::vector<std::unique_ptr<std::uint8_t[]>> bytes_;
  std::vector<Ref<const TypeGraph>> others_;
  mutable std::atomic<const TypeAttachment*> newest_{nullptr};
  mutable std::atomic<std::size_t> work_{0};
};

/// A type and what keeps it alive; null: none.
class TypeRef {
 public:
  constexpr TypeRef() noexcept = default;
  /// Constant data.
  constexpr TypeRef(const TypeCode& type) noexcept : type_(&type) {}
  TypeRef(const TypeCode&& type) = delete;  // would not live
  TypeRef(const TypeCode& type, Ref<const TypeGraph> graph) noexcept
      : type_(&type), graph_(std::move(graph)) {}

  const TypeCode* get() const noexcept { return type_; }
  const TypeCode& operator*() const noexcept { return *type_; }
  const TypeCode* operator->() const noexcept { return type_; }
  explicit operator bool() const noexcept { return type_ != nullptr; }
  const Ref<const TypeGraph>& graph() const noexcept { return graph_; }
  /// A part of this type.
  TypeRef part(const TypeCode& type) const noexcept { return {type, graph_}; }

 private:
  const TypeCode* type_ = nullptr;
  Ref<const TypeGraph> graph_;
};

/// The same type without names, which are optional; ids and aliases stay (part 1 §8.11.1).
TypeRef compact(const TypeRef& type);

}  // namespace tenon::types
