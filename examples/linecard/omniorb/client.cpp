// SPDX-License-Identifier: Apache-2.0
//
// The demo's client by omniORB, in its classic C++ mapping. It first goes through everything that the monitor
// can do, a line of print for each; with --blocks it is measured instead (bench/raw/blocks.hpp):
//   get LINES COUNT    two-way calls -> "P50 P99" nanoseconds
//   push LINES COUNT   a flood, proved received -> lines a second
//
// Threads: one, and omniORB's that serve the listener.

#include "bench/raw/blocks.hpp"
#include "linecard.hh"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

using namespace LineCard;

class Ears : public POA_LineCard::Listener {
 public:
  void alarm(CORBA::ULong line, Severity how_bad, const char* what) override {
    std::printf("  alarm         line %u %s (%s)\n", line, what,
                how_bad == critical ? "critical" : "not critical");
    ++heard;
  }
  std::atomic<int> heard{0};
};

// True when everything happened as it must.
bool tour(CORBA::ORB_ptr orb, Monitor_ptr monitor) {
  bool good = true;
  for (const CORBA::ULong lines : {1u, 10u, 100u, 1000u}) {
    ADSL_Line_Card_var card = monitor->get(lines);
    const ADSL_Line& last = card->line[lines - 1];
    std::printf("  get(%4u)     card %s, %.1f W, %u lines; the last: %.1f dB near, %.1f dB far\n", lines,
                card->card.name.in(), static_cast<double>(card->card.power), card->line.length(),
                last.near_end.raw.signal_to_noise, last.far_end.raw.signal_to_noise);
    good = good && card->line.length() == lines;
  }
  CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
  PortableServer::POAManager_var gate = poa->the_POAManager();
  gate->activate();
  // Counted and not on the stack: the thread that brought the alarm may still be leaving the servant when it is
  // deactivated.
  auto* ears = new Ears;
  PortableServer::ServantBase_var kept = ears;
  PortableServer::ObjectId_var id = poa->activate_object(ears);
  CORBA::Object_var object = poa->id_to_reference(id);
  Listener_var listener = Listener::_narrow(object);
  monitor->subscribe(listener);
  monitor->unplug(7);
  good = good && ears->heard == 1;
  poa->deactivate_object(id);
  try {
    monitor->get(5000);
    good = false;
  } catch (const Too_Many_Lines& e) {
    std::printf("  get(5000)     user exception Too_Many_Lines: asked %u, at most %u\n", e.asked, e.most);
  }
  try {
    monitor->restart();
    good = false;
  } catch (const CORBA::NO_PERMISSION& e) {
    std::printf("  restart()     system exception NO_PERMISSION, minor %u, completed %s\n", e.minor(),
                e.completed() == CORBA::COMPLETED_NO ? "no" : "?");
  }
  return good;
}

std::string run(Monitor_ptr monitor, const blocks::Words& words) {
  const auto lines = static_cast<CORBA::ULong>(blocks::number(words, 1));
  const std::size_t count = blocks::number(words, 2);
  if (words[0] == "get")
    return blocks::time_calls(count, [&] { ADSL_Line_Card_var card = monitor->get(lines); });
  if (words[0] != "push") return "";
  ADSL_Line_Card_var card = monitor->get(lines);
  monitor->received();
  const std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i < count; ++i) monitor->push(card);
  std::uint64_t received = 0;
  while (received < count * lines) received += monitor->received();
  const double seconds = static_cast<double>(blocks::now_ns() - begin) / 1e9;
  return std::to_string(static_cast<std::uint64_t>(static_cast<double>(count * lines) / seconds));
}

}  // namespace

int main(int argc, char** argv) {
  const bool measured = argc > 1 && std::strcmp(argv[argc - 1], "--blocks") == 0;
  peer::Options options = peer::parse(measured ? argc - 1 : argc, argv);
  peer::listen(options);
  return peer::client_main(options, [&](CORBA::ORB_ptr orb, const std::string& reference) {
    Monitor_var monitor = peer::object_of<Monitor>(orb, reference);
    if (!measured) return tour(orb, monitor) ? 0 : 1;
    return blocks::serve_commands([&](const blocks::Words& words) { return run(monitor, words); });
  });
}
