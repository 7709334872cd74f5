// SPDX-License-Identifier: Apache-2.0
//
// map<K, V> of IDL 4.2: its codec and traits. Only generated code with a map includes this header, since <map> is costly to compile.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/types/codec.hpp"
#include "mapping/cpp11/types/traits.hpp"

namespace IDL {
inline namespace cpp11 {

template <typename K, typename V>
struct traits<std::map<K, V>> : tenon::gen::ValueTraits<std::map<K, V>> {
  using key_traits = traits<K>;
  using value_traits = traits<V>;
};
}  // namespace cpp11
}  // namespace IDL

namespace tenon::gen {

/// map<key, value, Bound> (IDL 4.2 §7.4.13): travels as a sequence of {key, value} structs; a key that comes twice is MARSHAL.
template <typename K, typename V, std::size_t Bound = 0>
struct Map {
  using value_type = std::map<typename K::value_type, typename V::value_type>;
  static constexpr std::size_t smallest = 4;

  static void put(cdr::Writer& out, const value_type& values) noexcept {
    if (Bound != 0 && values.size() > Bound) return out.fail_over_bound(values.size(), Bound);
    out.put_length(values.size());
    for (const auto& [key, value] : values) {
      K::put(out, key);
      V::put(out, value);
    }
  }
  static void get(cdr::Reader& in, value_type& values) {
    values.clear();
    const std::size_t count = in.get_length(K::smallest + V::smallest, Bound);
    for (std::size_t i = 0; i < count && in.good(); ++i) {
      typename K::value_type key{};
      K::get(in, key);
      auto [place, fresh] = values.try_emplace(std::move(key));
      if (!fresh) in.fail(errors::duplicate_key);
      V::get(in, place->second);
    }
  }
};

}  // namespace tenon::gen
