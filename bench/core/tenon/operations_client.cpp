// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of operations.idl; commands on standard input (bench/raw/blocks.hpp):
//   pingpong COUNT NAME         the operation of that name, timed  -> "P50 P99" nanoseconds
//   calls COUNT NAME            the same without a clock
// The name is what travels: with a table that understands numbers it may be one. "first" and "last" stand for the stubs of op_00 and op_99, which
// send what these were compiled for and the reference offers.
//
// Threads: one.

#include <tenon/tenon.hpp>

#include "bench/raw/blocks.hpp"
#include "operations.hpp"
#include "tests/interop/tenon/with_orb.hpp"

namespace {

std::string repeat(std::string_view command, std::size_t count, const auto& call) {
  if (command == "pingpong") return blocks::time_calls(count, call);
  if (command != "calls") return "";
  for (std::size_t i = 0; i < count; ++i) call();
  return "done";
}

}  // namespace

int main(int argc, char** argv) {
  return program::with_orb("client", argc, argv, [](const auto& orb, const program::Options& options) {
    const auto object = IDL::traits<BenchCore::Operations>::unchecked_narrow(
        orb->string_to_object(program::read_reference(options.ior)));
    return blocks::serve_commands([&](const blocks::Words& words) -> std::string {
      if (words.size() != 3) return "";
      const std::size_t count = blocks::number(words, 1);
      const tenon::gen::Operation operation{.name = words[2], .has_arguments = false};
      if (words[2] == "first") return repeat(words[0], count, [&] { object->op_00(); });
      if (words[2] == "last") return repeat(words[0], count, [&] { object->op_99(); });
      return repeat(words[0], count, [&] {
        tenon::gen::call(*object, operation, tenon::gen::put_nothing, tenon::gen::get_nothing);
      });
    });
  });
}
