// SPDX-License-Identifier: Apache-2.0
//
// Ours.
#include "vector_coder.hpp"

namespace tenon::bench {
namespace {

template <typename T>
struct Interpreted {
  static void put(cdr::Writer& out, const std::vector<T>& values) {
    gen::Sequence<gen::Codec<T>>::put(out, values);
  }
  static void get(cdr::Reader& in, std::vector<T>& values) { gen::Sequence<gen::Codec<T>>::get(in, values); }
};

}  // namespace

std::unique_ptr<Coder> make_ours(Type type) { return make_vector_coder<Interpreted>(type); }

}  // namespace tenon::bench
