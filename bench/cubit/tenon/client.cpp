// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of cubit.idl; commands on standard input (bench/raw/blocks.hpp). TYPE: void octet short long struct long_1 long_1024
// octet_4 octet_4096; see_OCTETS is see_octets() of so many.
//   pingpong TYPE COUNT      calls, each answer checked, timed  -> "P50 P99" nanoseconds
//   calls TYPE COUNT         the same without a clock           -> "done"
//   pass OCTETS COUNT        pass_octets() of so many           -> "done"
//   see OCTETS COUNT         see_octets() of so many            -> "done"
//   flood OCTETS COUNT       flood_octets() of so many          -> MB/s of octets
//   copies OCTETS COUNT      so many memcpy() and no call       -> "done"
//
// Threads: one.

#include <cstdlib>
#include <tenon/tenon.hpp>

#include "bench/cubit/values.hpp"
#include "cubit.hpp"
#include "tests/interop/tenon/with_orb.hpp"

namespace {

using Cubit = IDL::traits<BenchCubit::Cubit>;

template <class T>
std::string cube_sequence(const Cubit::ref_type& object, const blocks::Words& words, std::size_t size,
                          std::vector<T> (BenchCubit::Cubit::*operation)(const std::vector<T>&)) {
  const std::vector<T> values = cubit::numbers<T>(size);
  const std::vector<T> expected = cubit::cubes<T>(size);
  return cubit::run(words, [&] { return (object.get()->*operation)(values) == expected; });
}

std::string cube(const Cubit::ref_type& object, const blocks::Words& words) {
  using Servant = BenchCubit::Cubit;
  const std::string& type = words[1];
  const auto run = [&](const auto& call) { return cubit::run(words, call); };
  if (type == "void") {
    return run([&] {
      object->cube_void();
      return true;
    });
  }
  if (type == "octet") return run([&] { return object->cube_octet(5) == 125; });
  if (type == "short") return run([&] { return object->cube_short(30) == 27'000; });
  if (type == "long") return run([&] { return object->cube_long(1'000) == 1'000'000'000; });
  if (type == "struct") {
    const BenchCubit::Many values(5, 1'000, 30);
    const BenchCubit::Many expected(125, 1'000'000'000, 27'000);
    return run([&] { return object->cube_struct(values) == expected; });
  }
  if (type == "long_1") return cube_sequence<std::int32_t>(object, words, 1, &Servant::cube_long_sequence);
  if (type == "long_1024")
    return cube_sequence<std::int32_t>(object, words, 1'024, &Servant::cube_long_sequence);
  if (type == "octet_4") return cube_sequence<std::uint8_t>(object, words, 4, &Servant::cube_octet_sequence);
  if (type == "octet_4096")
    return cube_sequence<std::uint8_t>(object, words, 4'096, &Servant::cube_octet_sequence);
  if (type.starts_with("see_")) {
    const auto values = cubit::numbers<std::uint8_t>(std::strtoul(type.c_str() + 4, nullptr, 10));
    return run([&] { return object->see_octets(values) == values.size(); });
  }
  return "";
}

std::string pass(const Cubit::ref_type& object, std::size_t octets, std::size_t count) {
  const std::vector<std::uint8_t> sent = cubit::numbers<std::uint8_t>(octets);
  std::vector<std::uint8_t> values = sent;
  const std::string took = blocks::time_calls(count, [&] { object->pass_octets(values); });
  return values == sent ? took : "error the octets came back changed";
}

std::string see(const Cubit::ref_type& object, std::size_t octets, std::size_t count) {
  const std::vector<std::uint8_t> sent = cubit::numbers<std::uint8_t>(octets);
  std::size_t seen = 0;
  const std::string took = blocks::time_calls(count, [&] { seen += object->see_octets(sent); });
  return seen == octets * count ? took : "error not all octets were seen";
}

std::string flood(const Cubit::ref_type& object, std::size_t octets, std::size_t count) {
  const auto values = cubit::numbers<std::uint8_t>(octets);
  object->flush();
  const std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i < count; ++i) object->flood_octets(values);
  const std::uint64_t received = object->flush();
  const std::uint64_t end = blocks::now_ns();
  if (received != octets * count) return "error the server received " + std::to_string(received);
  return blocks::rate(received, end - begin);
}

std::string answer(const Cubit::ref_type& object, const blocks::Words& words) {
  if (words.size() != 3) return "";
  if (words[0] == "pass") return pass(object, blocks::number(words, 1), blocks::number(words, 2));
  if (words[0] == "see") return see(object, blocks::number(words, 1), blocks::number(words, 2));
  if (words[0] == "flood") return flood(object, blocks::number(words, 1), blocks::number(words, 2));
  if (words[0] == "copies") return cubit::copies(blocks::number(words, 1), blocks::number(words, 2));
  return cube(object, words);
}

}  // namespace

int main(int argc, char** argv) {
  return program::with_orb("client", argc, argv, [](const auto& orb, const program::Options& options) {
    const auto object = Cubit::narrow(orb->string_to_object(program::read_reference(options.ior)));
    if (!object) return 2;
    return blocks::serve_commands([&](const blocks::Words& words) { return answer(object, words); });
  });
}
