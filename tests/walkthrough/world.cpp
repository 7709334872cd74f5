// SPDX-License-Identifier: Apache-2.0
#include "world.hpp"

#include <unistd.h>

namespace tenon::walk {
namespace {

std::atomic<int> numbers{0};

constexpr int warm_up_calls = 20;

}  // namespace

std::int32_t CalcServant::add(std::int32_t a, std::int32_t b) {
  thread_local const pid_t this_thread = [] {  // once: it is a system call
    count_allocations_here();
    return ::gettid();
  }();
  thread.store(this_thread);
  if (stack != nullptr) *stack = stack_here();
  return a + b;
}

void CalcServant::hold() {
  holding.fetch_add(1);
  gate.acquire();
  holding.fetch_sub(1);
}

ScopedOrb::ScopedOrb(const std::vector<std::string>& options)
    : orb_(CORBA::ORB_init(options, "walk-" + std::to_string(numbers.fetch_add(1)))) {}

CalcRef ScopedOrb::calc(const std::string& url) const {
  return IDL::traits<Walk::Calc>::narrow(orb_->string_to_object(url));
}

World::World()
    : server({"-ORBListenEndpoints", "iiop://127.0.0.1"}), servant(CORBA::make_reference<CalcServant>()) {
  publish(server.get(), servant, "Calc");
  url = corbaloc(server.get(), "Calc");
  calc = client.calc(url);
  for (int i = 0; i < warm_up_calls; ++i) {
    static_cast<void>(calc->add(i, i));
    calc->noop();
  }
}

}  // namespace tenon::walk
