// SPDX-License-Identifier: Apache-2.0
//
// The line-card monitor's client: everything that the monitor can do, a line of print for each.
//
//   linecard_tenon_client --ior FILE|IOR:...|corbaloc:... [--blocks]
//
// With --blocks it is measured instead (measure.cpp). Threads: one here; the ORB's call the listener.

#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>
#include <tenon/tenon.hpp>

#include "linecard_skel.hpp"
#include "measure.hpp"

namespace {

using namespace LineCard;

class Ears final : public CORBA::servant_traits<Listener>::base_type {
 public:
  void alarm(std::uint32_t line, Severity how_bad, const std::string& what) override {
    std::printf("  alarm         line %u %s (%s)\n", line, what.c_str(),
                how_bad == Severity::critical ? "critical" : "not critical");
    ++heard;
  }
  std::atomic<int> heard{0};
};

// True when everything happened as it must.
bool tour(const IDL::traits<CORBA::ORB>::ref_type& orb, Monitor& monitor) {
  bool good = true;

  // A card of structs in structs in structs, small and large.
  for (const std::uint32_t lines : {1u, 10u, 100u, 1000u}) {
    const ADSL_Line_Card card = monitor.get(lines);
    const ADSL_Line& last = card.line().back();
    std::printf("  get(%4u)     card %s, %.1f W, %zu lines; the last: %.1f dB near, %.1f dB far\n", lines,
                card.card().name().c_str(), static_cast<double>(card.card().power()), card.line().size(),
                last.near_end().raw().signal_to_noise(), last.far_end().raw().signal_to_noise());
    good = good && card.line().size() == lines;
  }

  // An object of our own, which the server calls while it serves our call.
  auto ears = CORBA::make_reference<Ears>();
  monitor.subscribe(tenon::publish(orb, ears));
  monitor.unplug(7);
  good = good && ears->heard == 1;

  // Exceptions: one that the IDL declares, one that any CORBA object may raise.
  try {
    monitor.get(5000);
    good = false;
  } catch (const Too_Many_Lines& e) {
    std::printf("  get(5000)     user exception Too_Many_Lines: asked %u, at most %u\n", e.asked(), e.most());
  }
  try {
    monitor.restart();
    good = false;
  } catch (const CORBA::NO_PERMISSION& e) {
    std::printf("  restart()     system exception %s\n", e.what());
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    if (argc < 3 || std::string_view(argv[1]) != "--ior") {
      std::fprintf(stderr, "usage: %s --ior FILE|IOR:...|corbaloc:... [--blocks]\n", argv[0]);
      return 2;
    }
    const std::string where = argv[2];
    const bool is_file = !where.starts_with("IOR:") && !where.starts_with("corba");
    auto monitor = IDL::traits<Monitor>::narrow(orb->string_to_object(is_file ? "file:" + where : where));
    if (!monitor) {
      std::fprintf(stderr, "%s is not a LineCard::Monitor\n", argv[2]);
      return 2;
    }
    const bool measured = argc > 3 && std::string_view(argv[3]) == "--blocks";
    const int status = measured ? measure(*monitor) : tour(orb, *monitor) ? 0 : 1;
    orb->destroy();
    return status;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
