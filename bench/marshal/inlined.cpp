// SPDX-License-Identifier: Apache-2.0
//
// Rung 1, inlining: rung 0's source, but the small functions that are called often are forced inline.
#include <algorithm>

#include "raw_coder.hpp"
#include "types/kind.hpp"

namespace tenon::bench {
namespace inlined {
namespace {

#define SMALL [[gnu::always_inline]] inline
#include "stream.inc"

#include "interpreter.inc"
#undef SMALL

}  // namespace
}  // namespace inlined

std::unique_ptr<Coder> make_inlined(Type type) { return std::make_unique<RawCoder<inlined::Engine>>(type); }

}  // namespace tenon::bench
