// SPDX-License-Identifier: Apache-2.0
//
// A server's ORB and a client's in one process, with the interceptors that a test wants in each, and interceptors that write down
// where they are called.
//
// Threads: a test's own; servants and interceptors are called from any thread.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tenon/portable_interceptor.hpp>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "spied_skel.hpp"

namespace tenon::spied {

using namespace PortableInterceptor;
using TargetRef = CORBA::object_reference<Spied::Target>;
using OrbRef = CORBA::object_reference<CORBA::ORB>;
using Words = std::vector<std::string>;

// Service contexts of these tests alone.
inline constexpr IOP::ServiceId there = 0x54450001;
inline constexpr IOP::ServiceId back = 0x54450002;

/// What happened, in order. Any thread.
class Diary {
 public:
  void note(std::string entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }
  /// All entries so far, which are then forgotten.
  Words take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(entries_, {});
  }

 private:
  std::mutex mutex_;
  Words entries_;
};

/// Code that a test runs at a point, by the point's name.
using ClientCode = std::function<void(ClientRequestInfo&)>;
using ServerCode = std::function<void(ServerRequestInfo&)>;

/// Writes "name.point" and runs what the test has for the point.
class ClientSpy final : public ClientRequestInterceptor {
 public:
  ClientSpy(Diary& diary, std::string name) : diary_(diary), name_(std::move(name)) {}
  std::string name() override { return name_; }
  void destroy() override { diary_.note(name_ + ".destroy"); }
  void send_request(ClientInfoRef info) override { at("send_request", *info); }
  void receive_reply(ClientInfoRef info) override { at("receive_reply", *info); }
  void receive_exception(ClientInfoRef info) override { at("receive_exception", *info); }
  void receive_other(ClientInfoRef info) override { at("receive_other", *info); }

  /// Before the first call.
  std::map<std::string, ClientCode> code;

 private:
  void at(const char* point, ClientRequestInfo& info) {
    diary_.note(name_ + "." + point);
    const auto found = code.find(point);
    if (found != code.end()) found->second(info);
  }

  Diary& diary_;
  const std::string name_;
};

class ServerSpy final : public ServerRequestInterceptor {
 public:
  ServerSpy(Diary& diary, std::string name) : diary_(diary), name_(std::move(name)) {}
  std::string name() override { return name_; }
  void receive_request_service_contexts(ServerInfoRef info) override { at("contexts", *info); }
  void receive_request(ServerInfoRef info) override { at("receive_request", *info); }
  void send_reply(ServerInfoRef info) override { at("send_reply", *info); }
  void send_exception(ServerInfoRef info) override { at("send_exception", *info); }
  void send_other(ServerInfoRef info) override { at("send_other", *info); }

  std::map<std::string, ServerCode> code;

 private:
  void at(const char* point, ServerRequestInfo& info) {
    diary_.note(name_ + "." + point);
    const auto found = code.find(point);
    if (found != code.end()) found->second(info);
  }

  Diary& diary_;
  const std::string name_;
};

/// An ORB that is initialised by `initialise`, in pre_init().
OrbRef make_orb(const std::function<void(ORBInitInfo&)>& initialise, const Words& options = {},
                const std::function<void(ORBInitInfo&)>& afterwards = {});

class TargetServant final : public CORBA::servant_traits<Spied::Target>::base_type {
 public:
  TargetServant(Diary& diary, std::string name) : diary_(diary), name_(std::move(name)) {}
  std::string who() override { return name_; }
  std::int32_t add(std::int32_t a, std::int32_t b) override {
    diary_.note("servant");
    return a + b;
  }
  double scale(double by) override { return by * 2; }
  void refuse() override { throw Spied::Refused("asked to"); }
  void fail() override { throw CORBA::TRANSIENT(7, CORBA::CompletionStatus::COMPLETED_NO); }
  void note(std::int32_t number) override {
    diary_.note("servant");
    noted_ += number;
  }
  std::int32_t noted() override { return noted_; }
  std::int32_t exchange_slot(std::int32_t number) override;
  std::string ask(TargetRef other) override { return other->who(); }

  CORBA::object_reference<Current> current;

 private:
  Diary& diary_;
  const std::string name_;
  std::atomic<std::int32_t> noted_{0};
};

/// Spies "c1", "c2" in the client's ORB and "s1", "s2" in the server's, one slot in each.
class Spies : public ::testing::Test {
 protected:
  /// What the tests may prepare before start().
  Words server_options, client_options;
  std::vector<CORBA::object_reference<IORInterceptor>> ior_interceptors;

  void start();
  void TearDown() override;
  /// A servant of that name, and the client's reference to it.
  TargetRef publish(const std::string& name);
  TargetRef at_client(const CORBA::object_reference<CORBA::Object>& object);

  Diary diary;
  CORBA::object_reference<ClientSpy> c1 = CORBA::make_reference<ClientSpy>(diary, "c1");
  CORBA::object_reference<ClientSpy> c2 = CORBA::make_reference<ClientSpy>(diary, "c2");
  CORBA::object_reference<ServerSpy> s1 = CORBA::make_reference<ServerSpy>(diary, "s1");
  CORBA::object_reference<ServerSpy> s2 = CORBA::make_reference<ServerSpy>(diary, "s2");
  OrbRef server, client;
  TargetRef target;
  SlotId client_slot = 99, server_slot = 99;
};

/// The minor code of the system exception that `code` raises; 0: none.
template <typename Exception>
std::uint32_t minor_of(const std::function<void()>& code) {
  try {
    code();
  } catch (const Exception& exception) {
    return exception.minor();
  }
  return 0;
}

CORBA::Any number_in_any(std::int32_t number);
std::int32_t number_of(const CORBA::Any& any, std::int32_t otherwise = -1);

}  // namespace tenon::spied
