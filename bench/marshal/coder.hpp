// SPDX-License-Identifier: Apache-2.0
//
// One way to marshal, as the benchmarks see it: it owns a sample value of one type and is asked to write it, and to read what
// another one wrote. The ladder is the list of rungs() in the order of the climb.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "sample.hpp"

namespace tenon::bench {

class Coder {
 public:
  virtual ~Coder() = default;
  /// The sample as sequence<type> in CDR from phase 0; the bytes live until the next call. Empty: failed.
  virtual ByteView encode(ByteOrder order) = 0;
  /// Reads into a value that did not exist before, and frees it. The bytes start at a multiple of 8. False: refused.
  virtual bool decode(ByteView bytes, ByteOrder order) = 0;
  /// Reads into a value that is kept from one call to the next.
  /// From now on what encode() returns has so many words of 8 bytes before it, where the coder can do that.
  virtual void begin_behind(std::size_t /*words*/) {}
  virtual bool decode_again(ByteView bytes, ByteOrder order) { return decode(bytes, order); }
  /// Reads and gives the elements as they then lie in memory. Empty: refused.
  virtual std::vector<std::uint8_t> memory_of(ByteView bytes, ByteOrder order) = 0;
};

struct Rung {
  std::string_view name;
  std::string_view what;
  std::unique_ptr<Coder> (*make)(Type type);
};

std::span<const Rung> rungs();

// The interpreters of the ladder: a file each.
std::unique_ptr<Coder> make_original(Type type);
std::unique_ptr<Coder> make_inlined(Type type);
std::unique_ptr<Coder> make_precomputed(Type type);
std::unique_ptr<Coder> make_split_receiver(Type type);
std::unique_ptr<Coder> make_split_sender(Type type);
// Ours: interpreted by a marshal program, and compiled by tenon-idl.
std::unique_ptr<Coder> make_ours(Type type);
std::unique_ptr<Coder> make_compiled(Type type);
/// The floor: memory is moved as it is.
std::unique_ptr<Coder> make_copied(Type type);

}  // namespace tenon::bench
