// SPDX-License-Identifier: Apache-2.0
//
// A client of bench.idl whose server is its own process; commands on standard input (bench/raw/blocks.hpp):
//   calls COUNT | small COUNT             noop or exchange, through the stub
//   direct COUNT | small_direct COUNT     the same as virtual calls of the servant
//
// Options as the client has them; a reference (--ior) is not read. Threads: one that works, and the ORB's, which have nothing to do.

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "bench/raw/blocks.hpp"
#include "bench_skel.hpp"
#include "tests/interop/tenon/with_orb.hpp"

namespace {

using Bench = IDL::traits<BenchFirst::Bench>;
using Servant = CORBA::servant_traits<BenchFirst::Bench>::base_type;

class BenchServant final : public Servant {
 public:
  void noop() override { ++calls_; }
  BenchFirst::Small exchange(const BenchFirst::Small& value, std::string&, Bench::ref_type& self) override {
    self = self_;
    return value;
  }
  void flood_binstruct(const std::vector<BenchFirst::BinStruct>&) override {}
  void flood_char(const std::vector<char>&) override {}
  void flood_double(const std::vector<double>&) override {}
  void flood_octet(const std::vector<std::uint8_t>&) override {}
  void flood_short(const std::vector<std::int16_t>&) override {}
  void flood_long(const std::vector<std::int32_t>&) override {}
  std::uint64_t flush() override { return calls_; }

  void set_self(Bench::ref_type self) { self_ = std::move(self); }

 private:
  std::uint64_t calls_ = 0;
  Bench::ref_type self_;  // set before the first call
};

template <class Target>
std::string noops(Target& target, std::size_t count) {
  const std::uint64_t before = target.flush();
  for (std::size_t i = 0; i < count; ++i) target.noop();
  return target.flush() - before == count ? "done" : "error calls were lost";
}

template <class Target>
std::string smalls(Target& target, std::size_t count) {
  BenchFirst::Small value{1, 2.5, 3};
  std::string text = "short text";
  for (std::size_t i = 0; i < count; ++i) {
    Bench::ref_type self;
    value = target.exchange(value, text, self);
  }
  return value.id() == 1 ? "done" : "error the value has changed";
}

std::string run(BenchFirst::Bench& stub, Servant& servant, const blocks::Words& words) {
  const std::size_t count = blocks::number(words, 1);
  if (words[0] == "calls") return noops(stub, count);
  if (words[0] == "direct") return noops(servant, count);
  if (words[0] == "small") return smalls(stub, count);
  if (words[0] == "small_direct") return smalls(servant, count);
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  return program::with_orb("collocated", argc, argv, [](const auto& orb, const program::Options&) {
    auto servant = CORBA::make_reference<BenchServant>();
    // The compiler is not to know which class it calls.
    Servant* volatile target = servant.get();
    const auto stub = tenon::publish<BenchFirst::Bench_skeleton>(orb, servant);
    servant->set_self(stub);
    const int status =
        blocks::serve_commands([&](const blocks::Words& words) { return run(*stub, *target, words); });
    servant->set_self(nullptr);
    return status;
  });
}
