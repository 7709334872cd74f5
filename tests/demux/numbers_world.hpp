// SPDX-License-Identifier: Apache-2.0
//
// Servants whose operations are called by number, a server's ORB and a client's in one process, and a log of the requests between them.
//
// Threads: a test's own; servants and the ear are called from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "base/log.hpp"
#include "changed_skel.hpp"
#include "heir_skel.hpp"
#include "ior/components.hpp"
#include "numbers_skel.hpp"
#include "plain_skel.hpp"
#include "upon_skel.hpp"

namespace tenon::numbers {

using Words = std::vector<std::string>;
using ObjectRef = CORBA::object_reference<CORBA::Object>;
using OrbRef = CORBA::object_reference<CORBA::ORB>;
using PoaRef = CORBA::object_reference<PortableServer::POA>;
using ServantRef = CORBA::servant_reference<PortableServer::Servant>;
using LeftRef = CORBA::object_reference<Numbers::Left>;

/// The operations of Left, for the skeleton of any interface that has them.
template <typename Skeleton, typename Refused>
class LeftServant : public Skeleton {
 public:
  std::int32_t one(std::int32_t a) override {
    if (forward) throw PortableServer::ForwardRequest(forward);
    return a + 1;
  }
  std::int32_t two(std::int32_t a) override { return a + 2; }
  void note(std::int32_t number) override { noted += number; }
  std::int32_t level() override { return level_; }
  void level(std::int32_t value) override { level_ = value; }
  void refuse(std::int32_t number) override { throw Refused(number); }

  ObjectRef forward;  ///< where one() sends its callers; set before they call
  std::atomic<int> noted{0};

 private:
  std::atomic<std::int32_t> level_{0};
};

template <typename Skeleton>
class RightServant : public Skeleton {
 public:
  std::int32_t three(std::int32_t a) override { return a + 3; }
  std::int32_t four(std::int32_t a) override { return a + 4; }
  std::int32_t five(std::int32_t a) override { return a + 5; }
};

using Left = LeftServant<Numbers::Left_skeleton, Numbers::Refused>;
using PlainLeft = LeftServant<Plain::Left_skeleton, Plain::Refused>;
using Right = RightServant<Numbers::Right_skeleton>;

class Both final : public RightServant<LeftServant<Numbers::Both_skeleton, Numbers::Refused>> {
 public:
  std::int32_t six(std::int32_t a) override { return a + 6; }
};
class Apart final : public RightServant<LeftServant<Numbers::Apart_skeleton, Numbers::Refused>> {
 public:
  std::int32_t seven(std::int32_t a) override { return a + 7; }
};

class Heir final : public RightServant<LeftServant<Numbers::Heir_skeleton, Numbers::Refused>> {
 public:
  std::int32_t six(std::int32_t a) override { return a + 6; }
  std::int32_t own(std::int32_t a) override { return a + 10; }
};

class UponOne final : public LeftServant<Upon::One_skeleton, Numbers::Refused> {
 public:
  std::int32_t own(std::int32_t a) override { return a + 8; }
};
class UponBoth final : public RightServant<LeftServant<Upon::Joined_skeleton, Numbers::Refused>> {
 public:
  std::int32_t own(std::int32_t a) override { return a + 9; }
};

/// The operation names in requests, in the order in which they were sent, over connections that are made from now on.
class Ear {
 public:
  Ear();
  ~Ear();
  Ear(const Ear&) = delete;
  Ear& operator=(const Ear&) = delete;
  /// Since the last time; of a number that a reference has offered only "#" and the number.
  Words heard();

 private:
  void hear(std::string_view text);

  std::mutex mutex_;
  Words operations_;
};

/// A server and its client, with options for each.
class World {
 public:
  explicit World(const Words& server_options = {}, const Words& client_options = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// As the client sees it.
  template <typename Interface>
  CORBA::object_reference<Interface> at_client(const ObjectRef& object) const {
    return IDL::traits<Interface>::unchecked_narrow(
        client->string_to_object(server->object_to_string(object)));
  }
  /// A reference to that servant's object, in the root POA.
  template <typename Interface>
  CORBA::object_reference<Interface> serve(const ServantRef& servant) const {
    return at_client<Interface>(root->servant_to_reference(servant));
  }

  // The ear first: connections are traced that are made while it listens.
  mutable Ear ear;
  OrbRef server, client;
  PoaRef root;
};

/// The operation numbers that a reference's first profile offers.
std::optional<ior::OperationNumbers> offered_by(const ObjectRef& object);
/// The same reference with other components; `change` gets those of each profile.
ObjectRef with_components(CORBA::ORB& orb, const ObjectRef& object,
                          const std::function<void(std::vector<ior::TaggedComponent>&)>& change);
/// The same without the numbers.
ObjectRef without_numbers(CORBA::ORB& orb, const ObjectRef& object);

/// Calls an operation of that name, of the kind "long op(in long)"; -1: BAD_OPERATION.
std::int32_t call_by_name(CORBA::Object& object, std::string_view name, std::int32_t argument);

}  // namespace tenon::numbers
