// SPDX-License-Identifier: Apache-2.0
//
// How connections begin: what is checked before memory of a peer is mapped, and of which user a peer is.
#include <sys/wait.h>

#include <csignal>

#include "base/minor_codes.hpp"
#include "base/trail.hpp"
#include "plugins/shmiop/acceptor.hpp"
#include "plugins/shmiop/ends_test_support.hpp"
#include "plugins/shmiop/raw_client_test_support.hpp"

namespace tenon::shmiop {
namespace {

struct Wrong {
  const char* name;
  std::vector<int> descriptors;
  Hello hello;
  std::size_t size = sizeof(Hello);
};

TEST(Greeting, WhatIsWrongIsRefusedBeforeItIsMapped) {
  Hello right;
  right.ring_octets = least_ring;
  const net::Descriptor good = raw_memory(right_size, right_seals);
  const net::Descriptor unsealed = raw_memory(right_size, 0);
  const net::Descriptor shrinks = raw_memory(right_size, F_SEAL_GROW | F_SEAL_SEAL);
  const net::Descriptor grows = raw_memory(right_size, F_SEAL_SHRINK | F_SEAL_SEAL);
  const net::Descriptor sealable = raw_memory(right_size, F_SEAL_SHRINK | F_SEAL_GROW);
  const net::Descriptor no_writing = raw_memory(right_size, right_seals | F_SEAL_WRITE);
  const net::Descriptor smaller = raw_memory(right_size - 1, right_seals);
  const net::Descriptor larger = raw_memory(right_size + 1, right_seals);
  const net::Descriptor empty = raw_memory(0, right_seals);
  const std::string path = testing::TempDir() + "shmiop-file-" + std::to_string(::getpid());
  const net::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ::unlink(path.c_str());
  ASSERT_EQ(::ftruncate(file.get(), right_size), 0);
  const net::Descriptor no_file(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto with = [&](auto change) {
    Hello hello = right;
    change(hello);
    return hello;
  };
  const Hello most = with([](Hello& hello) { hello.ring_octets = 0xFFFFFFFF; });
  const std::vector<Wrong> all = {
      {"no descriptor", {}, right},
      {"two descriptors", {good.get(), good.get()}, right},
      {"more descriptors than are looked at", std::vector<int>(9, good.get()), right},
      {"not sealed", {unsealed.get()}, right},
      {"may shrink", {shrinks.get()}, right},
      {"may grow", {grows.get()}, right},
      {"may be sealed further", {sealable.get()}, right},
      {"cannot be written to", {no_writing.get()}, right},
      {"too small", {smaller.get()}, right},
      {"too large", {larger.get()}, right},
      {"empty", {empty.get()}, right},
      {"a file", {file.get()}, right},
      {"a socket", {no_file.get()}, right},
      {"magic", {good.get()}, with([](Hello& hello) { ++hello.magic; })},
      {"version", {good.get()}, with([](Hello& hello) { ++hello.version; })},
      {"no ring", {good.get()}, with([](Hello& hello) { hello.ring_octets = 0; })},
      {"no power of two", {good.get()}, with([](Hello& hello) { hello.ring_octets = least_ring + 1; })},
      {"a ring that is too small", {good.get()}, with([](Hello& hello) {
         hello.ring_octets = least_ring / 2;
       })},
      {"another ring than its memory is for", {good.get()}, with([](Hello& h) {
         h.ring_octets = 2 * least_ring;
       })},
      {"a ring that is too large", {good.get()}, with([](Hello& h) { h.ring_octets = 2 * largest_ring; })},
      {"the largest number", {good.get()}, most},
      {"cut off", {good.get()}, right, sizeof(Hello) - 1},
      {"one octet", {}, right, 1},
  };
  for (const Wrong& each : all) {
    for (const bool sends : {false, true}) {
      const std::ptrdiff_t before = open_descriptors();
      {
        RawPair pair;
        ASSERT_TRUE(send_raw(pair.client.get(), &each.hello, each.size, each.descriptors)) << each.name;
        const std::uint8_t octet = 1;
        const cdr::Piece piece{&octet, 1};
        const protocol::Transfer got =
            sends ? pair.server->send({&piece, 1}, Deadline::after_ms(10'000)) : receive_one(*pair.server);
        EXPECT_EQ(got.result, protocol::Io::failed) << each.name;
        EXPECT_EQ(got.os_error, EPROTO) << each.name;
        // The peer is told.
        char end = 0;
        EXPECT_EQ(::recv(pair.client.get(), &end, 1, MSG_DONTWAIT), 0) << each.name;
        EXPECT_EQ(receive_one(*pair.server).result, protocol::Io::failed) << each.name;
      }
      EXPECT_EQ(open_descriptors(), before) << each.name;
    }
  }
}

TEST(Greeting, TheRightOneIsTaken) {
  const std::ptrdiff_t before = open_descriptors();
  RawPair pair;
  pair.greet();
  EXPECT_EQ(open_descriptors(), before + 2) << "only the sockets stay open";
  EXPECT_EQ(receive_one(*pair.server, Deadline::immediately()).result, protocol::Io::timed_out);
  pair.segment.to_server().control->tail.store(1);
  EXPECT_EQ(receive_one(*pair.server).result, protocol::Io::ok);
}

TEST(Greeting, IsWaitedForAsLongAsTheDeadlineSays) {
  RawPair pair;
  EXPECT_EQ(receive_one(*pair.server, Deadline::immediately()).result, protocol::Io::timed_out);
  const Deadline soon = Deadline::after_ms(20);
  EXPECT_EQ(receive_one(*pair.server, soon).result, protocol::Io::timed_out);
  EXPECT_TRUE(soon.expired());
  EXPECT_FALSE(pair.server->wait(Deadline::after_ms(10)));
  const std::uint8_t octet = 1;
  const cdr::Piece piece{&octet, 1};
  EXPECT_EQ(pair.server->send({&piece, 1}, Deadline::after_ms(10)).result, protocol::Io::timed_out);
  pair.server->set_timeouts(10, 10);
  EXPECT_EQ(receive_one(*pair.server, Deadline::never()).result, protocol::Io::timed_out);
}

TEST(Greeting, APeerThatGoesBeforeHasClosed) {
  RawPair pair;
  pair.client.reset();
  EXPECT_EQ(receive_one(*pair.server).result, protocol::Io::closed);
  const std::uint8_t octet = 1;
  const cdr::Piece piece{&octet, 1};
  EXPECT_EQ(pair.server->send({&piece, 1}, Deadline::never()).result, protocol::Io::failed);
}

TEST(Greeting, OnesOwnEndWakesWhoWaitsForIt) {
  RawPair pair;
  std::thread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    pair.server->shut_down();
  });
  EXPECT_EQ(receive_one(*pair.server, Deadline::never()).result, protocol::Io::failed);
  ends.join();
}

// --- users ---

TEST(Users, OfAPeerAreKnown) {
  RawPair pair;
  std::string who;
  EXPECT_TRUE(is_of_user(pair.client.get(), ::geteuid(), who));
  EXPECT_EQ(who, "process " + std::to_string(::getpid()) + " of user " + std::to_string(::geteuid()));
  EXPECT_FALSE(is_of_user(pair.client.get(), ::geteuid() + 1, who));
  EXPECT_FALSE(is_of_user(-1, ::geteuid(), who));
}

TEST(Users, OthersAreNotServed) {
  Plugin plugin;
  add_listening(plugin);
  std::string why;
  const auto acceptor = plugin.listen("shmiop://", why);
  ASSERT_TRUE(acceptor) << why;
  const std::string address = acceptor->published().front();
  static_cast<SharedAcceptor&>(*acceptor).settings().user = ::geteuid() + 1;
  const net::Descriptor client = raw_connection(address);
  ASSERT_TRUE(client);
  const auto accepted = acceptor->accept_now();
  ASSERT_TRUE(accepted);
  EXPECT_FALSE(*accepted);
  char end = 0;
  EXPECT_EQ(::recv(client.get(), &end, 1, 0), 0);
  // The next one of the right user is.
  static_cast<SharedAcceptor&>(*acceptor).settings().user = ::geteuid();
  const net::Descriptor other = raw_connection(address);
  const auto next = acceptor->accept_now();
  ASSERT_TRUE(next);
  EXPECT_TRUE(*next);
}

/// A process of another user, which root can make.
class OtherUser {
 public:
  template <typename Work>
  explicit OtherUser(Work work) : process_(::fork()) {
    if (process_ != 0) return;
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(99);
    ::_exit(work());
  }
  ~OtherUser() { end(); }
  OtherUser(const OtherUser&) = delete;
  OtherUser& operator=(const OtherUser&) = delete;
  int end(bool kill = true) {
    if (process_ <= 0) return -1;
    int status = 0;
    if (kill) ::kill(process_, SIGKILL);
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return status;
  }

 private:
  pid_t process_;
};

TEST(Users, AnotherUsersServerIsNotConnectedTo) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root has processes of other users";
  const std::string name = "tenon-shmiop-other-" + std::to_string(::getpid());
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  OtherUser server([&] {
    const auto plugin = make_plugin();
    std::string why;
    const auto acceptor = plugin->listen("shmiop://@" + name, why);
    if (!acceptor || ::write(ready[1], "x", 1) != 1) return 1;
    for (;;) ::pause();
  });
  char octet = 0;
  ASSERT_EQ(::read(ready[0], &octet, 1), 1);
  Trail::mine().restart();
  const auto made = make_plugin()->connect("@" + name, Deadline::after_ms(10'000));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error(), errors::cannot_connect);
  const std::string tried = text(Trail::mine().take());
  EXPECT_NE(tried.find("listens there, and shared memory is for processes of one user"), std::string::npos)
      << tried;
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(Users, AnotherUsersClientIsHungUpOn) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root has processes of other users";
  const auto plugin = make_plugin();
  std::string why;
  const auto acceptor = plugin->listen("shmiop://", why);
  ASSERT_TRUE(acceptor) << why;
  OtherUser client([&] {
    const net::Descriptor socket = raw_connection(acceptor->published().front());
    net::Descriptor memory;
    const Segment segment = Segment::make(least_ring, memory);
    Hello hello;
    hello.ring_octets = least_ring;
    static_cast<void>(send_hello(socket.get(), hello, memory.get()));
    char end = 0;
    return ::recv(socket.get(), &end, 1, 0) <= 0 ? 0 : 1;
  });
  std::thread accepts([&] { EXPECT_FALSE(acceptor->accept()); });
  EXPECT_EQ(client.end(false), 0);
  acceptor->shut_down();
  accepts.join();
}

}  // namespace
}  // namespace tenon::shmiop
