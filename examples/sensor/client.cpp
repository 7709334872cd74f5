// SPDX-License-Identifier: Apache-2.0
//
// sensor_client IOR|URL: asks a device for its readings, as a small client does.
#include <chrono>
#include <cstdio>
#include <tenon/parts.hpp>
#include <tenon/timeout.hpp>

#include "sensor.hpp"

namespace {

void show(const Sensor::Reading& reading) {
  static constexpr const char* units[] = {"°C", "%", "hPa"};
  std::printf(" %.3f %s (%u)", reading.value(), units[static_cast<unsigned>(reading.what())],
              unsigned{reading.number()});
}

void show(const char* kind, const Sensor::Use& use) {
  std::printf("%-12s %6u of %6u octets, at most %6u, refused %u times\n", kind, use.in_use(), use.reserved(),
              use.most_in_use(), use.refused());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr,
                 "usage: sensor_client IOR, which the server prints, or corbaloc:iiop:HOST:PORT/Device\n");
    return 2;
  }
  try {
    const auto orb = tenon::init_orb({}, {tenon::client, tenon::parts::corbaloc});
    const auto device = IDL::traits<Sensor::Device>::narrow(orb->string_to_object(argv[1]));
    if (!device) {
      std::fprintf(stderr, "sensor_client: %s is no Sensor::Device\n", argv[1]);
      return 1;
    }
    tenon::set_timeout(*device, std::chrono::seconds(2));
    const std::uint16_t probes = device->probes();
    std::printf("%s has %u probes\n", device->name().c_str(), unsigned{probes});
    device->calibrate(0, -0.5);
    for (int round = 0; round < 3; ++round) {
      for (std::uint16_t probe = 0; probe < probes; ++probe) show(device->read(probe));
      std::puts("");
    }
    const Sensor::History recent = device->recent(0);
    for (unsigned i = 0; i < recent.count(); ++i) show(recent.readings()[i]);
    std::puts("");
    device->blink(2);
    try {
      device->read(probes);
      return 1;
    } catch (const Sensor::NoSuchProbe& error) {
      std::printf("no probe %u, there are %u\n", unsigned{probes}, unsigned{error.probes()});
    }
    const Sensor::Memory memory = device->memory_use();
    show("buffers", memory.buffers());
    show("connections", memory.connections());
    show("requests", memory.requests());
    show("objects", memory.objects());
    orb->destroy();
  } catch (const CORBA::Exception& error) {
    std::fprintf(stderr, "sensor_client: %s\n", error.what());
    return 1;
  }
}
