// SPDX-License-Identifier: Apache-2.0
//
// All ways to run a type against the naive codec, for random types and values: every phase, both byte orders, GIOP 1.1 and 1.2,
// every cut into fragments. What fails is printed as the smallest type and value that still fail.
//
// EQUALITY_SEED=n runs that seed alone, EQUALITY_SEEDS=n so many.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/hex.hpp"
#include "giop/fragments.hpp"
#include "tests/equality/random_type.hpp"
#include "tests/equality/random_value.hpp"
#include "tests/equality/shrink.hpp"
#include "tests/equality/ways.hpp"
#include "types/create.hpp"

namespace tenon::equality {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

Wire wire_of(std::size_t number) {
  return {.order = (number & 8) != 0 ? ByteOrder::little : ByteOrder::big,
          .giop_minor = static_cast<std::uint8_t>((number & 16) != 0 ? 1 : 2),
          .phase = number & 7};
}
constexpr std::size_t wires = 32;

std::string described(const Way& way, const Message& from, const Wire& to, const Outcome& outcome,
                      const Bytes& wanted) {
  std::string out = std::string(way.name) + ", GIOP 1." + std::to_string(from.wire.giop_minor) + " phase " +
                    std::to_string(from.wire.phase) + " to GIOP 1." + std::to_string(to.giop_minor) +
                    " phase " + std::to_string(to.phase) + "\n";
  for (const cdr::Restart& restart : from.restarts)
    out += "  fragment at " + std::to_string(restart.offset) + "\n";
  out += "  read:\n" + hex_dump(from.bytes) + "\n  wanted:\n" + hex_dump(wanted) + "\n";
  return out +
         (outcome.error.empty() ? "  written:\n" + hex_dump(outcome.bytes) : "  error: " + outcome.error) +
         "\n";
}

/// What is wrong, or nothing.
std::string check(const Sample& sample, const Message& from, const Wire& to) {
  const std::optional<Data> back = naive_decode(*sample.type, from);
  if (!back || !(*back == sample.data)) return "the naive codec does not read what it wrote";
  const Message wanted = naive_encode(*sample.type, sample.data, to);
  for (const Way& way : ways()) {
    const Outcome outcome = way.run(sample.type, from, to);
    if (!outcome.error.empty() || outcome.bytes != wanted.bytes)
      return described(way, from, to, outcome, wanted.bytes);
  }
  return {};
}

std::string check_wires(const Sample& sample) {
  for (std::size_t number = 0; number < wires; ++number) {
    const Message from = naive_encode(*sample.type, sample.data, wire_of(number));
    for (const std::size_t step : {0u, 11u, 21u}) {
      const std::string wrong = check(sample, from, wire_of((number + step) % wires));
      if (!wrong.empty()) return wrong;
    }
  }
  return {};
}

/// GIOP 1.1: one cut at every octet, and a second one somewhere behind it.
std::string check_cuts(const Sample& sample) {
  for (const std::size_t number : {16u, 27u}) {
    const Wire wire = wire_of(number);
    const std::size_t size = naive_encode(*sample.type, sample.data, wire).bytes.size();
    const std::size_t step = 1 + size / 150;
    for (std::size_t cut = 1; cut < size; cut += step) {
      const std::size_t cuts[] = {cut, cut + 1 + (cut * 7) % 40};
      const Message from = naive_encode(*sample.type, sample.data, wire, cuts);
      const std::string wrong = check(sample, from, wire_of(cut % wires));
      if (!wrong.empty()) return wrong;
    }
  }
  return {};
}

/// GIOP 1.2: a request with this body in as many fragments as may be, joined again.
std::string check_joined(const Sample& sample, Random& random) {
  const Wire wire{.order = random.once_in(2) ? ByteOrder::big : ByteOrder::little};
  const Message whole = naive_encode(*sample.type, sample.data, wire);
  const auto message = [&](std::uint8_t type, bool more, ByteView octets) {
    cdr::Writer out(wire.format());
    out.put_octets(ByteView(reinterpret_cast<const std::uint8_t*>("GIOP\x01\x02"), 6));
    out.put(static_cast<std::uint8_t>((wire.order == ByteOrder::little ? 1 : 0) | (more ? 2 : 0)));
    out.put(type);
    out.put(static_cast<std::uint32_t>(octets.size() + 4));
    out.put(std::uint32_t{7});  // request id
    out.put_octets(octets);
    return out.copy();
  };
  // the request id ends at position 16; fragments are multiples of 8
  giop::Assembler assembler;
  giop::Assembled joined;
  std::size_t done = 0;
  std::uint8_t type = 0;  // Request, then Fragment
  while (true) {
    const std::size_t left = whole.bytes.size() - done;
    std::size_t take = std::min(left, 8 * (1 + random.below(4)));
    if (type == 0 && take == left) take -= take % 8;  // never whole at once
    const bool more = take != left || type == 0;
    const Bytes octets = message(type, more, ByteView(whole.bytes).subspan(done, take));
    const giop::HeaderResult header = giop::parse_header(octets.data(), 1u << 20);
    if (!header) return "a header that is refused";
    const auto result = assembler.add(*header, ByteView(octets).subspan(12), joined);
    if (!result) return "a fragment that is refused";
    done += take;
    type = 7;
    if (*result == giop::Joined::complete) break;
    if (left == 0) return "fragments that do not end";
  }
  const ByteView body = joined.body().subspan(4);
  if (!std::equal(body.begin(), body.end(), whole.bytes.begin(), whole.bytes.end()))
    return "joined differently";
  return check(sample, {wire, Bytes(body.begin(), body.end()), {}}, wire_of(random.below(wires)));
}

/// As it is, and in an any, which other code writes and keeps.
Sample in_an_any(const Sample& sample) {
  Data data;
  data.type = sample.type;
  data.parts.push_back(sample.data);
  return {types::basic(types::Kind::tk_any), std::move(data)};
}

template <typename Check>
void for_random_samples(std::uint64_t seeds, const TypeChoice& choice, Check check_one) {
  const std::uint64_t only = from_environment("EQUALITY_SEED", 0);
  const std::uint64_t first = only != 0 ? only : 1;
  const std::uint64_t last = only != 0 ? only : from_environment("EQUALITY_SEEDS", seeds);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    Random random(seed);
    const types::TypeRef type = random_type(random, choice);
    for (int values = 0; values < 2; ++values) {
      Sample sample{type, random_value(random, *type)};
      if (values == 1) sample = in_an_any(sample);
      if (check_one(sample).empty()) continue;
      const Sample smallest = shrunk(sample, [&](const Sample& other) { return !check_one(other).empty(); });
      FAIL() << "EQUALITY_SEED=" << seed << "\n" << text(smallest) << "\n" << check_one(smallest);
    }
  }
}

TEST(Equality, EveryPhaseOrderAndVersion) { for_random_samples(150, {}, check_wires); }

TEST(Equality, Values) { for_random_samples(120, {.values = true}, check_wires); }

void count(const Data& data, std::size_t& values, std::size_t& shared) {
  if (data.value != 0) ++(data.again ? shared : values);
  for (const Data& part : data.parts) count(part, values, shared);
}

TEST(Equality, ValuesAreSharedAndInChunks) {
  std::size_t values = 0;
  std::size_t shared = 0;
  std::size_t chunked = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Random random(seed);
    const types::TypeRef type = random_type(random, {.values = true});
    const Data data = random_value(random, *type);
    count(data, values, shared);
    const Bytes bytes = naive_encode(*type, data, {}).bytes;
    const Bytes head{0x7F, 0xFF, 0xFF, 0x0E};
    if (std::search(bytes.begin(), bytes.end(), head.begin(), head.end()) != bytes.end()) ++chunked;
  }
  EXPECT_GT(values, 50u);
  EXPECT_GT(shared, 20u);
  EXPECT_GT(chunked, 5u);
}

TEST(Equality, EveryCutOfGiop11) { for_random_samples(40, {.depth = 3}, check_cuts); }

TEST(Equality, CutsOfGiop12) {
  for_random_samples(300, {}, [](const Sample& sample) {
    Random random(sample.data.parts.size() + 1);
    return check_joined(sample, random);
  });
}

}  // namespace
}  // namespace tenon::equality
