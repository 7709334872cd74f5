// SPDX-License-Identifier: Apache-2.0
//
// The words of one operation (interpreted.hpp), as both directions read them.
#pragma once

#include <string_view>

#include "interpreted/interpreted.hpp"

namespace tenon::gen {

class Signature {
 public:
  Signature(const Interpreted& file, marshal::Word place) noexcept
      : file_(file), at_(file.unit.words + place) {}

  bool has(OperationFlags flag) const noexcept { return (at_[0] & flag) != 0; }
  unsigned number() const noexcept { return number_of(at_[0]); }
  std::string_view name() const noexcept { return {file_.names + (at_[1] >> 8), at_[1] & 0xFF}; }
  marshal::Plan plan() const noexcept { return marshal::kind_of(at_[2]); }
  marshal::Parameters parameters() const noexcept {
    return {file_.unit, at_ + 3, parameter_count(at_[0]), at_[2]};
  }
  unsigned exceptions() const noexcept { return has(operation_raises) ? *raises() : 0; }
  const marshal::Word* exception_numbers() const noexcept { return raises() + 1; }

 private:
  const marshal::Word* raises() const noexcept { return at_ + 3 + parameter_count(at_[0]); }

  const Interpreted& file_;
  const marshal::Word* at_;
};

}  // namespace tenon::gen
