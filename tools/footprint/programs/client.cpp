// SPDX-License-Identifier: Apache-2.0
// client REFERENCE NAME
#include "caller.hpp"

int main(int argc, char** argv) {
  const auto orb = hello::start(argc, argv);
  const int status = argc == 3 ? hello::call(orb, argv[1], argv[2]) : 2;
  orb->destroy();
  return status;
}
