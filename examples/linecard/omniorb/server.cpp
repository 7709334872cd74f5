// SPDX-License-Identifier: Apache-2.0
//
// The line-card monitor by omniORB, in its classic C++ mapping: the peer of the demo.
//
// Threads: omniORB's; the listeners are under a lock that no call to a listener holds.

#include <mutex>

#include "linecard.hh"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

using namespace LineCard;

constexpr CORBA::ULong most_lines = 2048;

void fill_end(ADSL_Line_End& end, CORBA::ULong line, double distance) {
  end.raw.signal = true;
  end.raw.losses = static_cast<CORBA::UShort>(line % 3);
  end.raw.attenuation = static_cast<float>(distance * 13.5);
  end.raw.signal_to_noise = 32.5 - distance - line % 7;
  end.atm.link_losses = line % 5;
  end.atm.cells = 1'000'000ull * line + 424'242;
}

class MonitorServant : public POA_LineCard::Monitor {
 public:
  ADSL_Line_Card* get(CORBA::ULong lines) override {
    peer::touch();
    if (lines > most_lines) throw Too_Many_Lines(lines, most_lines);
    ADSL_Line_Card_var card = new ADSL_Line_Card;
    card->card.name = CORBA::string_dup("omni-7");
    card->card.power = 41.5f;
    card->card.uptime = 86'400;
    card->line.length(lines);
    for (CORBA::ULong i = 0; i < lines; ++i) {
      fill_end(card->line[i].near_end, i, 0.5);
      fill_end(card->line[i].far_end, i, 2.5);
    }
    return card._retn();
  }
  void push(const ADSL_Line_Card& card) override {
    peer::touch();
    lines_received_ += card.line.length();
  }
  CORBA::ULongLong received() override { return lines_received_.exchange(0); }
  void subscribe(Listener_ptr who) override {
    if (CORBA::is_nil(who)) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO);
    const std::lock_guard<std::mutex> hold(lock_);
    listeners_.emplace_back(Listener::_duplicate(who));
  }
  void unplug(CORBA::ULong line) override {
    if (line >= most_lines) throw No_Such_Line(line);
    std::vector<Listener_var> now;
    {
      const std::lock_guard<std::mutex> hold(lock_);
      now = listeners_;
    }
    for (auto& listener : now) {
      try {
        listener->alarm(line, critical, "unplugged");
      } catch (const CORBA::SystemException&) {
        forget(listener.in());
      }
    }
  }
  void restart() override { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_NO); }

 private:
  void forget(Listener_ptr gone) {
    const std::lock_guard<std::mutex> hold(lock_);
    for (auto at = listeners_.begin(); at != listeners_.end();) {
      at = (*at)->_is_equivalent(gone) ? listeners_.erase(at) : at + 1;
    }
  }

  std::atomic<CORBA::ULongLong> lines_received_{0};
  std::mutex lock_;
  std::vector<Listener_var> listeners_;
};

}  // namespace

int main(int argc, char** argv) {
  return peer::server_main(argc, argv, [](const peer::Server& server) {
    CORBA::Object_var monitor = server.activate(new MonitorServant);
    return server.text(monitor);
  });
}
