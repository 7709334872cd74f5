// SPDX-License-Identifier: Apache-2.0
//
// Rung 0: the interpreter as it was, every function a function.
#include <algorithm>

#include "raw_coder.hpp"
#include "types/kind.hpp"

namespace tenon::bench {
namespace original {
namespace {

#define SMALL [[gnu::noinline]]
#include "stream.inc"

#include "interpreter.inc"
#undef SMALL

}  // namespace
}  // namespace original

std::unique_ptr<Coder> make_original(Type type) { return std::make_unique<RawCoder<original::Engine>>(type); }

}  // namespace tenon::bench
