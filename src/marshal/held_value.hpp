// SPDX-License-Identifier: Apache-2.0
//
// Values (CORBA 3.4 part 2 §9.3.4) whose types are known by TypeCode only: in memory, a place with a pointer to a HeldValue, which
// has the state as the program of its type lays it out.
//
// Values refer to each other in any way, in circles too. So they are owned together: all values of one decoding are a ValueGraph, and
// a place outside of them keeps the whole graph alive; a place in the state of a value of the same graph does not. When the last outer
// place is destroyed, all values are. Copies of a place share the value, as copies of a valuetype_reference do.
// Graphs are counted safely from any thread; values are immutable once they are decoded.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/ref.hpp"
#include "cdr/values.hpp"
#include "marshal/program.hpp"

namespace tenon::marshal {

constexpr Word no_value_type = 0xFFFFFFFF;

/// A value type or box in a TypeCode.
struct ValueType {
  std::vector<std::string> names;     ///< the memory of `ids`
  std::vector<std::string_view> ids;  ///< its own, then those of the bases that a receiver may truncate it to
  Word base = no_value_type;
  TypeIndex state = no_case;  ///< bases' members first; no_case: not known, as of custom and abstract types
  bool open = false;  ///< abstract types and ValueBase: which types are derived from them is not known

  bool chunked() const noexcept { return ids.size() > 1; }
};

class HeldValue;

/// What goes through a value where a program says that there is one. The first arguments are the classes of decode.cpp, encode.cpp and
/// skip.cpp that do so.
void get_held_value(void* decoder, Word expected, std::byte* into);
void put_held_value(void* encoder, const HeldValue* value);
void skip_held_value(void* skipper, Word expected);
void drop_held_value(std::byte* place) noexcept;

/// Those functions. Programs find them here, so that one whose types are all known when it is compiled does not link them.
struct ValueMoves {
  void (*get)(void* decoder, Word expected, std::byte* into);
  void (*put)(void* encoder, const HeldValue* value);
  void (*skip)(void* skipper, Word expected);
  void (*drop)(std::byte* place) noexcept;
};

/// The value types of a program.
class ValueTypes {
 public:
  const ValueMoves* moves = nullptr;
  const Unit* unit = nullptr;          ///< its words describe the states
  const RefCounted* keeper = nullptr;  ///< keeps the unit alive
  std::vector<ValueType> all;
  std::vector<Word> by_id;  ///< numbers of types, in the order of their ids

  /// Null: any value is allowed.
  const ValueType* expected(Word number) const noexcept {
    return number == no_value_type ? nullptr : &all[number];
  }
  /// Whether a value of that type may stand where `expected` is.
  bool is(const ValueType& type, Word expected) const noexcept;
  /// As which type a value can be read where `wanted` is expected: its own, or a base. Null: it cannot be read. `whole`: the value has
  /// no more state than that.
  const ValueType* known(const cdr::ValueHeader& head, const ValueType* wanted, bool& whole) const noexcept;

 private:
  const ValueType* named(std::string_view id, const ValueType* wanted) const noexcept;
};

class ValueGraph;

class HeldValue final : public cdr::ValueObject {
 public:
  const ValueTypes& types() const noexcept { return *types_; }
  const ValueType& type() const noexcept { return *type_; }
  const Unit& unit() const noexcept { return *types_->unit; }
  ValueGraph& graph() const noexcept { return graph_; }
  std::byte* state() const noexcept;
  /// Whether it may stand where `wanted` is expected.
  bool is(const ValueType* wanted) const noexcept;

  void value_hold() const noexcept override;
  void value_drop() const noexcept override;
  bool value_of_program() const noexcept override { return true; }

 private:
  friend class ValueGraph;
  HeldValue(ValueGraph& graph, const ValueTypes& types, const ValueType& type) noexcept
      : graph_(graph), types_(&types), type_(&type) {}

  ValueGraph& graph_;
  const ValueTypes* types_;
  const ValueType* type_;
  HeldValue* next_ = nullptr;  // of the graph
};

class ValueGraph final : public RefCounted {
 public:
  explicit ValueGraph(const ValueTypes& types) : keeper_(types.keeper) {}
  /// A new value: numbers 0, texts and sequences empty. May throw std::bad_alloc.
  HeldValue& make(const ValueTypes& types, const ValueType& type);
  /// The memory of all its values.
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  ~ValueGraph() override;

  Ref<const RefCounted> keeper_;
  HeldValue* first_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A part of a value in memory that refers to a value, or to none (zero).
class HeldPlace {
 public:
  explicit HeldPlace(std::byte* at) noexcept : at_(at) {}

  static HeldValue* value(const std::byte* at) noexcept {
    return reinterpret_cast<HeldValue*>(bits(at) & ~holding);
  }
  HeldValue* get() const noexcept { return value(at_); }
  void reset() noexcept {
    const std::uintptr_t old = bits(at_);
    store(0);
    if ((old & holding) != 0) reinterpret_cast<HeldValue*>(old & ~holding)->value_drop();
  }
  /// `within`: the place is in the state of a value of that graph.
  void set(HeldValue& value, const ValueGraph* within) noexcept {
    const bool holds = &value.graph() != within;
    if (holds) value.value_hold();
    reset();
    store(reinterpret_cast<std::uintptr_t>(&value) | (holds ? holding : 0));
  }

 private:
  static constexpr std::uintptr_t holding = 1;
  static std::uintptr_t bits(const std::byte* at) noexcept {
    std::uintptr_t found;
    std::memcpy(&found, at, sizeof found);
    return found;
  }
  void store(std::uintptr_t bits) noexcept { std::memcpy(at_, &bits, sizeof bits); }

  std::byte* at_;
};

}  // namespace tenon::marshal
