// SPDX-License-Identifier: Apache-2.0
// A small server: prints a reference, and serves until it is ended.
#include <cstdio>

#include <tenon/parts.hpp>
#include <tenon/portable_server/publish.hpp>

#include "hello_skel.hpp"

class Greeter final : public CORBA::servant_traits<Greeting::Hello>::base_type {
 public:
  std::string greet(const std::string& name) override { return "hello, " + name; }
};

int main() {
  tenon::Configuration configuration;
  configuration.endpoints = {"iiop://127.0.0.1:0"};
  configuration.serving = tenon::Serving::single_thread;
  const auto orb = tenon::init_orb(configuration, {tenon::micro});
  const auto reference = tenon::publish_servant(*orb, CORBA::make_reference<Greeter>(), "Hello");
  std::puts(orb->object_to_string(reference).c_str());
  std::fflush(stdout);
  orb->run();
}
