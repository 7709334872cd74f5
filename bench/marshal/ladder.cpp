// SPDX-License-Identifier: Apache-2.0
//
// The program that bench/ladder/run and bench/marshal/run drive.
//
//   ladder rungs                         name and description of each
//   ladder time ROUNDS                   a line per round, type and rung: TYPE RUNG MARSHAL UNMARSHAL, ns of processor time a pass
//   ladder moves ROUNDS                  a line per round and type: TYPE KIND MOVE, ns a pass, of memcpy, ours and compiled
//   ladder pass TYPE RUNG SIDE COUNT     COUNT passes of SIDE (marshal, unmarshal) for tools that count; prints nothing
//
// A pass moves 64 KiB. Rungs are interleaved within a round, every other round backwards.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "coder.hpp"

namespace tenon::bench {
namespace {

constexpr std::uint64_t block_ns = 400'000;

[[noreturn]] void give_up(std::string_view what) {
  std::fprintf(stderr, "ladder: %.*s\n", static_cast<int>(what.size()), what.data());
  std::exit(1);
}

/// Of this thread: what others run meanwhile on the same processor does not count.
std::uint64_t processor_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

template <typename Pass>
std::uint64_t time_of(Pass&& pass, std::uint64_t count) {
  const std::uint64_t begin = processor_ns();
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!pass()) give_up("a pass failed");
  }
  return std::max<std::uint64_t>(processor_ns() - begin, 1);
}

/// Nanoseconds a pass: two warm up and tell how many passes fill a block of time.
template <typename Pass>
double time_passes(Pass&& pass) {
  const std::uint64_t count = std::max<std::uint64_t>(2 * block_ns / time_of(pass, 2), 1);
  return static_cast<double>(time_of(pass, count)) / static_cast<double>(count);
}

/// How many places for a message there are within a page.
constexpr std::size_t places = 512;

/// Bytes at an address that every type may have, as messages have them, in memory for a page more: `words` of 8 bytes behind its
/// beginning.
class Message {
 public:
  explicit Message(ByteView bytes, std::size_t words = 0)
      : words_(places + bytes.size() / 8 + 1), before_(words), size_(bytes.size()) {
    std::memcpy(words_.data() + before_, bytes.data(), size_);
  }
  ByteView bytes() const { return {reinterpret_cast<const std::uint8_t*>(words_.data() + before_), size_}; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t before_;
  std::size_t size_;
};

struct Entrant {
  std::string name;
  std::unique_ptr<Coder> coder;
};

std::vector<Entrant> entrants(Type type, std::span<const std::string_view> names = {}) {
  std::vector<Entrant> made;
  for (const Rung& rung : rungs()) {
    if (names.empty() || std::find(names.begin(), names.end(), rung.name) != names.end()) {
      made.push_back({std::string(rung.name), rung.make(type)});
    }
  }
  return made;
}

template <typename Measure>
void interleave(std::vector<Entrant>& all, std::size_t rounds, Measure&& measure) {
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) measure(all[round % 2 == 0 ? i : all.size() - 1 - i]);
  }
}

Message message_of(Coder& coder, ByteOrder order, std::size_t words = 0) {
  const ByteView bytes = coder.encode(order);
  if (bytes.empty()) give_up("encoding failed");
  return Message(bytes, words);
}

int time_rungs(std::size_t rounds) {
  for (std::size_t t = 0; t < ttcp_types; ++t) {
    const auto [type, name, size] = types[t];
    std::vector<Entrant> all = entrants(type);
    const Message message = message_of(*make_compiled(type), native_order);
    interleave(all, rounds, [&, shown = name](Entrant& one) {
      const double marshal = time_passes([&] { return !one.coder->encode(native_order).empty(); });
      const double unmarshal = time_passes([&] { return one.coder->decode(message.bytes(), native_order); });
      std::printf("%s %s %.2f %.2f\n", std::string(shown).c_str(), one.name.c_str(), marshal, unmarshal);
    });
  }
  return 0;
}

int time_moves(std::size_t rounds) {
  static constexpr std::string_view names[] = {"ours", "compiled", "memcpy"};
  constexpr ByteOrder foreign = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
  std::minstd_rand random;
  for (const auto& [type, name, size] : types) {
    std::vector<Entrant> all = entrants(type, names);
    const std::unique_ptr<Coder> writer = make_compiled(type);
    interleave(all, rounds, [&, shown = name](Entrant& one) {
      Coder& coder = *one.coder;
      // How source and destination lie to each other within a page is worth a third of memcpy's speed on some processors: each
      // measurement draws its own place, so that it is not the luck of a run.
      const std::size_t place = random() % places;
      const Message same = message_of(*writer, native_order, place);
      const Message swapped = message_of(*writer, foreign, place);
      coder.begin_behind(place % 64);
      const auto tell = [&](const char* what, double ns) {
        std::printf("%s %s %s %.2f\n", std::string(shown).c_str(), one.name.c_str(), what, ns);
      };
      if (one.name == "memcpy")
        return tell("copy", time_passes([&] { return coder.decode(same.bytes(), native_order); }));
      tell("marshal", time_passes([&] { return !coder.encode(native_order).empty(); }));
      tell("marshal_swapped", time_passes([&] { return !coder.encode(foreign).empty(); }));
      tell("unmarshal", time_passes([&] { return coder.decode(same.bytes(), native_order); }));
      tell("unmarshal_reused", time_passes([&] { return coder.decode_again(same.bytes(), native_order); }));
      tell("unmarshal_swapped", time_passes([&] { return coder.decode(swapped.bytes(), foreign); }));
      tell("unmarshal_swapped_reused",
           time_passes([&] { return coder.decode_again(swapped.bytes(), foreign); }));
    });
  }
  return 0;
}

/// Apart from everything else, so that a tool can start to count here.
[[gnu::noinline]] void counted_passes(Coder& coder, bool marshal, ByteView message, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (marshal ? coder.encode(native_order).empty() : !coder.decode(message, native_order)) {
      give_up("a pass failed");
    }
  }
}

int pass(std::string_view type_name, std::string_view rung, std::string_view side, std::size_t count) {
  for (const auto& [type, name, size] : types) {
    if (name != type_name) continue;
    std::vector<Entrant> found = entrants(type, {&rung, 1});
    if (found.empty()) give_up("no such rung");
    const Message message = message_of(*make_compiled(type), native_order);
    counted_passes(*found.front().coder, side == "marshal", message.bytes(), count);
    return 0;
  }
  give_up("no such type");
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  using namespace tenon::bench;
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto number = [&](std::size_t at) { return std::strtoul(words[at].c_str(), nullptr, 10); };
  if (words.size() == 1 && words[0] == "rungs") {
    for (const Rung& rung : rungs())
      std::printf("%s %s\n", std::string(rung.name).c_str(), std::string(rung.what).c_str());
    return 0;
  }
  if (words.size() == 2 && words[0] == "time") return time_rungs(number(1));
  if (words.size() == 2 && words[0] == "moves") return time_moves(number(1));
  if (words.size() == 5 && words[0] == "pass") return pass(words[1], words[2], words[3], number(4));
  give_up("usage: ladder rungs | time ROUNDS | moves ROUNDS | pass TYPE RUNG SIDE COUNT");
}
