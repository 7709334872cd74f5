// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of core.idl; commands on standard input (bench/raw/blocks.hpp):
//   populate N                  makes N objects in the server, and here blocks::Draw::kept references to objects drawn from them
//   objects COUNT N             noop, timed, of one after the other of these     -> "P50 P99" nanoseconds
//   object_calls COUNT N        the same without a clock
//   nested_calls COUNT DEPTH 0|1        noop of an object in so many POAs; 1: persistent ones
//
// However many objects there are, the client walks through as many references: what differs is the server's.
//
// Threads: one.

#include <map>
#include <tenon/tenon.hpp>

#include "bench/raw/blocks.hpp"
#include "core.hpp"
#include "tests/interop/tenon/program.hpp"

namespace {

using TargetRef = CORBA::object_reference<BenchCore::Target>;
using ControlRef = CORBA::object_reference<BenchCore::Control>;

class Caller {
 public:
  Caller(CORBA::ORB& orb, ControlRef control) : orb_(orb), control_(std::move(control)) {}

  std::string run(const blocks::Words& words) {
    const std::size_t count = blocks::number(words, 1);
    const auto second = static_cast<std::uint32_t>(blocks::number(words, 2));
    if (words[0] == "populate") return populate(static_cast<std::uint32_t>(count));
    if (words[0] == "objects" || words[0] == "object_calls") {
      const auto found = walks_.find(second);
      if (found == walks_.end()) return "error populate it first";
      const auto call = [&walk = found->second] {
        walk.targets[walk.at]->noop();
        walk.at = walk.at + 1 == walk.targets.size() ? 0 : walk.at + 1;
      };
      if (words[0] == "objects") return blocks::time_calls(count, call);
      for (std::size_t i = 0; i < count; ++i) call();
      return "done";
    }
    if (words[0] != "nested_calls") return "";
    const TargetRef target = control_->nested(second, blocks::number(words, 3) != 0);
    for (std::size_t i = 0; i < count; ++i) target->noop();
    return "done";
  }

 private:
  struct Walk {
    std::vector<TargetRef> targets;
    std::size_t at = 0;
  };

  std::string populate(std::uint32_t size) {
    constexpr std::uint32_t at_once = 10000;
    for (std::uint32_t made = 0; made < size; made += at_once) {
      control_->add_objects(size, std::min(at_once, size - made));
    }
    Walk& walk = walks_[size];
    blocks::Draw draw(size);
    for (std::size_t i = 0; i < blocks::Draw::kept; ++i) {
      // By way of text: each is a reference of its own, as those of different objects are.
      const std::string text = orb_.object_to_string(control_->object_at(size, draw.next()));
      walk.targets.push_back(IDL::traits<BenchCore::Target>::unchecked_narrow(orb_.string_to_object(text)));
    }
    return "done";
  }

  CORBA::ORB& orb_;
  const ControlRef control_;
  std::map<std::uint32_t, Walk> walks_;
};

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    const std::string reference = program::read_reference(options.ior);
    auto control = IDL::traits<BenchCore::Control>::narrow(orb->string_to_object(reference));
    if (!control) return 2;
    Caller caller(*orb, control);
    const int status = blocks::serve_commands([&](const blocks::Words& words) { return caller.run(words); });
    orb->destroy();
    return status;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "client: %s\n", e.what());
    return 1;
  }
}
