// SPDX-License-Identifier: Apache-2.0
// The main program of every GoogleTest executable; its target also carries the precompiled header.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
