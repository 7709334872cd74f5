// SPDX-License-Identifier: Apache-2.0
//
// For tests: an object in one ORB, and a client's ORB that calls it over TCP.
#pragma once

#include <gtest/gtest.h>
#include <tenon/dynamic.hpp>
#include <tenon/messaging.hpp>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "streams_any.hpp"
#include "streams_skel.hpp"

namespace tenon::standard {

class MirrorServant final : public CORBA::servant_traits<Streams::Mirror>::base_type {
 public:
  CORBA::valuetype_reference<Streams::Everything> back(
      CORBA::valuetype_reference<Streams::Everything> given) override {
    return given;
  }
  void raise(const std::string& name) override { raise_named(name); }

  /// Throws the system exception of that name, with minor 7 and completed MAYBE.
  [[noreturn]] static void raise_named(const std::string& name);
};

class Standard : public ::testing::Test {
 protected:
  void SetUp() override {
    server = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1"}, "standard-server");
    client = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1"}, "standard-client");
    mirror = IDL::traits<Streams::Mirror>::narrow(client->string_to_object(
        server->object_to_string(publish(server, CORBA::make_reference<MirrorServant>()))));
    ASSERT_TRUE(mirror);
  }
  void TearDown() override {
    client->destroy();
    server->destroy();
  }

  CORBA::object_reference<CORBA::ORB> server, client;
  CORBA::object_reference<Streams::Mirror> mirror;
};

}  // namespace tenon::standard
