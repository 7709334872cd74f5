// SPDX-License-Identifier: Apache-2.0
//
// sensor_server [HOST:PORT]: a device of an embedded system (README.md). Its ORB consists of what a device needs: one thread serves the
// root POA at a numeric address, options are set in code, stubs are interpreted, and all memory is taken at the start.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <tenon/memory.hpp>
#include <tenon/parts.hpp>
#include <tenon/portable_server/publish.hpp>

#include "sensor_skel.hpp"

namespace {

/// Stands for the driver of real probes.
struct Probe {
  Sensor::Quantity what;
  double value;
  double step;
  double offset = 0;
  std::uint32_t readings = 0;
  Sensor::History recent{};

  const Sensor::Reading& read() {
    value += ++readings % 16 < 8 ? step : -step;
    auto& kept = recent.readings();
    if (recent.count() == kept.size()) {
      std::move(kept.begin() + 1, kept.end(), kept.begin());
      recent.count(static_cast<std::uint16_t>(kept.size() - 1));
    }
    Sensor::Reading& now = kept[recent.count()];
    recent.count(static_cast<std::uint16_t>(recent.count() + 1));
    now = Sensor::Reading(what, value + offset, readings);
    return now;
  }
};

Sensor::Use use_of(const tenon::MemoryUse& use) {
  const auto number = [](std::size_t octets) { return static_cast<std::uint32_t>(octets); };
  return Sensor::Use(number(use.reserved), number(use.in_use), number(use.most_in_use), number(use.refused));
}

class Device final : public CORBA::servant_traits<Sensor::Device>::base_type {
 public:
  std::string name() override { return "greenhouse 3"; }
  std::uint16_t probes() override { return static_cast<std::uint16_t>(probes_.size()); }
  Sensor::Memory memory_use() override {
    const auto report = tenon::memory_report();
    return Sensor::Memory(use_of(report[0]), use_of(report[1]), use_of(report[2]), use_of(report[3]));
  }
  Sensor::Reading read(std::uint16_t probe) override { return at(probe).read(); }
  Sensor::History recent(std::uint16_t probe) override { return at(probe).recent; }
  void calibrate(std::uint16_t probe, double offset) override { at(probe).offset = offset; }
  void blink(std::uint16_t times) override { std::fprintf(stderr, "blinks %u times\n", unsigned{times}); }

 private:
  Probe& at(std::uint16_t probe) {
    if (probe >= probes_.size()) throw Sensor::NoSuchProbe(probes());
    return probes_[probe];
  }

  std::array<Probe, 3> probes_{{{Sensor::Quantity::TEMPERATURE, 21.5, 0.25},
                                {Sensor::Quantity::HUMIDITY, 62.0, 0.5},
                                {Sensor::Quantity::PRESSURE, 1013.0, 0.125}}};
};

}  // namespace

int main(int argc, char** argv) {
  try {
    tenon::Configuration configuration;
    configuration.endpoints = {std::string("iiop://") + (argc > 1 ? argv[1] : "127.0.0.1:0")};
    // Sixteen buffers, since a connection has one to read with and one to write with, and a message takes a whole one. A client too many
    // is refused.
    configuration.limits = {.connections = 4, .requests = 4, .buffers = 128 * 1024, .objects = 4};
    const auto orb = tenon::init_orb(configuration, {tenon::micro, tenon::parts::known_memory});
    const auto device = CORBA::make_reference<Device>();
    const auto reference = tenon::publish_servant(*orb, device, "Device");
    std::puts(orb->object_to_string(reference).c_str());
    std::fflush(stdout);
    orb->run();
  } catch (const CORBA::Exception& error) {
    std::fprintf(stderr, "sensor_server: %s\n", error.what());
    return 1;
  }
}
