// SPDX-License-Identifier: Apache-2.0
//
// Step 2's additional state: a TypeCode whose size, alignment and members were found out once, when its octets were read. The
// rungs from 2 on interpret it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "raw_coder.hpp"
#include "types/kind.hpp"

namespace tenon::bench {
namespace precomputed {

#define SMALL [[gnu::always_inline]] inline
#include "stream.inc"
#undef SMALL

struct PrecomputedType {
  struct Member {
    std::size_t offset;
    types::Kind kind;  ///< of the type, so that primitives need no look at it
    bool primitive;
    const PrecomputedType* type;
  };

  types::Kind kind = types::Kind::tk_null;
  std::size_t size = 0;
  std::size_t alignment = 1;
  bool primitive = false;
  std::unique_ptr<PrecomputedType> content;  ///< of a sequence
  std::vector<Member> members;               ///< of a struct; their types are owned below
  std::vector<std::unique_ptr<PrecomputedType>> owned;

  /// False: not one of the kinds that the ladder has, or cut short.
  bool read(Stream& from);
};

/// Octets of a TypeCode to a type; kind tk_null if that failed.
PrecomputedType precompute(ByteView typecode);

// The merged interpreter of rung 2: encoder, decoder, free and the traversal of structs in one function.
enum class Action { encode, decode, free };
bool traverse(const PrecomputedType& type, Action action, std::uint8_t* value, Stream& stream);

// The receiver of rung 3 and the sender of rung 4: a function per kind and direction.
bool decode_sequence(const PrecomputedType& type, std::uint8_t* value, Stream& stream);
void free_sequence(const PrecomputedType& type, std::uint8_t* value);
bool encode_sequence(const PrecomputedType& type, const std::uint8_t* value, Stream& stream);

}  // namespace precomputed
}  // namespace tenon::bench
