// SPDX-License-Identifier: Apache-2.0
//
// What the user of tenon-call did wrong, said so that it can be put right.
#pragma once

#include <stdexcept>
#include <string>

namespace tenon::call {

class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tenon::call
