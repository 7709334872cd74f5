// SPDX-License-Identifier: Apache-2.0
//
// Which connection a call gets, and that none goes away under a thread that is taking it.
#include "orb/client/endpoint.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <functional>
#include <thread>

#include "base/minor_codes.hpp"
#include "orb/client/outgoing_limit.hpp"

namespace tenon::orb {
namespace {

std::atomic<int> alive{0};

class FakeTransport final : public protocol::Transport {
 public:
  protocol::Transfer send(std::span<const cdr::Piece>, Deadline) override {
    return {protocol::Io::failed, 0, 0};
  }
  protocol::Transfer receive(MutableBytes, Deadline) override { return {protocol::Io::closed, 0, 0}; }
  bool wait(Deadline) override { return true; }
  void set_timeouts(std::uint32_t, std::uint32_t) override {}
  void shut_down() noexcept override {}
  std::string peer() const override { return "fake"; }
  std::string local() const override { return "fake"; }
};

/// Busy and dead as the test says; carries oneways only.
class FakeConnection final : public protocol::Connection {
 public:
  FakeConnection() { alive.fetch_add(1); }
  ~FakeConnection() override { alive.fetch_sub(1); }
  Status begin(protocol::OutgoingCall&, const protocol::Target&) override { return {}; }
  Status post(protocol::OutgoingCall&) override { return {}; }
  void end(protocol::OutgoingCall&) noexcept override {}
  unsigned in_flight() const noexcept override { return calls.load(); }
  bool usable() const noexcept override { return !dead.load(); }
  void close() noexcept override { dead.store(true); }
  bool close_if_idle() noexcept override { return calls.load() == 0 && !dead.exchange(true); }
  void abort() noexcept override { dead.store(true); }
  protocol::Transport& transport() noexcept override { return transport_; }

  std::atomic<unsigned> calls{0};
  std::atomic<bool> dead{false};
  std::shared_ptr<void> place;

 private:
  FakeTransport transport_;
};

class FakeMessaging final : public protocol::Messaging {
 public:
  std::string_view name() const noexcept override { return "fake"; }
  Result<Ref<protocol::Connection>> connect(std::unique_ptr<protocol::Transport>, protocol::Role,
                                            const protocol::MessagingOptions& options) override {
    auto made = make_ref<FakeConnection>();
    made->place = options.place;
    return Ref<protocol::Connection>(made);
  }
  std::vector<ior::TaggedComponent> components(const protocol::MessagingOptions&) const override {
    return {};
  }
};

class FakePlugin final : public protocol::TransportPlugin {
 public:
  std::string_view name() const noexcept override { return "fake"; }
  std::uint32_t profile_tag() const noexcept override { return 0; }
  std::unique_ptr<protocol::Acceptor> listen(std::string_view, std::string&) override { return nullptr; }
  Result<std::unique_ptr<protocol::Transport>> connect(std::string_view, Deadline) override {
    if (refuses) return errors::cannot_connect;
    if (on_connect) on_connect();
    if (descriptors.load() <= 0) return errors::out_of_descriptors;
    descriptors.fetch_sub(1);
    return std::unique_ptr<protocol::Transport>(std::make_unique<FakeTransport>());
  }
  Result<protocol::ProfileView> read_profile(ByteView) const override { return protocol::ProfileView{}; }
  ior::TaggedProfile make_profile(const protocol::ProfileView&) const override { return {}; }
  bool read_url_address(std::string_view, protocol::ProfileView&, std::string&) const override {
    return false;
  }
  std::string url_address(const protocol::ProfileView&, std::size_t) const override { return {}; }
  bool refuses = false;
  std::atomic<int> descriptors{1'000'000};
  std::function<void()> on_connect;
};

class EndpointTest : public testing::Test {
 protected:
  void make(unsigned most) {
    options.connections_per_endpoint = most;
    endpoint =
        make_ref<Endpoint>(LinkKey{.transport = "fake", .address = "there"}, plugin, messaging, options);
  }
  Ref<protocol::Connection> take(bool fresh, bool may_share = false) {
    auto taken = endpoint->take(Deadline::never());
    if (!taken) {
      ADD_FAILURE() << "no connection";
      return nullptr;
    }
    EXPECT_EQ(taken->fresh, fresh);
    EXPECT_EQ(taken->may_share, may_share);
    return taken->connection;
  }
  static FakeConnection& fake(const Ref<protocol::Connection>& connection) {
    return static_cast<FakeConnection&>(*connection);
  }

  Options options;
  FakePlugin plugin;
  FakeMessaging messaging;
  Ref<Endpoint> endpoint;
};

TEST_F(EndpointTest, IdleOnesAreUsedAgain) {
  make(3);
  const auto first = take(true);
  EXPECT_EQ(take(false), first);
  fake(first).calls = 1;
  const auto second = take(true);
  EXPECT_NE(second, first);
  fake(first).calls = 0;
  EXPECT_EQ(take(false), first);
}

TEST_F(EndpointTest, TheLeastBusyIsSharedAtTheLimit) {
  make(2);
  const auto first = take(true);
  fake(first).calls = 5;
  const auto second = take(true);
  fake(second).calls = 3;
  EXPECT_EQ(take(false, true), second);
  fake(second).calls = 6;
  EXPECT_EQ(take(false, true), first);
}

TEST_F(EndpointTest, DeadOnesMakeRoom) {
  alive = 0;
  make(1);
  auto first = take(true);
  fake(first).dead = true;
  const auto second = take(true);
  EXPECT_NE(second, first);
  EXPECT_EQ(alive.load(), 2);
  first.reset();
  EXPECT_EQ(alive.load(), 1) << "the endpoint keeps a dead connection";
}

TEST_F(EndpointTest, RefusedAndClosed) {
  make(1);
  plugin.refuses = true;
  EXPECT_EQ(endpoint->take(Deadline::never()).error(), errors::cannot_connect);
  plugin.refuses = false;
  const auto only = take(true);
  endpoint->close_all_by(Deadline::never());
  EXPECT_FALSE(only->usable());
  EXPECT_EQ(endpoint->take(Deadline::never()).error(), errors::orb_has_shut_down);
}

TEST_F(EndpointTest, WhoMayNotConnectAgain) {
  make(2);
  const auto refused = [&] { return endpoint->take(Deadline::never(), Connecting::refused); };
  EXPECT_EQ(refused().error(), errors::rebind_refused);
  const auto first = take(true);
  EXPECT_EQ(refused()->connection, first);
  fake(first).calls = 1;
  // While a busy connection is usable, opening a second one does not count as connecting again.
  const auto second = refused();
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->fresh);
  fake(first).dead = true;
  EXPECT_EQ(refused()->connection, second->connection);
  fake(second->connection).dead = true;
  EXPECT_EQ(refused().error(), errors::rebind_refused);
}

/// The test says whether there is room.
class NotedLimit final : public OutgoingLimit {
 public:
  using OutgoingLimit::OutgoingLimit;
  bool make_room() noexcept override {
    ++asked;
    return victim && std::exchange(victim, nullptr)->close_if_idle();
  }
  int asked = 0;
  Ref<protocol::Connection> victim;
};

TEST_F(EndpointTest, AtTheLimitOfAllEndpoints) {
  NotedLimit limit(1);
  options.connect_timeout_ms = 30;
  const auto endpoint_for = [&](const char* address) {
    return make_ref<Endpoint>(LinkKey{.transport = "fake", .address = memory::String(address)}, plugin,
                              messaging, options, nullptr, &limit);
  };
  const auto here = endpoint_for("here");
  const auto there = endpoint_for("there");
  auto one = here->take(Deadline::never());
  ASSERT_TRUE(one);
  fake(one->connection).calls = 1;
  EXPECT_EQ(limit.asked, 0);
  EXPECT_EQ(here->take(Deadline::never())->connection, one->connection);  // shared, as good as any
  EXPECT_EQ(there->take(Deadline::never()).error(), errors::too_many_connections);
  EXPECT_EQ(there->take(Deadline::after_ms(5)).error(), errors::connection_wait_timed_out);
  EXPECT_GT(limit.asked, 2);
  // A place is free once nothing refers to the connection any more.
  fake(one->connection).calls = 0;
  limit.victim = one->connection;
  one->connection = nullptr;
  Endpoint::Idles idle;
  std::thread sweeper([&] {
    // The list of idle connections would keep them alive.
    for (; !here->find_idle(idle); idle.clear()) std::this_thread::yield();
    idle.clear();
  });
  options.connect_timeout_ms = 0;
  const auto other = there->take(Deadline::after_ms(30000));
  sweeper.join();
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->fresh);
  EXPECT_EQ(limit.take(), nullptr);
}

/// The descriptors of ended connections are given back once, however many calls lack one.
class DepartedLimit final : public OutgoingLimit {
 public:
  explicit DepartedLimit(FakePlugin& whose) : OutgoingLimit(0), plugin(whose) {}
  bool make_room() noexcept override { return false; }
  bool reap() noexcept override {
    const int held = departed.exchange(0);
    plugin.descriptors.fetch_add(held);
    ++reaped;
    return held != 0;
  }
  FakePlugin& plugin;
  std::atomic<int> departed{0};
  std::atomic<int> reaped{0};
};

TEST_F(EndpointTest, CallsThatLackADescriptorTogetherGetWhatOneOfThemGaveBack) {
  constexpr int calls = 8;
  DepartedLimit limit(plugin);
  options.connections_per_endpoint = calls;
  endpoint = make_ref<Endpoint>(LinkKey{.transport = "fake", .address = "there"}, plugin, messaging, options,
                                nullptr, &limit);
  plugin.descriptors = 0;
  limit.departed = calls;
  // No call gives back anything before all of them have found no descriptor.
  std::barrier all_try(calls);
  thread_local bool tried = false;
  plugin.on_connect = [&] {
    if (!std::exchange(tried, true)) all_try.arrive_and_wait();
  };
  std::atomic<int> fresh{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < calls; ++i) {
    threads.emplace_back([&] {
      const auto taken = endpoint->take(Deadline::never());
      if (taken && taken->fresh) fresh.fetch_add(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(fresh.load(), calls);
  EXPECT_EQ(limit.reaped.load(), 1);
  // Nothing is left to give back: a call to another address fails at once.
  plugin.on_connect = nullptr;
  const auto elsewhere = make_ref<Endpoint>(LinkKey{.transport = "fake", .address = "elsewhere"}, plugin,
                                            messaging, options, nullptr, &limit);
  EXPECT_EQ(elsewhere->take(Deadline::never()).error(), errors::out_of_descriptors);
  EXPECT_EQ(limit.reaped.load(), 2);
}

// For the thread sanitizer and the address sanitizer above all: connections die while threads take them.
TEST_F(EndpointTest, ConnectionsThatDieWhileTheyAreTaken) {
  alive = 0;
  make(4);
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      for (unsigned i = 0; i < 3000; ++i) {
        auto taken = endpoint->take(Deadline::never());
        if (!taken) {
          failures.fetch_add(1);
          continue;
        }
        FakeConnection& connection = fake(taken->connection);
        connection.calls.fetch_add(1);
        if ((i + seed) % 7 == 0) connection.dead.store(true);
        connection.calls.fetch_sub(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
  endpoint->close_all_by(Deadline::never());
  endpoint.reset();
  EXPECT_EQ(alive.load(), 0);
}

TEST(ConnectionOfOneways, RefusesWhatHasAReply) {
  FakeConnection connection;
  const protocol::CallSpec spec{.operation = "work"};
  protocol::OutgoingCall call(spec);
  EXPECT_EQ(connection.invoke(call).error(), errors::oneways_only);
  ior::Ior forward;
  EXPECT_EQ(connection.locate({}, Deadline::never(), forward).error(), errors::oneways_only);
}

}  // namespace
}  // namespace tenon::orb
