// SPDX-License-Identifier: Apache-2.0
//
// ORBs whose protocols change, an object to call, and threads that call it all the time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <tenon/dynamic_protocols.hpp>
#include <tenon/messaging.hpp>
#include <tenon/portable_server.hpp>
#include <tenon/rtcorba.hpp>
#include <tenon/tenon.hpp>

#include "base/minor_codes.hpp"
#include "work_skel.hpp"

namespace tenon::changing {

using OrbRef = CORBA::object_reference<CORBA::ORB>;
using WorkRef = CORBA::object_reference<::Changing::Work>;
using Words = std::vector<std::string>;

inline constexpr std::uint32_t iiop_tag = 0;
inline constexpr std::uint32_t uiop_tag = 0x54414F00;
inline constexpr std::uint32_t shmiop_tag = 0x544E0002;

/// An ORB with a name that no other has; destroyed at the end of the scope. One that serves with a single thread has that in run().
class ScopedOrb {
 public:
  explicit ScopedOrb(const Words& options = {});
  ~ScopedOrb();
  ScopedOrb(const ScopedOrb&) = delete;
  ScopedOrb& operator=(const ScopedOrb&) = delete;
  CORBA::ORB* operator->() const { return orb_.get(); }
  CORBA::ORB& operator*() const { return *orb_; }
  const OrbRef& ref() const { return orb_; }

 private:
  OrbRef orb_;
  std::thread runs_;
};

std::string new_uiop_endpoint();

class Worker final : public CORBA::servant_traits<::Changing::Work>::base_type {
 public:
  explicit Worker(OrbRef orb) : orb_(std::move(orb)) {}
  std::int32_t add(std::int32_t a, std::int32_t b) override { return a + b; }
  std::int32_t held(std::int32_t a) override;
  void note(std::int32_t) override { ++noted_; }
  std::int32_t noted() override { return noted_; }
  std::int32_t remove_in_upcall(const std::string& protocol) override;

  void wait_until_held(int count);
  /// All that are held, and all later ones.
  void let_go();

 private:
  const OrbRef orb_;
  std::atomic<int> noted_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  int held_ = 0;
  bool gone_ = false;
};

/// An object of a server ORB.
struct Served {
  explicit Served(const Words& options);
  /// As another ORB sees it, or one of its later references.
  WorkRef seen_by(const ScopedOrb& by) const { return seen_by(by, object); }
  WorkRef seen_by(const ScopedOrb& by, const WorkRef& reference) const;
  /// A reference to the same object, made now.
  WorkRef new_reference() const;

  ScopedOrb orb;
  CORBA::servant_reference<Worker> worker;
  CORBA::object_reference<PortableServer::POA> root;
  PortableServer::ObjectId id;
  WorkRef object;
};

/// Threads that call over one reference until the end of the scope; says what went wrong.
class Callers {
 public:
  Callers(WorkRef object, int threads);
  ~Callers() { (void)stop(); }
  Callers(const Callers&) = delete;
  Callers& operator=(const Callers&) = delete;
  /// Waits for so many calls more.
  void go_on(int calls);
  /// What a call that failed has said; empty: none has.
  std::string stop();

 private:
  const WorkRef object_;
  std::atomic<bool> ends_{false};
  std::atomic<int> calls_{0};
  std::mutex mutex_;
  std::string failure_;
  std::vector<std::thread> threads_;
};

std::vector<std::uint32_t> tags_of(const WorkRef& object);
/// The transports over which the ORB has idle connections that it has opened, one word for each address: "iiop uiop".
std::string connections(const ScopedOrb& orb);
/// A reference to the same object whose calls go over these protocols.
WorkRef over(const WorkRef& object, std::initializer_list<IOP::ProfileId> tags);

/// The error of a call that raises a system exception; its text goes to `said`.
Error error_of(const std::function<void()>& code, std::string* said = nullptr);

}  // namespace tenon::changing
