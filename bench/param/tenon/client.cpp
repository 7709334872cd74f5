// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of param.idl and echo.idl; commands on standard input (bench/raw/blocks.hpp). TYPE: short ubstring fixed_struct
// strseq var_struct nested_struct struct_seq, or echo for the plain echo of a sequence of structs.
//   pingpong TYPE COUNT      timed calls                     -> "P50 P99" nanoseconds
//   calls TYPE COUNT         the same without a clock        -> "done"
//   values TYPE COUNT        the values that such calls make on both sides, without a call
// Built once with compiled and once with interpreted stubs.
//
// Threads: one.

#include <tenon/tenon.hpp>

#include "bench/raw/blocks.hpp"
#include "echo.hpp"
#include "operations.hpp"
#include "tests/interop/tenon/with_orb.hpp"

namespace {

using ParamTest = IDL::traits<Param::ParamTest>;
using Echo = IDL::traits<Param::Echo>;

// What one call makes of values. Assigning over a value that exists already allocates nothing here.
template <class T>
void make_values(const T& sample) {
  // NOLINTBEGIN(performance-unnecessary-copy-initialization): the copies are what is measured
  [[maybe_unused]] const T client_inout = sample;
  [[maybe_unused]] const T server_in = sample;
  [[maybe_unused]] const T server_inout = sample;
  [[maybe_unused]] const T server_out = sample;
  [[maybe_unused]] const T server_result = sample;
  [[maybe_unused]] const T client_out = sample;
  [[maybe_unused]] const T client_result = sample;
  // NOLINTEND(performance-unnecessary-copy-initialization)
}

template <class Call, class Values>
std::string run(const blocks::Words& words, const Call& call, const Values& values) {
  const std::size_t count = blocks::number(words, 2);
  if (words[0] == "pingpong") return blocks::time_calls(count, call);
  if (words[0] == "values") {
    for (std::size_t i = 0; i < count; ++i) values();
    return "done";
  }
  if (words[0] != "calls") return "";
  for (std::size_t i = 0; i < count; ++i) call();
  return "done";
}

// The four ways of one type. What comes back must be what was sent, once for each block.
template <class T, class Operation>
std::string four_ways(const ParamTest::ref_type& object, const blocks::Words& words, const T& sample,
                      const Operation& operation) {
  const auto call = [&] {
    T inout = sample;
    T out{};
    [[maybe_unused]] const T result = operation(*object, sample, inout, out);
  };
  T inout{};
  T out{};
  if (operation(*object, sample, inout, out) != sample || inout != sample || out != sample) {
    return "error the values came back changed";
  }
  return run(words, call, [&] { make_values(sample); });
}

std::string answer(const ParamTest::ref_type& object, const Echo::ref_type& echo,
                   const blocks::Words& words) {
  if (words.size() != 3) return "";
  if (words[1] != "echo") {
    return param::with_type(words[1], [&](const auto& sample, const auto& operation) {
      return four_ways(object, words, sample, operation);
    });
  }
  const auto sample = param::struct_seq();
  return run(
      words, [&] { echo->echo_seq(sample); },
      [&] {
        // NOLINTBEGIN(performance-unnecessary-copy-initialization): the same
        [[maybe_unused]] const auto server_in = sample;
        [[maybe_unused]] const auto server_result = sample;
        [[maybe_unused]] const auto client_result = sample;
        // NOLINTEND(performance-unnecessary-copy-initialization)
      });
}

}  // namespace

int main(int argc, char** argv) {
  return program::with_orb("client", argc, argv, [](const auto& orb, const program::Options& options) {
    const std::string both = program::read_reference(options.ior);
    const std::size_t line = both.find('\n');
    if (line == std::string::npos) return 2;
    const auto object = ParamTest::narrow(orb->string_to_object(both.substr(0, line)));
    const auto echo = Echo::narrow(orb->string_to_object(both.substr(line + 1)));
    if (!object || !echo) return 2;
    return blocks::serve_commands([&](const blocks::Words& words) { return answer(object, echo, words); });
  });
}
