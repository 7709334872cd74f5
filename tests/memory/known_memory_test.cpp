// SPDX-License-Identifier: Apache-2.0
//
// An ORB whose memory is known: what exceeds its limits is refused, everything else goes on. The memory belongs to the process, so all
// tests have the limits of the first one.
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <semaphore>
#include <string>
#include <tenon/memory.hpp>
#include <tenon/parts.hpp>
#include <tenon/tenon.hpp>
#include <tenon/timeout.hpp>
#include <vector>

#include "base/buffer.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "bench/param/tenon/operations.hpp"
#include "heap_skel.hpp"
#include "param_async.hpp"
#include "param_skel.hpp"

namespace tenon {
namespace {

constexpr std::size_t buffers = 1 << 20;
constexpr unsigned connections = 8;
constexpr unsigned objects = 16;

class Echo final : public CORBA::servant_traits<Param::ParamTest>::base_type {
 public:
  std::int16_t test_short(std::int16_t s1, std::int16_t&, std::int16_t&) override { return s1; }
  std::string test_ubstring(const std::string& s1, std::string&, std::string&) override { return s1; }
  Param::FixedStruct test_fixed_struct(const Param::FixedStruct& s1, Param::FixedStruct&,
                                       Param::FixedStruct&) override {
    return s1;
  }
  Param::StrSeq test_strseq(const Param::StrSeq& s1, Param::StrSeq&, Param::StrSeq&) override { return s1; }
  Param::VarStruct test_var_struct(const Param::VarStruct& s1, Param::VarStruct&,
                                   Param::VarStruct&) override {
    return s1;
  }
  Param::NestedStruct test_nested_struct(const Param::NestedStruct& s1, Param::NestedStruct&,
                                         Param::NestedStruct&) override {
    return s1;
  }
  Param::StructSeq test_struct_seq(const Param::StructSeq& s1, Param::StructSeq&,
                                   Param::StructSeq&) override {
    return s1;
  }
};

Configuration configured(const char* id) {
  Configuration made;
  made.id = id;
  made.endpoints = {"iiop://127.0.0.1:0"};
  made.limits = {.connections = connections, .requests = 16, .buffers = buffers, .objects = objects};
  return made;
}

MemoryUse use_of(memory::Kind kind) { return memory_report()[static_cast<std::size_t>(kind)]; }

class KnownMemory : public testing::Test {
 protected:
  KnownMemory() {
    param = publish(server, servant, "Param");
    const std::string url = corbaloc(server, "Param");
    port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    remote = IDL::traits<Param::ParamTest>::narrow(client->string_to_object(url));
    set_timeout(*remote, std::chrono::seconds(5));
  }
  ~KnownMemory() override {
    remote = nullptr;
    client->destroy();
    server->destroy();
  }

  std::string echo(const std::string& text) {
    std::string inout;
    std::string out;
    return remote->test_ubstring(text, inout, out);
  }

  CORBA::object_reference<CORBA::ORB> server =
      init_orb(configured("server"), {tenon::server, parts::known_memory});
  CORBA::object_reference<CORBA::ORB> client = init_orb(
      configured("client"), {tenon::client, parts::corbaloc, parts::connection_limit, parts::known_memory});
  CORBA::servant_reference<Echo> servant = CORBA::make_reference<Echo>();
  CORBA::object_reference<Param::ParamTest> param;
  CORBA::object_reference<Param::ParamTest> remote;
  std::uint16_t port = 0;
};

TEST_F(KnownMemory, is_taken_at_the_start_and_reported) {
  EXPECT_STREQ(use_of(memory::Kind::buffers).kind, "buffers");
  EXPECT_EQ(use_of(memory::Kind::buffers).reserved, buffers);
  EXPECT_GE(use_of(memory::Kind::connections).reserved, connections * 1024U);
  EXPECT_EQ(echo("hello"), "hello");
  EXPECT_GT(use_of(memory::Kind::connections).in_use, 0U);
  EXPECT_GE(use_of(memory::Kind::buffers).most_in_use, 8192U);
  // A connection takes less than is reserved for one, so that none of the allowed ones lacks memory.
  EXPECT_LT(use_of(memory::Kind::connections).in_use, use_of(memory::Kind::connections).reserved / 2);
}

/// Many strings are written into the message; one large one would be sent from where it lies.
Param::StrSeq strings(std::size_t octets) { return Param::StrSeq(octets / 100, std::string(96, 'x')); }

TEST_F(KnownMemory, a_message_above_half_of_the_buffers_is_refused_and_the_next_call_works) {
  EXPECT_THROW(echo(std::string(buffers, 'x')), CORBA::IMP_LIMIT);
  EXPECT_EQ(echo(std::string(10000, 'x')).size(), 10000U);
}

TEST_F(KnownMemory, a_message_that_finds_no_buffer_is_refused_and_the_next_call_works) {
  EXPECT_EQ(echo("hello"), "hello");
  const std::size_t before = use_of(memory::Kind::buffers).refused;
  std::vector<Buffer> taken;  // as other calls would
  while (Buffer one = Buffer::acquire(64 * 1024)) taken.push_back(std::move(one));
  Param::StrSeq inout;
  Param::StrSeq out;
  try {
    remote->test_strseq(strings(100'000), inout, out);
    ADD_FAILURE() << "there was a buffer";
  } catch (const CORBA::NO_RESOURCES& e) {
    EXPECT_EQ(e.minor(), errors::memory_limit_reached.minor);
    EXPECT_EQ(e.completed(), CORBA::CompletionStatus::COMPLETED_NO);
  }
  EXPECT_GT(use_of(memory::Kind::buffers).refused, before);
  EXPECT_EQ(echo("hello"), "hello");
  taken.clear();
  EXPECT_EQ(remote->test_strseq(strings(100'000), inout, out).size(), 1000U);
}

TEST_F(KnownMemory, a_request_that_the_server_has_no_buffer_for_is_refused_and_the_connection_goes_on) {
  EXPECT_EQ(echo("hello"), "hello");
  std::vector<Buffer> taken;
  while (Buffer one = Buffer::acquire(64 * 1024)) taken.push_back(std::move(one));
  // The client sends it from where it lies, so it is the server that has no room.
  EXPECT_THROW(echo(std::string(200'000, 'x')), CORBA::IMP_LIMIT);
  EXPECT_EQ(echo("hello"), "hello");
  taken.clear();
  EXPECT_EQ(echo(std::string(200'000, 'x')).size(), 200'000U);
}

TEST_F(KnownMemory, connections_beyond_the_limit_are_refused_and_the_next_call_works) {
  EXPECT_EQ(echo("hello"), "hello");
  const std::size_t before = use_of(memory::Kind::connections).refused;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct Socket {
    explicit Socket(int descriptor) : fd(descriptor) {}
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket() { ::close(fd); }
    const int fd;
  };
  std::deque<Socket> open;
  int refused = 0;
  for (unsigned i = 0; i < 5 * connections; ++i) {
    const int fd = open.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)).fd;
    ASSERT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  timeval patience{.tv_sec = 2, .tv_usec = 0};
  char octets[64];
  for (const Socket& each : open) {
    ::setsockopt(each.fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (refused >= static_cast<int>(4 * connections)) break;
    // CloseConnection, or the end: not served. Those that are served are silent.
    patience.tv_sec = 0;
    patience.tv_usec = 200'000;
    if (::recv(each.fd, octets, sizeof octets, 0) >= 0) ++refused;
  }
  EXPECT_GE(refused, static_cast<int>(4 * connections));
  EXPECT_GE(use_of(memory::Kind::connections).refused, before + 4 * connections);
  open.clear();
  EXPECT_EQ(echo("hello"), "hello");
}

TEST_F(KnownMemory, one_object_too_many_is_refused_and_one_that_ends_makes_room) {
  const auto root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  std::vector<PortableServer::ObjectId> active;
  // One has been published.
  for (unsigned i = 1; i < objects; ++i)
    active.push_back(root->activate_object(CORBA::make_reference<Echo>()));
  EXPECT_GT(use_of(memory::Kind::objects).in_use, objects * 64U);
  const std::size_t before = use_of(memory::Kind::objects).refused;
  try {
    root->activate_object(CORBA::make_reference<Echo>());
    ADD_FAILURE() << "there was room";
  } catch (const CORBA::NO_RESOURCES& e) {
    EXPECT_EQ(e.minor(), errors::memory_limit_reached.minor);
  }
  EXPECT_THROW(root->servant_to_reference(CORBA::make_reference<Echo>()), CORBA::NO_RESOURCES);
  EXPECT_EQ(use_of(memory::Kind::objects).refused, before + 2);
  EXPECT_EQ(echo("hello"), "hello");
  root->deactivate_object(active.back());
  active.back() = root->activate_object(CORBA::make_reference<Echo>());
  EXPECT_THROW(root->activate_object(CORBA::make_reference<Echo>()), CORBA::NO_RESOURCES);
}

/// In POAs that take most: persistent, with ids of the program's own.
TEST(KnownMemoryOfObjects, suffices_for_several_poas) {
  const auto orb = init_orb(configured("poas"), {server, parts::poa, parts::known_memory});
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const CORBA::PolicyList policies = {
      root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT),
      root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)};
  constexpr unsigned each = 4;
  const auto activate = [](PortableServer::POA& poa, unsigned number) {
    poa.activate_object_with_id(PortableServer::string_to_ObjectId("object " + std::to_string(number)),
                                CORBA::make_reference<Echo>());
  };
  std::vector<CORBA::object_reference<PortableServer::POA>> poas;
  for (unsigned i = 0; i < objects / each; ++i) {
    poas.push_back(root->create_POA("poa " + std::to_string(i), root->the_POAManager(), policies));
    for (unsigned number = 0; number < each; ++number) activate(*poas.back(), number);
  }
  EXPECT_THROW(activate(*poas.front(), each), CORBA::NO_RESOURCES);
  poas.back()->destroy(true, true);
  activate(*poas.front(), each);
  orb->destroy();
}

TEST_F(KnownMemory, what_was_in_use_is_free_again) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(echo(std::string(100000, 'x')).size(), 100000U);
    client->destroy();
    client = init_orb(configured("client"),
                      {tenon::client, parts::corbaloc, parts::connection_limit, parts::known_memory});
    remote = IDL::traits<Param::ParamTest>::narrow(client->string_to_object(corbaloc(server, "Param")));
  }
  EXPECT_EQ(echo("hello"), "hello");
  client->destroy();
  server->destroy();
  EXPECT_EQ(use_of(memory::Kind::buffers).in_use, 0U);
}

/// The minor code of the NO_IMPLEMENT that the call raises.
template <class Call>
std::uint32_t not_implemented(const Call& call) {
  try {
    call();
  } catch (const CORBA::NO_IMPLEMENT& e) {
    return e.minor();
  }
  return 0;
}

TEST_F(KnownMemory, asynchronous_calls_and_hosts_that_are_looked_up_are_refused) {
  client->destroy();
  client = init_orb(configured("client"), {tenon::client, parts::corbaloc, parts::host_names,
                                           parts::asynchronous_calls, parts::known_memory});
  remote = IDL::traits<Param::ParamTest>::narrow(client->string_to_object(corbaloc(server, "Param")));
  EXPECT_EQ(not_implemented([&] { static_cast<void>(async(remote).test_short(1, 2).get()); }),
            errors::not_where_memory_is_known.minor);
  const auto named =
      client->string_to_object("corbaloc:iiop:1.2@localhost:" + std::to_string(port) + "/Param");
  EXPECT_EQ(not_implemented([&] { static_cast<void>(named->_is_a("IDL:x:1.0")); }),
            errors::not_where_memory_is_known.minor);
  EXPECT_EQ(echo("hello"), "hello");
}

class Meter final : public CORBA::servant_traits<Heap::Meter>::base_type {
 public:
  void phase(std::int32_t) override {}
  void nothing() override { called_after = oneways.load(); }
  void raise_user() override {}
  void raise_system() override {}
  void dawdle(std::uint32_t) override {}
  void dawdle_apart(std::uint32_t milliseconds) override {
    begun.release();
    const timespec time{0, static_cast<long>(milliseconds) * 1'000'000};
    ::nanosleep(&time, nullptr);
    ++oneways;
  }
  void finish() override {}

  std::counting_semaphore<> begun{0};
  std::atomic<int> oneways{0};
  std::atomic<int> called_after{0};  // how many had returned when nothing() was called
};

/// Takes what there is of one kind, as other requests would.
class Shortage {
 public:
  explicit Shortage(memory::Kind kind) {
    while (void* const one = memory::allocate(kind, 64)) taken_.push_back(one);
  }
  ~Shortage() { std::ranges::for_each(taken_, memory::release); }
  Shortage(const Shortage&) = delete;
  Shortage& operator=(const Shortage&) = delete;

 private:
  std::vector<void*> taken_;
};

TEST_F(KnownMemory, messages_that_come_together_are_all_read_without_a_larger_buffer) {
  const auto meter = CORBA::make_reference<Meter>();
  const auto published = publish(server, meter, "Meter");
  const auto far = IDL::traits<Heap::Meter>::narrow(client->string_to_object(corbaloc(server, "Meter")));
  set_timeout(*far, std::chrono::seconds(5));
  // The server lags behind, so that it finds more than a small buffer holds.
  const auto come_together = [&] {
    far->dawdle_apart(100);
    for (int i = 0; i < 2000; ++i) far->dawdle_apart(0);
    far->nothing();
  };
  far->nothing();
  std::vector<Buffer> taken;
  while (Buffer one = Buffer::acquire(64 * 1024)) taken.push_back(std::move(one));
  come_together();
  EXPECT_EQ(meter->called_after.load(), 2001);
  taken.clear();
  come_together();
  EXPECT_EQ(meter->called_after.load(), 4002);
}

TEST_F(KnownMemory, oneways_stay_in_order_when_there_is_no_memory_to_run_them_apart) {
  Configuration serving = configured("pool");
  serving.serving = orb::Serving::pool;
  const auto pool = init_orb(serving, {tenon::server, parts::pool, parts::known_memory});
  const auto meter = CORBA::make_reference<Meter>();
  const auto published = publish(pool, meter, "Meter");
  const auto far = IDL::traits<Heap::Meter>::narrow(client->string_to_object(corbaloc(pool, "Meter")));
  set_timeout(*far, std::chrono::seconds(5));
  far->nothing();
  {
    const Shortage none(memory::Kind::requests);
    for (int i = 0; i < 3; ++i) far->dawdle_apart(20);
    far->nothing();
    EXPECT_EQ(meter->called_after.load(), 3);
  }
  for (int i = 0; i < 3; ++i) far->dawdle_apart(20);
  far->nothing();
  EXPECT_EQ(meter->called_after.load(), 6);
  for (int i = 0; i < 6; ++i) meter->begun.acquire();

  // One that runs apart already: what comes behind it finds no memory to wait in.
  far->dawdle_apart(200);
  ASSERT_TRUE(meter->begun.try_acquire_for(std::chrono::seconds(5)));
  {
    const Shortage none(memory::Kind::requests);
    try {
      far->nothing();
      ADD_FAILURE() << "it did not wait for the oneway, or there was memory";
    } catch (const CORBA::NO_RESOURCES& e) {
      EXPECT_EQ(e.minor(), errors::memory_limit_reached.minor);
      EXPECT_EQ(e.completed(), CORBA::CompletionStatus::COMPLETED_NO);
    }
  }
  far->nothing();
  EXPECT_EQ(meter->called_after.load(), 7);
  pool->destroy();
}

std::string refusal_of(const Configuration& configuration, std::initializer_list<orb::Part> parts) {
  try {
    init_orb(configuration, parts)->destroy();
  } catch (const CORBA::BAD_PARAM& e) {
    return e.what();
  } catch (const CORBA::NO_MEMORY& e) {
    return e.what();
  }
  return "";
}

TEST(KnownMemoryLimits, are_all_set_and_need_their_part) {
  Configuration some = configured("some");
  some.limits.objects = 0;
  EXPECT_NE(refusal_of(some, {client, parts::known_memory}).find("or all are 0"), std::string::npos);
  EXPECT_NE(refusal_of(configured("partless"), {client}).find("tenon::parts::known_memory"),
            std::string::npos);
  Configuration small = configured("small");
  small.limits.buffers = 100;
  EXPECT_NE(refusal_of(small, {client, parts::known_memory}).find("16384 octets"), std::string::npos);
  Configuration narrow = configured("narrow");
  narrow.limits.connections = 2;
  narrow.limits.buffers = 32767;
  EXPECT_NE(refusal_of(narrow, {client, parts::known_memory})
                .find("buffers are 32767 octets; 2 connections take 16384 each"),
            std::string::npos);
}

TEST(KnownMemoryLimits, of_a_later_orb_are_not_higher) {
  init_orb(configured("first"), {client, parts::known_memory})->destroy();
  Configuration more = configured("more");
  more.limits.buffers = 2 * buffers;
  EXPECT_NE(refusal_of(more, {client, parts::known_memory}).find("lower limits"), std::string::npos);
  // Also where the octets that they stand for are no number of a 32-bit machine.
  Configuration absurd = configured("absurd");
  absurd.limits.requests = 1U << 31;
  EXPECT_NE(refusal_of(absurd, {client, parts::known_memory}).find("lower limits"), std::string::npos);
}

}  // namespace
}  // namespace tenon
