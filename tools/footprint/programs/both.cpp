// SPDX-License-Identifier: Apache-2.0
// both [REFERENCE NAME]: a server that prints a reference and, given one, calls it first.
#include "caller.hpp"
#include "greeter.hpp"

int main(int argc, char** argv) {
  const auto orb = hello::start(argc, argv);
  if (argc == 3 && hello::call(orb, argv[1], argv[2]) != 0) return 1;
  hello::serve(orb);
  orb->run();
}
