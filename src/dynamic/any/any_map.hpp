// SPDX-License-Identifier: Apache-2.0
//
// map<K, V> of IDL 4.2 in an Any: a sequence of structs, as it travels (docs/idl.md).
#pragma once

#include <map>

#include "dynamic/any/any_types.hpp"
#include "mapping/cpp11/types/map.hpp"

namespace tenon::gen {

/// GIOP has no map: a sequence of entries.
template <InAny K, InAny V>
struct AnyType<std::map<K, V>> {
  static constexpr types::Member members[] = {{"key", &AnyType<K>::type}, {"value", &AnyType<V>::type}};
  static constexpr types::TypeCode entry = types::struct_type("", "", members);
  static constexpr types::TypeCode type = types::sequence_type(entry);
  using codec = Map<typename AnyType<K>::codec, typename AnyType<V>::codec>;
};

}  // namespace tenon::gen
