// SPDX-License-Identifier: Apache-2.0
//
// What an ORB with CSIv2 has, and the interceptors that work with it. Private to src/csi.
//
// Threads: a State is read by every thread that calls or serves.
#pragma once

#include <atomic>
#include <memory>

#include "base/thread_annotations.hpp"
#include "orb/orb.hpp"
#include "tenon/csi.hpp"
#include "tenon/interceptors/interceptors.hpp"
#include "tenon/interceptors/ior_interceptors.hpp"

namespace tenon::csi {

class State {
 public:
  explicit State(PortableInterceptor::SlotId its_slot) noexcept : slot(its_slot) {}

  /// Null: the ORB is no target.
  std::shared_ptr<const Target> target() const {
    const LockGuard lock(mutex_);
    return target_;
  }
  void set_target(std::shared_ptr<const Target> target) {
    const LockGuard lock(mutex_);
    target_.swap(target);
  }

  const PortableInterceptor::SlotId slot;  ///< of the request, for its Caller
  std::atomic<unsigned> checking{0};       ///< passwords that are being looked at

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const Target> target_ TENON_GUARDED_BY(mutex_);
};

/// Null: the ORB was initialised before enable(), or has been destroyed.
std::shared_ptr<State> state_of(orb::Orb& orb);

CORBA::Any encode_caller(const Caller& caller);
Caller decode_caller(const CORBA::Any& value);

CORBA::object_reference<PortableInterceptor::ClientRequestInterceptor> make_client_interceptor();
CORBA::object_reference<PortableInterceptor::ServerRequestInterceptor> make_server_interceptor(
    std::shared_ptr<State> state);
CORBA::object_reference<PortableInterceptor::IORInterceptor> make_ior_interceptor(
    std::shared_ptr<State> state);

}  // namespace tenon::csi
