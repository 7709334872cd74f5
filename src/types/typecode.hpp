// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes: immutable descriptions of IDL types (CORBA 3.4 part 1 §8.11).
//
// A TypeCode is a plain node of constant data that points to other nodes, recursive types in a circle. Compiled types are
// constants of the program, made by the constexpr functions of type_node.hpp: no initialiser runs for them. A type that is met at run time
// (read from a message, made compact) belongs to a TypeGraph, which owns all its nodes, members and texts. TypeRef is a node
// together with what keeps it alive; code that keeps a type keeps a TypeRef, code that only looks at one takes a const TypeCode&.
//
// A recursive type that is made part by part holds incomplete nodes until it is whole (create.hpp): nothing can be done with those
// but to use them as parts. All else is immutable, so safe from any thread.
//
// Invariant: no type contains itself except through a sequence or a value type; so aliases end, and values are finite.
// Not here: making types from checked parts (create.hpp), comparing (compare.hpp), CDR (typecode_cdr.hpp), values (walker.hpp,
// any.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/ref.hpp"
#include "base/shared_word.hpp"
#include "types/type_node.hpp"

namespace tenon::types {

/// What a layer above made of a type and keeps with the type's graph.
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
  TypeCode* add_node();
  std::span<Member> add_members(std::size_t count);
  /// Room for `bytes` octets that views may point into.
  std::uint8_t* add_bytes(std::size_t bytes);
  /// A copy that lives as long as the graph.
  std::string_view add_text(std::string_view text);
  /// Keeps another graph alive, to whose nodes this one points.
  void keep(Ref<const TypeGraph> other);
  const std::vector<Ref<const TypeGraph>>& kept() const noexcept { return others_; }
  /// Null in an empty graph.
  TypeCode* first() noexcept;
  const TypeCode* first() const noexcept;

  /// The newest attachment, or the one that is older than `before`; null at the end.
  const TypeAttachment* attachment(const TypeAttachment* before = nullptr) const noexcept {
    return before != nullptr ? before->older_ : newest_.acquire();
  }
  /// The graph takes over `made`, which was made by new.
  void attach(TypeAttachment* made) const noexcept;
  /// Counts work that was done on values of these types; returns how much there has been.
  std::size_t worked(std::size_t more) const noexcept { return work_.add_relaxed(more) + more; }

 private:
  // Addresses never change: the inner vectors never grow. Neither std::deque nor std::unique_ptr, as generated code includes this.
  std::vector<std::vector<TypeCode>> nodes_;
  std::vector<std::vector<Member>> members_;
  std::vector<std::vector<std::uint8_t>> bytes_;
  std::vector<Ref<const TypeGraph>> others_;
  mutable SharedWord<const TypeAttachment*> newest_;
  mutable SharedWord<std::size_t> work_;
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
  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): callers have looked
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
