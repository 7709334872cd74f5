// SPDX-License-Identifier: Apache-2.0
//
// A server and clients over TCP loopback, all in this process but with ORBs of their own, so that every call goes through
// sockets. One thread per connection, as an ORB serves unless told otherwise.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <semaphore>
#include <string>

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "calc_skel.hpp"
#include "observe.hpp"

namespace tenon::walk {

using OrbRef = CORBA::object_reference<CORBA::ORB>;
using CalcRef = CORBA::object_reference<Walk::Calc>;

class CalcServant final : public CORBA::servant_traits<Walk::Calc>::base_type {
 public:
  std::int32_t add(std::int32_t a, std::int32_t b) override;
  void noop() override {}
  void hold() override;

  Frames* stack = nullptr;       ///< where add() leaves its stack, when not null
  std::atomic<pid_t> thread{0};  ///< that ran the last add()
  std::atomic<int> holding{0};   ///< calls of hold() that wait
  std::counting_semaphore<> gate{0};
};

class ScopedOrb {
 public:
  explicit ScopedOrb(const std::vector<std::string>& options = {});
  ~ScopedOrb() { orb_->destroy(); }
  ScopedOrb(const ScopedOrb&) = delete;
  ScopedOrb& operator=(const ScopedOrb&) = delete;
  const OrbRef& get() const noexcept { return orb_; }
  CalcRef calc(const std::string& url) const;

 private:
  OrbRef orb_;
};

struct World {
  World();
  ScopedOrb server;
  CORBA::object_reference<CalcServant> servant;
  std::string url;
  ScopedOrb client;
  CalcRef calc;  ///< of the client, and called so often that nothing happens for the first time any more
};

}  // namespace tenon::walk
