// SPDX-License-Identifier: Apache-2.0
//
// The server's side of a connection whose client is a script: how much memory waiting requests take, and what becomes of requests that
// cross CloseConnection.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "base/clock.hpp"
#include "base/minor_codes.hpp"
#include "giop/control.hpp"
#include "giop/reply.hpp"
#include "goodbye_pause_test_support.hpp"
#include "incoming.hpp"
#include "serving_connection_test_support.hpp"

namespace tenon::giop {
namespace {

// A request that waits for its turn still counts: no client can fill the memory with requests to a busy object.
TEST_F(ServingConnection, RequestsThatWaitCountAgainstTheBudget) {
  options.memory = std::make_shared<protocol::MemoryBudget>(std::size_t{4} << 20);
  connect();
  Keeper keeper;
  for (std::uint32_t i = 0; i < 3; ++i) {
    script->give(request(i, std::size_t{1} << 20));
    EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::detached);
  }
  EXPECT_GE(options.memory->used(), std::size_t{3} << 20);
  script->give(request(9, std::size_t{1} << 20));
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::closed);
  EXPECT_EQ(keeper.kept.size(), 3u);
  keeper.kept.clear();
  connection.reset();
  EXPECT_EQ(options.memory->used(), 0u);
}

TEST_F(ServingConnection, JoinedRequestCountsUntilItIsDone) {
  options.memory = std::make_shared<protocol::MemoryBudget>(std::size_t{64} << 20);
  connect();
  give_in_fragments(request(2, std::size_t{1} << 20));
  Keeper keeper;
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::detached);
  EXPECT_GE(options.memory->used(), std::size_t{1} << 20);
  keeper.kept.clear();
  connection.reset();
  EXPECT_EQ(options.memory->used(), 0u);
}

Octets cancel(std::uint32_t id) {
  const CancelRequest octets = cancel_request(id, 2);
  return {octets.begin(), octets.end()};
}

// Only requests that were taken can be cancelled, each by its own id; that one was is said once for each CancelRequest that finds it.
TEST_F(ServingConnection, TakenRequestsLearnThatTheyAreCancelled) {
  connect();
  Keeper keeper;
  for (const std::uint32_t id : {2u, 4u, 6u}) {
    script->give(request(id, 4));
    EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::detached);
  }
  const auto cancelled = [&] {
    std::string which;
    for (const auto& call : keeper.kept) which += call && call->cancelled() ? '1' : '0';
    return which;
  };
  EXPECT_EQ(cancelled(), "000");
  script->give(cancel(4));
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::message);
  EXPECT_EQ(cancelled(), "010");
  EXPECT_EQ(keeper.times_cancelled, 1);
  script->give(cancel(8));
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::message);
  EXPECT_EQ(cancelled(), "010");
  EXPECT_EQ(keeper.times_cancelled, 1);
  keeper.kept[1].reset();
  keeper.kept[0].reset();
  script->give(cancel(2));
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::message);
  EXPECT_EQ(keeper.times_cancelled, 1);
  script->give(cancel(6));
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::message);
  EXPECT_EQ(cancelled(), "001");
  EXPECT_EQ(keeper.times_cancelled, 2);
}

// A call may be taken out of one that was taken; only the last one is found.
TEST_F(ServingConnection, RequestsThatAreTakenTwiceCanBeCancelled) {
  connect();
  Keeper keeper;
  for (const std::uint32_t id : {2u, 4u}) {
    script->give(request(id, 4));
    EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::detached);
  }
  auto again = keeper.kept[0]->take();
  keeper.kept[0].reset();
  script->give(request(6, 4));
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::detached);
  script->give(cancel(2));
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::message);
  EXPECT_TRUE(again->cancelled());
  EXPECT_FALSE(keeper.kept[1]->cancelled());
  EXPECT_FALSE(keeper.kept[2]->cancelled());
}

/// Takes a request and lets go of it, with the upcall still running.
class Dropper final : public protocol::Dispatcher {
 public:
  void dispatch(protocol::IncomingCall& call) override {
    call.take().reset();
    EXPECT_TRUE(call.replied());
    EXPECT_EQ(call.operation, "keep");
    EXPECT_TRUE(std::ranges::equal(call.object_key, served_key));
    static_cast<void>(call.begin_reply(protocol::ReplyStatus::no_exception));
    EXPECT_TRUE(call.finish_reply());
    ++dropped;
  }
  protocol::LocateStatus locate(ByteView, ior::Ior&) override {
    return protocol::LocateStatus::unknown_object;
  }
  int dropped = 0;
};

// Data that the upcall's thread may still look at outlives the call that was taken; a reply that this thread still makes is dropped.
TEST_F(ServingConnection, SpentRequestsOutliveThoseThatWereTaken) {
  options.memory = std::make_shared<protocol::MemoryBudget>(std::size_t{64} << 20);
  connect();
  Dropper dropper;
  for (const std::size_t size : {std::size_t{4}, std::size_t{1} << 20}) {
    script->give(request(2, size));
    EXPECT_EQ(connection->serve(dropper, Deadline::never()), protocol::Served::detached);
  }
  EXPECT_EQ(dropper.dropped, 2);
  EXPECT_EQ(script->sends(), 0u);
  connection.reset();
  EXPECT_EQ(options.memory->used(), 0u);
}

// In a program that does not link it, no request is read over one that still runs.
TEST_F(ServingConnection, WithoutKeptRequestsNoneIsTakenOrDetached) {
  Incoming::kept_requests = nullptr;
  class Detacher final : public protocol::Dispatcher {
   public:
    void dispatch(protocol::IncomingCall& call) override {
      EXPECT_EQ(call.take(), nullptr);
      EXPECT_FALSE(call.replied());
      if (detaches) call.detach();
    }
    protocol::LocateStatus locate(ByteView, ior::Ior&) override {
      return protocol::LocateStatus::unknown_object;
    }
    bool detaches = false;
  } detacher;
  connect();
  script->give(request(2, 4));
  EXPECT_EQ(connection->serve(detacher, Deadline::never()), protocol::Served::message);
  detacher.detaches = true;
  script->give(request(4, 4));
  EXPECT_EQ(connection->serve(detacher, Deadline::never()), protocol::Served::closed);
  EXPECT_FALSE(connection->usable());
  enable_kept_requests();
}

/// A request whose header claims more octets than come.
Octets beginning(std::size_t claimed, std::size_t comes) {
  Octets octets = request(2, 100);
  const auto size = static_cast<std::uint32_t>(claimed - header_size);
  std::memcpy(octets.data() + 8, &size, sizeof size);
  octets.resize(comes);
  return octets;
}

protocol::MemoryBudget& with_budget(protocol::MessagingOptions& options, std::size_t bytes) {
  options.memory = std::make_shared<protocol::MemoryBudget>(bytes);
  return *options.memory;
}

// One connection may hold the same amount of requests, however they come.
TEST_F(ServingConnection, AConnectionHasALimitOfItsOwn) {
  constexpr std::size_t mib = 1 << 20;
  options.limits.memory = 4 * mib;
  const protocol::MemoryBudget& all = with_budget(options, 100 * mib);
  Keeper keeper;
  connect();
  script->give(beginning(200 * mib, 3 * mib));
  while (!script->is_empty())
    EXPECT_EQ(connection->serve(keeper, Deadline::immediately()), protocol::Served::idle);
  EXPECT_GE(all.used(), 3 * mib);
  script->give(Octets(2 * mib));
  protocol::Served served = protocol::Served::idle;
  while (served == protocol::Served::idle) served = connection->serve(keeper, Deadline::immediately());
  EXPECT_EQ(served, protocol::Served::closed);
  EXPECT_EQ(script->next_sent().at(7), static_cast<std::uint8_t>(MessageType::message_error));
  connection.reset();
  EXPECT_EQ(all.used(), 0u);

  // Requests that wait, and a further one.
  connect();
  for (std::uint32_t i = 0; i < 2; ++i) {
    script->give(request(i, mib));
    EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::detached);
  }
  script->give(request(9, 2 * mib));
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::closed);
  keeper.kept.clear();
  connection.reset();
  EXPECT_EQ(all.used(), 0u);
}

TEST_F(ServingConnection, NoLimitIsNone) {
  constexpr std::size_t mib = 1 << 20;
  options.limits.memory = 0;
  connect();
  Keeper keeper;
  script->give(request(0, 3 * mib));
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::detached);
  EXPECT_EQ(keeper.kept.size(), 1u);
  keeper.kept.clear();
}

// Thousands of small requests count as much as a few large ones.
TEST_F(ServingConnection, SmallRequestsThatWaitCount) {
  constexpr std::size_t limit = 40 * Buffer::small;
  const protocol::MemoryBudget& all = with_budget(options, limit);
  connect();
  Keeper keeper;
  std::uint32_t served = 0;
  for (; served < 1000; ++served) {
    script->give(request(2 * served, 10));
    if (connection->serve(keeper, Deadline::never()) != protocol::Served::detached) break;
  }
  EXPECT_EQ(keeper.kept.size(), 41u);
  EXPECT_EQ(served, 41u);
  EXPECT_EQ(all.used(), 41 * Buffer::small);
  EXPECT_EQ(script->next_sent().at(7), static_cast<std::uint8_t>(MessageType::message_error));
  keeper.kept.clear();
  connection.reset();
  EXPECT_EQ(all.used(), 0u);
}

// Requests that have come together with the last one are not executed once CloseConnection has been sent (§9.5.1.1).
TEST_F(ServingConnection, IdleServersTakeNoFurtherRequest) {
  connect();
  Octets two = request(0, 4);
  const Octets second = request(2, 4);
  two.insert(two.end(), second.begin(), second.end());
  script->give(two);
  Keeper keeper;
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::detached);
  EXPECT_FALSE(connection->close_if_idle());  // the first one runs
  keeper.kept.clear();
  EXPECT_TRUE(connection->close_if_idle());
  EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::closed);
  EXPECT_TRUE(keeper.kept.empty());
}

// The thread that reads may find a late request, and let go of the connection, before the closing thread has sent CloseConnection.
TEST_F(ServingConnection, WhoReadsDoesNotEndItBeforeGoodbyeIsSaid) {
  for (const bool idle : {true, false}) {
    connect();
    Keeper keeper;
    int goodbyes = 0;
    script->before_send = [&] {
      ++goodbyes;
      script->give(request(0, 4));
      EXPECT_EQ(connection->serve(keeper, Deadline::never()), protocol::Served::closed);
      connection->abort();
    };
    if (idle) {
      EXPECT_TRUE(connection->close_if_idle());
    } else {
      connection->close();
    }
    EXPECT_EQ(goodbyes, 1);
    EXPECT_TRUE(keeper.kept.empty());
    EXPECT_EQ(script->next_sent().at(7), static_cast<std::uint8_t>(MessageType::close_connection));
    EXPECT_EQ(script->receive({}, Deadline::immediately()).result, protocol::Io::failed);  // shut down
  }
}

// The same with a thread that serves, as in a server. With the pause it has the time to end the connection wrongly; without it, it does
// what a server does.
TEST_F(ServingConnection, WhoReadsAsideDoesNotEndItBeforeGoodbyeIsSaid) {
  for (const bool paused : {true, false}) {
    for (const bool idle : {true, false}) {
      connect();
      Keeper keeper;
      auto reader = std::async(std::launch::async, [&] {
        while (connection->serve(keeper, Deadline::never()) != protocol::Served::closed) {}
        connection->abort();
      });
      const auto too_late = [&] { script->give(request(0, 4)); };
      const GoodbyePause pause(paused, paused ? too_late : std::function<void()>());
      if (!paused) script->before_send = too_late;
      if (idle) {
        EXPECT_TRUE(connection->close_if_idle());
      } else {
        connection->close();
      }
      reader.get();
      EXPECT_TRUE(keeper.kept.empty());
      EXPECT_EQ(script->next_sent().at(7), static_cast<std::uint8_t>(MessageType::close_connection));
      EXPECT_TRUE(script->is_shut_down());
    }
  }
}

// An orderly end of many connections has one deadline for all: after it no thread waits for a peer that does not read, but a peer that
// reads still gets CloseConnection.
TEST_F(ServingConnection, GoodbyeWaitsNoLongerThanItMay) {
  for (const bool deaf : {true, false}) {
    connect();
    script->stick(deaf);
    connection->close_by(Deadline::immediately());
    EXPECT_TRUE(script->last_send_by().is_immediate());
    EXPECT_TRUE(script->is_shut_down());
    script->stick(false);
    EXPECT_EQ(script->sends(), deaf ? 0u : 1u);
  }
}

}  // namespace
}  // namespace tenon::giop
