// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of core.idl; commands on standard input (bench/raw/blocks.hpp):
//   populate N                  makes N objects in the server, and here references to some of them, drawn at random
//   object_calls COUNT N        noop of one after the other of these
//   references N K FILE         writes references to K objects drawn from the N, a line each
//   nested_calls COUNT DEPTH 0|1        noop of an object in so many POAs; 1: persistent ones
//
// However many objects there are, the client walks through as many references: what differs is the server's.
//
// Threads: one.

#include <map>
#include <random>
#include <tenon/tenon.hpp>

#include "bench/raw/blocks.hpp"
#include "core.hpp"
#include "tests/interop/tenon/with_orb.hpp"

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
    if (words[0] == "references" && words.size() == 4)
      return references(static_cast<std::uint32_t>(count), second, words[3]);
    if (words[0] == "object_calls") return object_calls(count, second);
    if (words[0] != "nested_calls") return "";
    const TargetRef target = control_->nested(second, blocks::number(words, 3) != 0);
    for (std::size_t i = 0; i < count; ++i) target->noop();
    return "done";
  }

 private:
  static constexpr std::size_t walk_length = 4000;

  std::string populate(std::uint32_t size) {
    constexpr std::uint32_t at_once = 10000;
    for (std::uint32_t made = 0; made < size; made += at_once) {
      control_->add_objects(size, std::min(at_once, size - made));
    }
    std::mt19937 random(size);
    std::vector<TargetRef>& walk = walks_[size];
    for (std::size_t i = 0; i < walk_length; ++i) {
      // By way of text: each is a reference of its own, as those of different objects are.
      const std::string text = orb_.object_to_string(drawn(size, random));
      walk.push_back(IDL::traits<BenchCore::Target>::unchecked_narrow(orb_.string_to_object(text)));
    }
    return "done";
  }

  std::string object_calls(std::size_t count, std::uint32_t size) {
    const auto walk = walks_.find(size);
    if (walk == walks_.end()) return "error populate it first";
    for (std::size_t i = 0; i < count; ++i) walk->second[i % walk_length]->noop();
    return "done";
  }

  std::string references(std::uint32_t size, std::uint32_t number, const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) return "error cannot write " + path;
    std::mt19937 random(size);
    for (std::uint32_t i = 0; i < number; ++i) {
      std::fprintf(file, "%s\n", orb_.object_to_string(drawn(size, random)).c_str());
    }
    return std::fclose(file) == 0 ? "done" : "error cannot write " + path;
  }

  TargetRef drawn(std::uint32_t size, std::mt19937& random) {
    return control_->object_at(size, static_cast<std::uint32_t>(random() % size));
  }

  CORBA::ORB& orb_;
  const ControlRef control_;
  std::map<std::uint32_t, std::vector<TargetRef>> walks_;
};

}  // namespace

int main(int argc, char** argv) {
  return program::with_orb("client", argc, argv, [](const auto& orb, const program::Options& options) {
    const std::string reference = program::read_reference(options.ior);
    const auto control = IDL::traits<BenchCore::Control>::narrow(orb->string_to_object(reference));
    if (!control) return 2;
    Caller caller(*orb, control);
    return blocks::serve_commands([&](const blocks::Words& words) { return caller.run(words); });
  });
}
