// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of cubit.idl. Options: --ior FILE, --idle SECONDS; the rest goes to ORB_init.
//
// Threads: the ORB's.

#include <atomic>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "bench/cubit/values.hpp"
#include "cubit_skel.hpp"
#include "tests/interop/tenon/serve.hpp"

namespace {

using cubit::cube;

class CubitServant final : public CORBA::servant_traits<BenchCubit::Cubit>::base_type {
 public:
  void cube_void() override {}
  std::uint8_t cube_octet(std::uint8_t o) override { return cube(o); }
  std::int16_t cube_short(std::int16_t s) override { return cube(s); }
  std::int32_t cube_long(std::int32_t l) override { return cube(l); }
  BenchCubit::Many cube_struct(const BenchCubit::Many& values) override {
    return BenchCubit::Many(cube(values.o()), cube(values.l()), cube(values.s()));
  }
  std::vector<std::int32_t> cube_long_sequence(const std::vector<std::int32_t>& values) override {
    return cubes_of(values);
  }
  std::vector<std::uint8_t> cube_octet_sequence(const std::vector<std::uint8_t>& values) override {
    return cubes_of(values);
  }
  void pass_octets(std::vector<std::uint8_t>&) override {}
  std::uint32_t see_octets(std::span<const std::uint8_t> values) override {
    return static_cast<std::uint32_t>(values.size());
  }
  void flood_octets(std::span<const std::uint8_t> values) override { received_ += values.size(); }
  std::uint64_t flush() override { return received_.exchange(0); }

 private:
  template <class T>
  static std::vector<T> cubes_of(std::vector<T> values) {
    cubit::cube_all(values.data(), values.size());
    return values;
  }

  std::atomic<std::uint64_t> received_{0};
};

}  // namespace

int main(int argc, char** argv) {
  return program::serve(argc, argv, [](const auto& orb) {
    auto object = tenon::publish(orb, CORBA::make_reference<CubitServant>());
    return orb->object_to_string(object);
  });
}
