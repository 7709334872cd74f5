// SPDX-License-Identifier: Apache-2.0
//
// main() of the tests of folders: they have what a full ORB switches on for its process, whether the folder sees src/parts or not.
#include <gtest/gtest.h>

#include "base/log.hpp"
#include "base/texts.hpp"
#include "cdr/char_sets.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  tenon::cdr::use_char_sets();
  tenon::use_log();
  tenon::use_texts();
  return RUN_ALL_TESTS();
}
