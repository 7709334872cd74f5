// SPDX-License-Identifier: Apache-2.0
//
// sensor_server [HOST:PORT]: a device of an embedded system (docs/embedded.md). Its ORB consists of what a device needs: one thread
// serves the root POA at a numeric address, options are set in code, stubs are interpreted.
#include <array>
#include <cstdio>
#include <string>
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
    if (recent.size() == 8) recent.erase(recent.begin());
    recent.emplace_back(what, value + offset, readings);
    return recent.back();
  }
};

class Device final : public CORBA::servant_traits<Sensor::Device>::base_type {
 public:
  std::string name() override { return "greenhouse 3"; }
  std::uint16_t probes() override { return static_cast<std::uint16_t>(probes_.size()); }
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
    const auto orb = tenon::init_orb(configuration, {tenon::micro});
    const auto device = CORBA::make_reference<Device>();
    const auto reference = tenon::publish_servant(*orb, device, "Device");
    std::puts(tenon::corbaloc(orb, "Device").c_str());
    std::fflush(stdout);
    orb->run();
  } catch (const CORBA::Exception& error) {
    std::fprintf(stderr, "sensor_server: %s\n", error.what());
    return 1;
  }
}
