// SPDX-License-Identifier: Apache-2.0
// server: prints a reference, and serves until it is ended.
#include "greeter.hpp"

int main(int argc, char** argv) {
  const auto orb = hello::start(argc, argv);
  hello::serve(orb);
  orb->run();
}
