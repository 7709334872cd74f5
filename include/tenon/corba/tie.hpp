// SPDX-License-Identifier: Apache-2.0
//
// Ties (IDL to C++11 1.6 §6.25): the base of generated Foo_tie<T>. tenon/portable_server.hpp and tenon/tenon.hpp include it; generated
// headers do not, since <memory> is costly to compile.
#pragma once

#include <memory>
#include <utility>

#include "mapping/cpp11/calls/skeleton.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::gen {

/// A skeleton that hands its operations on to an object of another class (tie); the generated part forwards to _tied_object().
template <typename Skeleton, typename T>
class Tie : public virtual Skeleton {
 public:
  explicit Tie(std::shared_ptr<T> object) : object_(std::move(object)) {}
  /// `poa`: where _this() activates the tie. Nil: in the RootPOA.
  Tie(std::shared_ptr<T> object, CORBA::object_reference<PortableServer::POA> poa)
      : object_(std::move(object)), poa_(std::move(poa)) {}
  const std::shared_ptr<T>& _tied_object() const noexcept { return object_; }
  /// Not while a request of the servant runs.
  void _tied_object(std::shared_ptr<T> object) noexcept { object_ = std::move(object); }

  CORBA::object_reference<PortableServer::POA> _default_POA() override {
    return poa_ ? poa_ : Skeleton::_default_POA();
  }

 private:
  std::shared_ptr<T> object_;
  CORBA::object_reference<PortableServer::POA> poa_;
};

}  // namespace tenon::gen
