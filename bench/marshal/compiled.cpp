// SPDX-License-Identifier: Apache-2.0
//
// What tenon-idl compiles for an argument of type sequence<T>.
#include "vector_coder.hpp"

namespace tenon::bench {
namespace {

template <typename T>
struct Compiled {
  static void put(cdr::Writer& out, const std::vector<T>& values) {
    gen::Sequence<gen::Codec<T>>::put(out, values);
  }
  static void get(cdr::Reader& in, std::vector<T>& values) { gen::Sequence<gen::Codec<T>>::get(in, values); }
};

}  // namespace

std::unique_ptr<Coder> make_compiled(Type type) { return make_vector_coder<Compiled>(type); }

}  // namespace tenon::bench
