// SPDX-License-Identifier: Apache-2.0
//
// What a dynamic servant has said of the request that it serves: for server interceptors. On the stack of the thread that serves; no other
// thread sees it.
#pragma once

#include "poa/current.hpp"
#include "tenon/dynamic/named_value.hpp"

namespace tenon::dynamic {

class ServedValues {
 public:
  ServedValues() noexcept : outer_(innermost_), frame_(poa::current_frame) { innermost_ = this; }
  ~ServedValues() { innermost_ = outer_; }
  ServedValues(const ServedValues&) = delete;
  ServedValues& operator=(const ServedValues&) = delete;

  /// Of the upcall with that frame, if a dynamic servant runs it on this thread.
  static const ServedValues* of(const poa::Frame* frame) noexcept {
    return innermost_ != nullptr && frame != nullptr && innermost_->frame_ == frame ? innermost_ : nullptr;
  }

  CORBA::object_reference<CORBA::NVList> parameters;  ///< nil: not known yet
  const CORBA::Any* result = nullptr;                 ///< null: there is none, or not yet
  const CORBA::Any* exception = nullptr;

 private:
  static inline constinit thread_local const ServedValues* innermost_ = nullptr;
  const ServedValues* const outer_;
  const poa::Frame* const frame_;
};

}  // namespace tenon::dynamic
