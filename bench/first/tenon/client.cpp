// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of bench.idl; commands on standard input (bench/raw/blocks.hpp):
//   pingpong COUNT                        noop, timed  -> "P50 P99" nanoseconds
//   threads COUNT T                       noop, COUNT by T threads together -> calls a second
//   calls COUNT | small COUNT             noop or exchange, no clock
//   values COUNT                          what small's values themselves cost, without a call
//   flood TYPE OCTETS COUNT               TYPE binstruct, char, double, octet, short or long -> MB/s of sequence elements
//   buffered OCTETS COUNT                 flood of char, kept back and sent together -> MB/s of sequence elements
//
// Threads: one, and those of the command `threads`.

#include <tenon/messaging.hpp>
#include <tenon/tenon.hpp>

#include "bench.hpp"
#include "bench/raw/blocks.hpp"
#include "tests/interop/tenon/with_orb.hpp"

namespace {

using Bench = IDL::traits<BenchFirst::Bench>;

template <class T>
std::string flood(const Bench::ref_type& bench, void (BenchFirst::Bench::*operation)(const std::vector<T>&),
                  std::size_t octets, std::size_t count) {
  const std::vector<T> values(octets / sizeof(T), T{});
  const std::uint64_t all = count * values.size() * sizeof(T);
  bench->flush();
  const std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i < count; ++i) (bench.get()->*operation)(values);
  const std::uint64_t received = bench->flush();
  const std::uint64_t end = blocks::now_ns();
  if (received != all) return "error the server received " + std::to_string(received);
  return blocks::rate(all, end - begin);
}

std::string small_calls(const Bench::ref_type& bench, std::size_t count) {
  BenchFirst::Small value{1, 2.5, 3};
  std::string text = "short text";
  for (std::size_t i = 0; i < count; ++i) {
    Bench::ref_type self;
    value = bench->exchange(value, text, self);
  }
  return "done";
}

// A reference to an object is the one value of exchange() that lives on the heap: made from text here.
std::string small_values(CORBA::ORB& orb, const std::string& reference, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = "short text";
    auto self = Bench::unchecked_narrow(orb.string_to_object(reference));
    if (!self || text.empty()) return "error no reference";
  }
  return "done";
}

std::string run(CORBA::ORB& orb, const Bench::ref_type& bench, const std::string& reference,
                const blocks::Words& words) {
  const std::size_t count = blocks::number(words, 1);
  if (words[0] == "pingpong") return blocks::time_calls(count, [&] { bench->noop(); });
  if (words[0] == "threads") {
    return blocks::calls_per_second(blocks::number(words, 2), count, [&] { return [&] { bench->noop(); }; });
  }
  if (words[0] == "small") return small_calls(bench, count);
  if (words[0] == "values") return small_values(orb, reference, count);
  if (words[0] == "calls") {
    for (std::size_t i = 0; i < count; ++i) bench->noop();
    return "done";
  }
  if (words[0] == "buffered") {
    const auto buffered = Bench::narrow(bench->_set_policy_overrides(
        {tenon::create_sync_scope_policy(Messaging::SYNC_NONE)}, CORBA::SetOverrideType::ADD_OVERRIDE));
    return flood(buffered, &BenchFirst::Bench::flood_char, count, blocks::number(words, 2));
  }
  if (words[0] != "flood" || words.size() != 4) return "";
  const std::size_t octets = blocks::number(words, 2);
  const std::size_t messages = blocks::number(words, 3);
  if (words[1] == "binstruct") return flood(bench, &BenchFirst::Bench::flood_binstruct, octets, messages);
  if (words[1] == "char") return flood(bench, &BenchFirst::Bench::flood_char, octets, messages);
  if (words[1] == "double") return flood(bench, &BenchFirst::Bench::flood_double, octets, messages);
  if (words[1] == "octet") return flood(bench, &BenchFirst::Bench::flood_octet, octets, messages);
  if (words[1] == "short") return flood(bench, &BenchFirst::Bench::flood_short, octets, messages);
  if (words[1] == "long") return flood(bench, &BenchFirst::Bench::flood_long, octets, messages);
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  return program::with_orb("client", argc, argv, [](const auto& orb, const program::Options& options) {
    const std::string reference = program::read_reference(options.ior);
    const auto bench = Bench::narrow(orb->string_to_object(reference));
    if (!bench) return 2;
    return blocks::serve_commands(
        [&](const blocks::Words& words) { return run(*orb, bench, reference, words); });
  });
}
