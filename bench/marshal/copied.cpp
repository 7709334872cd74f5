// SPDX-License-Identifier: Apache-2.0
//
// The floor of all rungs: the same number of bytes moved by memcpy between two buffers that exist already. It knows no byte
// order, checks nothing, allocates nothing.
#include <cstring>

#include "coder.hpp"

namespace tenon::bench {
namespace {

class Copied final : public Coder {
 public:
  explicit Copied(Type type) : from_(sample_memory(type)), to_(from_.size()) {}
  ByteView encode(ByteOrder) override {
    std::memcpy(to_.data(), from_.data(), from_.size());
    return to_;
  }
  bool decode(ByteView bytes, ByteOrder) override {
    if (bytes.size() < to_.size()) return false;
    std::memcpy(to_.data(), bytes.data(), to_.size());
    return true;
  }
  std::vector<std::uint8_t> memory_of(ByteView bytes, ByteOrder order) override {
    return decode(bytes, order) ? to_ : std::vector<std::uint8_t>();
  }

 private:
  std::vector<std::uint8_t> from_;
  std::vector<std::uint8_t> to_;
};

}  // namespace

std::unique_ptr<Coder> make_copied(Type type) { return std::make_unique<Copied>(type); }

}  // namespace tenon::bench
