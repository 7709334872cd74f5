// SPDX-License-Identifier: Apache-2.0
//
// What table-driven stubs and skeletons call (tenon-idl --stubs=interpreted): one table per IDL file, one function per direction.
// The tables are constant data, so any thread may use them; what runs them keeps its state on the stack.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>

#include "mapping/cpp11/calls/skeleton.hpp"
#include "mapping/cpp11/types/value_at.hpp"
#include "marshal/parameters.hpp"

namespace tenon::gen {

/// The tables of one IDL file. An operation is a run of words of the unit:
///
///   [0]  parameters, the result included | flags (OperationFlags) | number << 16
///   [1]  place of its name in `names` << 8 | its length
///   [2]  the plan of its parameters (marshal/parameters.hpp)
///   then per parameter, the result first, a word
///   then, where operation_raises says so, the count of its exceptions and their numbers in `exceptions`
///
/// An interface is a perfect hash table of its own operations (inherited ones are in the tables of its bases):
///
///   [0]  seed      [1]  slots - 1      then per slot the place of an operation, 0 for none
struct Interpreted {
  marshal::Unit unit;
  const char* names = nullptr;  ///< all operation names, as on the wire, one after the other
  const Raises* exceptions = nullptr;
};

enum OperationFlags : marshal::Word {
  operation_oneway = 0x100,
  operation_has_arguments = 0x200,  ///< any in or inout parameter
  operation_raises = 0x400,
  operation_result = 0x800,  ///< the first parameter is the result
};
constexpr unsigned parameter_count(marshal::Word head) noexcept { return head & 0xFF; }
constexpr unsigned number_of(marshal::Word head) noexcept { return head >> 16; }

/// Functions that tables of operations are written with, as marshal::fields has them for programs.
namespace fields {

struct OperationHead {
  marshal::Word method = 0;  ///< the number that the skeleton is given
  marshal::Word parameters = 0;
  bool oneway = false;
  bool has_arguments = false;
  bool has_result = false;
  bool raises = false;
};
constexpr marshal::Word operation(const OperationHead& head) {
  const auto flag = [](bool set, OperationFlags bit) { return set ? marshal::Word{bit} : marshal::Word{0}; };
  return head.method << 16 | head.parameters | flag(head.oneway, operation_oneway) |
         flag(head.has_arguments, operation_has_arguments) | flag(head.has_result, operation_result) |
         flag(head.raises, operation_raises);
}
struct NamePlace {
  marshal::Word at = 0;
  marshal::Word length = 0;
};
constexpr marshal::Word name(NamePlace place) { return place.at << 8 | place.length; }
constexpr marshal::Word exceptions(marshal::Word count) { return count; }
constexpr marshal::Word exception(marshal::Word number) { return number; }
constexpr marshal::Word seed(marshal::Word hash) { return hash; }
constexpr marshal::Word slots(marshal::Word count) { return count - 1; }

}  // namespace fields

/// Whether the types of these codecs are interpreted in their IDL files.
template <typename... C>
inline constexpr bool have_programs = (requires { C::program; } && ...);

/// The codec of an interpreted type T: the program at `Type` of a file's tables.
template <typename T, typename Tables, marshal::TypeIndex Type, std::size_t Smallest>
struct Program {
  using value_type = T;
  static constexpr std::size_t smallest = Smallest;
  static constexpr marshal::TypeIndex program = Type;
  static constexpr const marshal::Unit* unit = &Tables::file.unit;
  static void put(cdr::Writer& out, const T& value) { marshal::encode(Tables::file.unit, Type, out, &value); }
  static void get(cdr::Reader& in, T& value) { marshal::decode(Tables::file.unit, Type, in, &value); }
};

/// The client's direction: calls the operation at `operation` of the file's words. `values`: the address of each parameter in the
/// order of the table; the result and out parameters exist and are overwritten. Raises as call() does.
void interpret(CORBA::Object& self, const Interpreted& file, marshal::Word operation,
               const void* const* values);

/// The same for an operation with a result, whose place in `values` is the first one. There is one instance per type, not per operation.
/// Cold, so that it is compiled for size: it does little besides the one call.
template <typename T>
[[gnu::noinline, gnu::cold]] T interpret_result(CORBA::Object& self, const Interpreted& file,
                                                marshal::Word operation, const void** values) {
  T result{};
  values[0] = &result;
  interpret(self, file, operation, values);
  return result;
}

/// Runs the servant's method number `which` on the parameters, whose addresses are `values`. The result's place is raw memory: it
/// is constructed there.
using RunServant = void (*)(void* skeleton, unsigned which, void* const* values);

/// The server's direction: finds the call's operation in the interface at `table`, reads its parameters into a frame on the stack,
/// runs the servant and writes the results before the frame goes. False when the table has no operation of that name.
bool interpret(const Interpreted& file, marshal::Word table, Upcall& call, void* skeleton, RunServant run);

/// As Skeleton::dispatch, for an InterpretedSkeleton.
bool dispatch_interpreted(void* self, Upcall& call, const Skeleton& skeleton);

/// A skeleton whose operations are all interpreted and its own.
struct InterpretedSkeleton : Skeleton {
  const Interpreted& file;
  marshal::Word table;  ///< where the interface is in the file's words
  RunServant run;
};

/// Constructs the initial value of a class: that of its codec if there is one (for enums whose first enumerator is not 0).
template <typename C>
void construct_foreign(void* at) {
  if constexpr (requires { C::initial; }) {
    ::new (at) typename C::value_type(C::initial);
  } else {
    ::new (at) typename C::value_type();
  }
}
template <typename T>
void destroy_foreign(void* at) noexcept {
  std::destroy_at(static_cast<T*>(at));
}

template <typename C>
consteval const marshal::Unit* unit_of() {
  if constexpr (have_programs<C>) return C::unit;
  return nullptr;
}
template <typename C>
consteval marshal::TypeIndex program_of() {
  if constexpr (have_programs<C>) return C::program;
  return 0;
}

/// Access to a class that only C++ knows, through its codec.
template <typename C>
inline constexpr marshal::Foreign foreign{
    .size = sizeof(typename C::value_type),
    .align = alignof(typename C::value_type),
    .unit = unit_of<C>(),
    .type = program_of<C>(),
    .construct = &construct_foreign<C>,
    .destroy = &destroy_foreign<typename C::value_type>,
    .put = [](cdr::Writer& out,
              const void* from) { C::put(out, *static_cast<const typename C::value_type*>(from)); },
    .get = [](cdr::Reader& in, void* into) { C::get(in, *static_cast<typename C::value_type*>(into)); },
};

/// Access to a std::map; the program moves its keys and values.
template <typename M>
inline constexpr marshal::Foreign foreign_map{
    .size = sizeof(M),
    .align = alignof(M),
    .construct = [](void* at) { ::new (at) M(); },
    .destroy = &destroy_foreign<M>,
    .entries = [](const void* at) { return static_cast<const M*>(at)->size(); },
    .each =
        [](const void* at, void* context, void (*visit)(void*, const void*, const void*)) {
          for (const auto& [key, value] : *static_cast<const M*>(at)) visit(context, &key, &value);
        },
    .add = [](void* at, void* key) -> void* {
      auto [place, fresh] =
          static_cast<M*>(at)->try_emplace(std::move(*static_cast<typename M::key_type*>(key)));
      return fresh ? &place->second : nullptr;
    },
    .clear = [](void* at) { static_cast<M*>(at)->clear(); },
};

/// Access to a union, whose codec C gives its discriminator and its variant. The variant's first alternative means no member.
template <typename C>
struct UnionAccess {
  using T = typename C::value_type;
  using Discriminator = std::remove_reference_t<decltype(C::discriminator(std::declval<T&>()))>;
  using Members = std::remove_reference_t<decltype(C::members(std::declval<T&>()))>;
  static constexpr auto all = std::make_index_sequence<std::variant_size_v<Members> - 1>();

  static std::int64_t label(const void* at) {
    return static_cast<std::int64_t>(C::discriminator(*static_cast<T*>(const_cast<void*>(at))));
  }
  static const void* member(const void* at) {
    return member(C::members(*static_cast<T*>(const_cast<void*>(at))), all);
  }
  static void* select(void* at, std::int64_t label, int which) {
    T& value = *static_cast<T*>(at);
    Members& members = C::members(value);
    members.template emplace<0>();
    C::discriminator(value) = static_cast<Discriminator>(label);
    return select(members, which, all);
  }

 private:
  template <std::size_t... I>
  static const void* member(const Members& members, std::index_sequence<I...>) {
    const void* found = nullptr;
    static_cast<void>(((members.index() == I + 1 && (found = std::get_if<I + 1>(&members), true)) || ...));
    return found;
  }
  template <std::size_t... I>
  static void* select(Members& members, int which, std::index_sequence<I...>) {
    void* made = nullptr;
    static_cast<void>(
        ((which == static_cast<int>(I) && (made = &members.template emplace<I + 1>(), true)) || ...));
    return made;
  }
};

template <typename C>
inline constexpr marshal::Foreign foreign_union{
    .size = sizeof(typename C::value_type),
    .align = alignof(typename C::value_type),
    .construct = &construct_foreign<C>,
    .destroy = &destroy_foreign<typename C::value_type>,
    .label = &UnionAccess<C>::label,
    .member = &UnionAccess<C>::member,
    .select = &UnionAccess<C>::select,
};

}  // namespace tenon::gen
