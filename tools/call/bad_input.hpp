// SPDX-License-Identifier: Apache-2.0
//
// An error of the user of tenon-call; the text helps to correct it.
#pragma once

#include <stdexcept>
#include <string>

namespace tenon::call {

class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tenon::call
