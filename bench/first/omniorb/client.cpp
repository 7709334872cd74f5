// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client of bench.idl; commands on standard input (bench/raw/blocks.hpp):
//   pingpong COUNT              noop, timed              -> "P50 P99" nanoseconds
//   threads COUNT T             noop, COUNT by T threads together -> calls a second
//   calls COUNT | small COUNT   noop or exchange, no clock
//   flood TYPE OCTETS COUNT     TYPE binstruct, char, double, octet, short or long -> MB/s of sequence elements
//
// Threads: one, and those of the command `threads`.

#include "bench.hh"
#include "bench/raw/blocks.hpp"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

using BenchFirst::Bench_ptr;

template <class Seq>
Seq filled(std::size_t octets) {
  Seq values;
  values.length(static_cast<CORBA::ULong>(octets / sizeof(*values.get_buffer())));
  std::memset(static_cast<void*>(values.get_buffer()), 1, octets / sizeof(values[0]) * sizeof(values[0]));
  return values;
}

template <class Seq>
std::string flood(Bench_ptr bench, void (BenchFirst::_objref_Bench::*op)(const Seq&), std::size_t octets,
                  std::size_t count) {
  const Seq values = filled<Seq>(octets);
  const std::uint64_t all = count * values.length() * sizeof(values[0]);
  bench->flush();
  const std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i < count; ++i) (bench->*op)(values);
  // omniORB may let the proof overtake the last oneways: what is missing is asked for again.
  std::uint64_t received = 0;
  while (received < all) received += bench->flush();
  return blocks::rate(all, blocks::now_ns() - begin);
}

std::string small_calls(Bench_ptr bench, std::size_t count) {
  BenchFirst::Small value{1, 2.5, 3};
  CORBA::String_var text = CORBA::string_dup("short text");
  for (std::size_t i = 0; i < count; ++i) {
    BenchFirst::Bench_var self;
    value = bench->exchange(value, text.inout(), self.out());
  }
  return "done";
}

std::string run(Bench_ptr bench, const blocks::Words& words) {
  const std::size_t count = blocks::number(words, 1);
  if (words[0] == "pingpong") return blocks::time_calls(count, [&] { bench->noop(); });
  if (words[0] == "threads") {
    return blocks::calls_per_second(blocks::number(words, 2), count, [&] { return [&] { bench->noop(); }; });
  }
  if (words[0] == "small") return small_calls(bench, count);
  if (words[0] == "calls") {
    for (std::size_t i = 0; i < count; ++i) bench->noop();
    return "done";
  }
  if (words[0] != "flood" || words.size() != 4) return "";
  const std::size_t octets = blocks::number(words, 2);
  const std::size_t messages = blocks::number(words, 3);
  using Ref = BenchFirst::_objref_Bench;
  if (words[1] == "binstruct") return flood(bench, &Ref::flood_binstruct, octets, messages);
  if (words[1] == "char") return flood(bench, &Ref::flood_char, octets, messages);
  if (words[1] == "double") return flood(bench, &Ref::flood_double, octets, messages);
  if (words[1] == "octet") return flood(bench, &Ref::flood_octet, octets, messages);
  if (words[1] == "short") return flood(bench, &Ref::flood_short, octets, messages);
  if (words[1] == "long") return flood(bench, &Ref::flood_long, octets, messages);
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  return peer::client_main(peer::parse(argc, argv), [](CORBA::ORB_ptr orb, const std::string& reference) {
    BenchFirst::Bench_var bench = peer::object_of<BenchFirst::Bench>(orb, reference);
    return blocks::serve_commands([&](const blocks::Words& words) { return run(bench, words); });
  });
}
