// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client of cubit.idl; commands on standard input (bench/raw/blocks.hpp), as those of the client beside it:
//   pingpong TYPE COUNT | calls TYPE COUNT | pass OCTETS COUNT
//
// Threads: one.

#include "bench/cubit/values.hpp"
#include "cubit.hh"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

template <class Seq, class T>
Seq sequence_of(const std::vector<T>& values) {
  Seq made;
  made.length(static_cast<CORBA::ULong>(values.size()));
  std::memcpy(made.get_buffer(), values.data(), values.size() * sizeof(T));
  return made;
}

template <class Seq, class T>
bool holds(const Seq& got, const std::vector<T>& expected) {
  return got.length() == expected.size() &&
         std::memcmp(got.get_buffer(), expected.data(), expected.size() * sizeof(T)) == 0;
}

template <class Var, class T, class Seq>
std::string cube_sequence(BenchCubit::Cubit_ptr object, const blocks::Words& words, std::size_t size,
                          Seq* (BenchCubit::_objref_Cubit::*operation)(const Seq&)) {
  const Seq values = sequence_of<Seq>(cubit::numbers<T>(size));
  const std::vector<T> expected = cubit::cubes<T>(size);
  return cubit::run(words, [&] {
    const Var got = (object->*operation)(values);
    return holds(got.in(), expected);
  });
}

std::string cube(BenchCubit::Cubit_ptr object, const blocks::Words& words) {
  using Ref = BenchCubit::_objref_Cubit;
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
    const BenchCubit::Many values{5, 1'000, 30};
    return run([&] {
      const BenchCubit::Many got = object->cube_struct(values);
      return got.o == 125 && got.l == 1'000'000'000 && got.s == 27'000;
    });
  }
  const auto longs = [&](std::size_t size) {
    return cube_sequence<BenchCubit::LongSeq_var, CORBA::Long>(object, words, size, &Ref::cube_long_sequence);
  };
  const auto octets = [&](std::size_t size) {
    return cube_sequence<BenchCubit::OctetSeq_var, CORBA::Octet>(object, words, size,
                                                                 &Ref::cube_octet_sequence);
  };
  if (type == "long_1") return longs(1);
  if (type == "long_1024") return longs(1'024);
  if (type == "octet_4") return octets(4);
  if (type == "octet_4096") return octets(4'096);
  return "";
}

std::string pass(BenchCubit::Cubit_ptr object, std::size_t octets, std::size_t count) {
  const auto sent = cubit::numbers<CORBA::Octet>(octets);
  auto values = sequence_of<BenchCubit::OctetSeq>(sent);
  for (std::size_t i = 0; i < count; ++i) object->pass_octets(values);
  return holds(values, sent) ? "done" : "error the octets came back changed";
}

std::string answer(BenchCubit::Cubit_ptr object, const blocks::Words& words) {
  if (words.size() != 3) return "";
  if (words[0] == "pass") return pass(object, blocks::number(words, 1), blocks::number(words, 2));
  return cube(object, words);
}

}  // namespace

int main(int argc, char** argv) {
  return peer::client_main(peer::parse(argc, argv), [](CORBA::ORB_ptr orb, const std::string& reference) {
    BenchCubit::Cubit_var object = peer::object_of<BenchCubit::Cubit>(orb, reference);
    return blocks::serve_commands([&](const blocks::Words& words) { return answer(object, words); });
  });
}
