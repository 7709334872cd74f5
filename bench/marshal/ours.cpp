// SPDX-License-Identifier: Apache-2.0
//
// Ours: the TypeCode of sequence<T>, compiled once into a marshal program; the same engine that interpreted stubs call.
#include "marshal/typecodes/compile.hpp"
#include "types/typecode_cdr.hpp"
#include "vector_coder.hpp"

namespace tenon::bench {
namespace {

template <typename T>
constexpr Type type_of = Type::binstruct;
template <>
constexpr Type type_of<std::int16_t> = Type::short_;
template <>
constexpr Type type_of<std::int32_t> = Type::long_;
template <>
constexpr Type type_of<char> = Type::char_;
template <>
constexpr Type type_of<std::uint8_t> = Type::octet_;
template <>
constexpr Type type_of<double> = Type::double_;
template <>
constexpr Type type_of<bool> = Type::boolean;

Ref<const marshal::Program> program_of(Type type) {
  const std::vector<std::uint8_t> octets = sequence_typecode(type);
  cdr::Reader in(octets, {});
  return *marshal::compile(types::read(in));
}

template <typename T>
struct Interpreted {
  static const marshal::Program& program() {
    static const Ref<const marshal::Program> made = program_of(type_of<T>);
    return *made;
  }
  static void put(cdr::Writer& out, const std::vector<T>& values) {
    marshal::encode(program().unit(), program().root(), out, &values);
  }
  static void get(cdr::Reader& in, std::vector<T>& values) {
    marshal::decode(program().unit(), program().root(), in, &values);
  }
};

}  // namespace

std::unique_ptr<Coder> make_ours(Type type) { return make_vector_coder<Interpreted>(type); }

}  // namespace tenon::bench
