// SPDX-License-Identifier: Apache-2.0
//
// What compiled and interpreted code of ours have in common: the value is the std::vector of the IDL to C++11 mapping, written
// and read with the engine's own writer and reader. A Moves<Vector> has
//
//   static void put(cdr::Writer&, const Vector&)      static void get(cdr::Reader&, Vector&)
#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "coder.hpp"
#include "marshal.hpp"

namespace tenon::bench {

/// The vector of the mapping whose elements lie in memory as given.
template <typename T>
std::vector<T> vector_of(const std::vector<std::uint8_t>& memory) {
  std::vector<T> values(memory.size() / sizeof(T));
  std::memcpy(static_cast<void*>(values.data()), memory.data(), values.size() * sizeof(T));
  return values;
}
template <>
inline std::vector<bool> vector_of(const std::vector<std::uint8_t>& memory) {
  return {memory.begin(), memory.end()};
}

template <typename T>
std::vector<std::uint8_t> memory_of_vector(const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
  return {first, first + values.size() * sizeof(T)};
}
template <>
inline std::vector<std::uint8_t> memory_of_vector(const std::vector<bool>& values) {
  return {values.begin(), values.end()};
}

template <typename T, typename Moves>
class VectorCoder final : public Coder {
 public:
  explicit VectorCoder(Type type) : sample_(vector_of<T>(sample_memory(type))) {}

  ByteView encode(ByteOrder order) override {
    writer_.reset({.order = order});
    if (!before_.empty()) writer_.put_octets(before_);
    Moves::put(writer_, sample_);
    return writer_.good() ? writer_.bytes() : ByteView();
  }
  void begin_behind(std::size_t words) override { before_.assign(words * 8, 0); }
  bool decode(ByteView bytes, ByteOrder order) override {
    std::vector<T> value;
    return read(bytes, order, value);
  }
  bool decode_again(ByteView bytes, ByteOrder order) override { return read(bytes, order, kept_); }
  std::vector<std::uint8_t> memory_of(ByteView bytes, ByteOrder order) override {
    std::vector<T> value;
    return read(bytes, order, value) ? memory_of_vector(value) : std::vector<std::uint8_t>();
  }

 private:
  static bool read(ByteView bytes, ByteOrder order, std::vector<T>& into) {
    cdr::Reader in(bytes, {.order = order});
    Moves::get(in, into);
    return in.good();
  }

  std::vector<T> sample_;
  std::vector<T> kept_;
  std::vector<std::uint8_t> before_;
  cdr::Writer writer_;
};

/// Moves<T> for each type there is.
template <template <typename> class Moves>
std::unique_ptr<Coder> make_vector_coder(Type type) {
  switch (type) {
    case Type::short_: return std::make_unique<VectorCoder<std::int16_t, Moves<std::int16_t>>>(type);
    case Type::long_: return std::make_unique<VectorCoder<std::int32_t, Moves<std::int32_t>>>(type);
    case Type::char_: return std::make_unique<VectorCoder<char, Moves<char>>>(type);
    case Type::octet_: return std::make_unique<VectorCoder<std::uint8_t, Moves<std::uint8_t>>>(type);
    case Type::double_: return std::make_unique<VectorCoder<double, Moves<double>>>(type);
    case Type::boolean: return std::make_unique<VectorCoder<bool, Moves<bool>>>(type);
    case Type::binstruct: break;
  }
  using Struct = ::BenchMarshal::BinStruct;
  return std::make_unique<VectorCoder<Struct, Moves<Struct>>>(type);
}

}  // namespace tenon::bench
