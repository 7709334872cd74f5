// SPDX-License-Identifier: Apache-2.0
//
// Ties (IDL to C++11 1.6 §6.25): the base of generated Foo_tie<T>. tenon/portable_server.hpp and tenon/tenon.hpp include it; generated
// headers do not, since <memory> is costly to compile.
#pragma once

#include <memory>
#include <utility>

#include "mapping/cpp11/calls/skeleton.hpp"

namespace tenon::gen {

/// A skeleton that hands its operations on to an object of another class (tie); the generated part forwards to _tied_object().
template <typename Skeleton, typename T>
class Tie : public virtual Skeleton {
 public:
  explicit Tie(std::shared_ptr<T> object) : object_(std::move(object)) {}
  const std::shared_ptr<T>& _tied_object() const noexcept { return object_; }

 private:
  std::shared_ptr<T> object_;
};

}  // namespace tenon::gen
