// SPDX-License-Identifier: Apache-2.0
//
// Two ORBs in one process, a server's and a client's, with what the tests look at: the servants, the protocols, gates.
// Not a mock: every call goes through everything that a program's call goes through.
//
// Threads: a test's own, and the servants are called from any thread of the server's ORB.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <tenon/log.hpp>
#include <tenon/portable_server.hpp>
#include <tenon/protocols.hpp>
#include <tenon/tenon.hpp>

#include "suite_skel.hpp"

namespace tenon::net {
class NameSource;
}

namespace tenon::suite {

/// Who is asked for host names by the ORBs that are made from now on; null: the system. In protocols.cpp, as the next two.
void use_names(std::shared_ptr<net::NameSource> names);

/// What the ORBs of this program have: plug-ins that are new each time.
orb::Protocols protocols_to_use();
/// What a server listens on; uiop gives a new path each time.
std::string endpoint_of(const std::string& protocol);

using OrbRef = CORBA::object_reference<CORBA::ORB>;
using ObjectRef = CORBA::object_reference<CORBA::Object>;
using BaseRef = CORBA::object_reference<Suite::Base>;
using PeerRef = CORBA::object_reference<Suite::Peer>;
using TestRef = CORBA::object_reference<Suite::Test>;
using Words = std::vector<std::string>;

inline constexpr std::uint64_t ms = 10'000;  ///< of a TimeBase::TimeT

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A reference to the same object with these policies in addition.
inline TestRef with(const TestRef& test, const CORBA::PolicyList& policies) {
  return IDL::traits<Suite::Test>::unchecked_narrow(
      test->_set_policy_overrides(policies, CORBA::SetOverrideType::SET_OVERRIDE));
}

/// Holds threads until it is opened. A closed gate opens by itself after a minute, so that a failing test ends.
class Gate {
 public:
  void open(int times = 1);
  /// Waits for one opening.
  void pass();
  /// Waits until so many threads are waiting; false: they did not come.
  bool wait_for_waiters(int count);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int openings_ = 0;
  int waiting_ = 0;
};

/// Waits up to half a minute for a condition that another thread brings about.
bool eventually(const std::function<bool()>& condition);

/// What the ORBs of this process log while it lives, from a level on; then the log is off. One at a time, from any thread.
class LogLines {
 public:
  explicit LogLines(LogLevel least);
  ~LogLines();
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;
  /// "orb: accepted a connection from 127.0.0.1:40123", in the order in which they came.
  Words all() const;
  /// How many of them have that in them.
  int count(std::string_view part) const;
};

class TestServant : public CORBA::servant_traits<Suite::Test>::base_type {
 public:
  explicit TestServant(CORBA::ORB& orb) : orb_(orb) {}

  std::string who() override { return "test"; }
  std::string title() override;
  void title(const std::string& value) override;
  void noop() override {}
  std::int32_t add(std::int32_t a, std::int32_t b) override {
    ++adds;
    return a + b;
  }
  Suite::Point mix(std::int32_t a, std::string& text, const Suite::Point& given, Suite::Point& copy,
                   std::uint32_t& count) override;
  Suite::Blob echo(const Suite::Blob& data) override { return data; }
  Suite::Blob make(std::uint32_t size) override;
  std::uint64_t sum(const Suite::Blob& data) override;
  void note(std::int32_t number) override;
  void note_size(const Suite::Blob& data) override { note(static_cast<std::int32_t>(data.size())); }
  std::vector<std::int32_t> notes() override;
  void hold_note(std::int32_t number) override;
  std::int32_t hold(std::int32_t number) override;
  void fail(Suite::Failure kind) override;
  ObjectRef pass(ObjectRef given, bool& was_nil) override;
  std::string ask(BaseRef peer) override { return peer->who(); }
  void shut_down(bool wait) override { orb_.shutdown(wait); }
  void destroy_orb() override { orb_.destroy(); }

  Gate gate;
  std::atomic<int> adds{0};  ///< calls of add()

 private:
  CORBA::ORB& orb_;
  std::mutex mutex_;  // guards what follows
  std::string title_;
  std::vector<std::int32_t> notes_;
};

class PeerServant final : public CORBA::servant_traits<Suite::Peer>::base_type {
 public:
  explicit PeerServant(std::string name) : name_(std::move(name)) {}
  std::string who() override { return name_; }
  std::int32_t recurse(PeerRef other, std::int32_t depth) override {
    return depth == 0 ? 1 : 1 + other->recurse(_this(), depth - 1);
  }

 private:
  const std::string name_;
};

/// Replies to every call with LOCATION_FORWARD.
class ForwardingServant final : public CORBA::servant_traits<Suite::Base>::base_type {
 public:
  std::string who() override { throw PortableServer::ForwardRequest(to); }
  ObjectRef to;
};

/// ORB_init with protocols_to_use().
OrbRef init_orb(const Words& options, const std::string& id = "");

/// An ORB with a name that no other has; destroyed at the end of the scope, if it was not before.
class ScopedOrb {
 public:
  explicit ScopedOrb(const Words& options = {});
  ~ScopedOrb() { destroy(); }
  ScopedOrb(const ScopedOrb&) = delete;
  ScopedOrb& operator=(const ScopedOrb&) = delete;
  CORBA::ORB* operator->() const { return orb_.get(); }
  CORBA::ORB& operator*() const { return *orb_; }
  const OrbRef& ref() const { return orb_; }
  void destroy();

 private:
  OrbRef orb_;
};

/// The same object as another ORB sees it.
template <typename Interface>
CORBA::object_reference<Interface> seen_by(CORBA::ORB& orb,
                                           const CORBA::object_reference<Interface>& object) {
  const std::string text = orb.object_to_string(object);
  return IDL::traits<Interface>::unchecked_narrow(orb.string_to_object(text));
}

/// Where it listens, on one endpoint.
std::uint16_t tcp_port_of(CORBA::ORB& server);
/// The object key of a reference with one IIOP profile of ours.
std::string key_of(const TestRef& test);

struct Case {
  std::string protocol;  ///< "iiop", "uiop", "shmiop", "inproc", "torture", "collocated", "iiop-same-orb"
  std::string serving;   ///< "pool", "thread-per-connection" or "single-thread"
};
std::string name_of(const Case& which);
inline void PrintTo(const Case& which, std::ostream* out) { *out << name_of(which); }
std::vector<Case> all_cases();
/// Those with two ORBs and sockets (or pipes) between them.
std::vector<Case> remote_cases();

/// A thread in run() of an ORB that serves with a single thread, and no thread for others.
class RunThread {
 public:
  RunThread(const ScopedOrb& orb, const std::string& serving);
  /// Shuts down the ORB if there is a thread.
  ~RunThread();
  RunThread(const RunThread&) = delete;
  RunThread& operator=(const RunThread&) = delete;

 private:
  const OrbRef orb_;
  std::thread thread_;
};

/// A server with a published object, and its client, as the case says, with more options for both. The client of a server with a single
/// thread serves with a thread for each connection.
struct Pair {
  explicit Pair(const Case& which, const Words& server_options = {}, const Words& client_options = {});
  ~Pair();
  bool same_orb() const { return !client_orb; }
  std::unique_ptr<ScopedOrb> server_orb;
  std::unique_ptr<ScopedOrb> client_orb;  ///< null: the server's
  CORBA::ORB& server() const { return **server_orb; }
  CORBA::ORB& client() const { return client_orb ? **client_orb : **server_orb; }
  /// As the client sees it.
  template <typename Interface>
  CORBA::object_reference<Interface> at_client(const CORBA::object_reference<Interface>& object) const {
    return seen_by(client(), object);
  }
  CORBA::servant_reference<TestServant> servant;
  TestRef test;  ///< the client's
  std::unique_ptr<RunThread> run_thread;
};

class World : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override;
  void TearDown() override;
  /// Bytes of a message that is big for the protocol and does not take long.
  std::uint32_t big() const { return GetParam().protocol == "torture" ? 300000 : 5000000; }

  std::unique_ptr<Pair> pair;
};

/// How many descriptors this process has open, and what each leads to.
std::ptrdiff_t open_descriptors();
std::string descriptor_names();

/// The error of a call as "TRANSIENT 0x4f4d0001 NO", "" when there was none.
std::string outcome_of(const std::function<void()>& call);
/// The same for what is expected.
std::string text_of(tenon::Error error);

}  // namespace tenon::suite
