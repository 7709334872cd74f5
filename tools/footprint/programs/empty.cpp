// SPDX-License-Identifier: Apache-2.0
// What a program of C++ with threads, strings and exceptions costs before there is an ORB in it.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

int main(int argc, char** argv) {
  try {
    std::thread([&] { std::puts(std::string(argv[0]).c_str()); }).join();
    if (argc > 1) throw std::runtime_error(argv[1]);
  } catch (const std::exception& e) {
    std::puts(e.what());
  }
}
