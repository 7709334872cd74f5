// SPDX-License-Identifier: Apache-2.0
//
// The line-card monitor: a CORBA server in one page. Start it, then the client with what it prints.
//
//   linecard_tenon_server [--ior FILE] [-ORBListenEndpoints iiop://127.0.0.1:2809]
//
// Threads: every connection has its own, so the servant is called by several at once.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>
#include <tenon/peer.hpp>
#include <tenon/tenon.hpp>
#include <vector>

#include "card.hpp"
#include "linecard_skel.hpp"

namespace {

using namespace LineCard;
using Listeners = std::vector<IDL::traits<Listener>::ref_type>;

constexpr std::uint32_t most_lines = 2048;

class MonitorServant final : public CORBA::servant_traits<Monitor>::base_type {
 public:
  ADSL_Line_Card get(std::uint32_t lines) override {
    if (lines > most_lines) throw Too_Many_Lines(lines, most_lines);
    return card_with(lines);
  }

  void push(const ADSL_Line_Card& card) override { lines_received_ += card.line().size(); }
  std::uint64_t received() override { return lines_received_.exchange(0); }

  void subscribe(IDL::traits<Listener>::ref_type who) override {
    if (!who) throw CORBA::BAD_PARAM();
    if (const tenon::Identity caller = tenon::peer()) {
      std::printf("subscriber: %s\n", caller.text().c_str());
      std::fflush(stdout);
    }
    const std::lock_guard hold(lock_);
    listeners_.push_back(std::move(who));
  }

  void unplug(std::uint32_t line) override {
    if (line >= most_lines) throw No_Such_Line(line);
    for (auto& listener : listeners()) {
      try {
        listener->alarm(line, Severity::critical, "unplugged");
      } catch (const CORBA::SystemException&) {
        forget(listener);  // whoever cannot be reached has left
      }
    }
  }

  void restart() override { throw CORBA::NO_PERMISSION(7, CORBA::CompletionStatus::COMPLETED_NO); }

 private:
  Listeners listeners() {
    const std::lock_guard hold(lock_);
    return listeners_;
  }
  void forget(const IDL::traits<Listener>::ref_type& gone) {
    const std::lock_guard hold(lock_);
    std::erase(listeners_, gone);
  }

  std::atomic<std::uint64_t> lines_received_{0};
  std::mutex lock_;
  Listeners listeners_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    auto monitor = CORBA::make_reference<MonitorServant>();
    auto reference = tenon::publish(orb, monitor, "LineCard");

    // For people, an address that anybody can type; for programs, the whole reference in a file.
    std::printf("%s\n", tenon::corbaloc(orb, "LineCard").c_str());
    std::fflush(stdout);
    if (argc > 2 && std::string_view(argv[1]) == "--ior") {
      std::ofstream(argv[2]) << orb->object_to_string(reference) << '\n';
    }
    orb->run();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
