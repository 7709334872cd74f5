// SPDX-License-Identifier: Apache-2.0
//
// The attacked server: prints its reference, serves until it is told to stop. Its options are the ORB's.
#include <malloc.h>

#include <cstdio>
#include <fstream>
#include <tenon/tenon.hpp>

#include "target_skel.hpp"
#include "tests/faults/entries.hpp"

namespace {

std::uint64_t resident_bytes() {
  unsigned long total = 0;
  unsigned long resident = 0;
  std::ifstream file("/proc/self/statm");
  return file >> total >> resident ? resident * 4096UL : 0;
}

class TargetServant final : public CORBA::servant_traits<Hostile::Target>::base_type {
 public:
  explicit TargetServant(CORBA::ORB& orb) : orb_(orb) {}

  std::int32_t add(std::int32_t a, std::int32_t b) override {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
  Hostile::Blob echo(const Hostile::Blob& data) override { return data; }
  std::uint32_t count(const Hostile::Nodes& nodes, const std::wstring& title,
                      CORBA::object_reference<CORBA::Object> who) override {
    return static_cast<std::uint32_t>(nodes.size() + title.size()) + (who ? 1 : 0);
  }
  void note(const Hostile::Names&) override {}
  Hostile::Cost spent() override {
    return Hostile::Cost(tenon::faults::entries_of("/proc/self/task"),
                         tenon::faults::entries_of("/proc/self/fd"), resident_bytes(),
                         orb_._core().options().messaging.memory->used());
  }
  void stop() override { orb_.shutdown(false); }

 private:
  CORBA::ORB& orb_;
};

}  // namespace

int main(int argc, char* argv[]) {
  // Fixed, so that large blocks go back to the system at once and the resident size says what is really held. Left to itself, the
  // allocator of the C library keeps freed megabytes in an arena for each thread.
  ::mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  try {
    const auto orb = CORBA::ORB_init(argc, argv);
    const auto servant = CORBA::make_reference<TargetServant>(*orb);
    const auto target = tenon::publish<Hostile::Target_skeleton>(orb, servant, "target");
    std::printf("%s\n%s\n", orb->object_to_string(target).c_str(), orb->_endpoints().front().c_str());
    std::fflush(stdout);
    orb->run();
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& exception) {
    std::fprintf(stderr, "hostile_server: %s\n", exception.what());
    return 1;
  }
}
