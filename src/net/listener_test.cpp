// SPDX-License-Identifier: Apache-2.0
//
// Listening and connecting, mostly over Unix-domain sockets in a folder of the test's own. Tests for all transports are in
// tests/conformance/transport_suite.hpp.
#include "net/listener.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "net/connect.hpp"

namespace tenon::net {
namespace {

class UnixListener : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "tenon-net-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ + "/socket";
    std::string why;
    const auto address = unix_address(path_, why);
    ASSERT_TRUE(address) << why;
    address_ = *address;
  }
  void TearDown() override {
    ::unlink(path_.c_str());
    EXPECT_EQ(::rmdir(folder_.c_str()), 0) << "something was left behind";
  }
  bool exists() const {
    struct stat entry{};
    return ::lstat(path_.c_str(), &entry) == 0;
  }
  int connect_error() const {
    int error = 0;
    connect_stream({&address_, 1}, Deadline::after_ms(5000), error);
    return error;
  }
  /// Makes the socket file that a killed server leaves behind.
  void leave_stale_socket() const {
    const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::bind(socket.get(), address_.get(), address_.size()), 0);
    ASSERT_EQ(::listen(socket.get(), 1), 0);
  }

  std::string folder_;
  std::string path_;
  SocketAddress address_;
};

TEST_F(UnixListener, TakesOverAnAbandonedPath) {
  leave_stale_socket();
  ASSERT_TRUE(exists());
  EXPECT_EQ(connect_error(), ECONNREFUSED);
  Listener listener;
  std::string why;
  ASSERT_TRUE(listener.open_path(address_, {}, why)) << why;
  EXPECT_EQ(connect_error(), 0);
}

TEST_F(UnixListener, LeavesALivingServerAlone) {
  Listener first;
  std::string why;
  ASSERT_TRUE(first.open_path(address_, {}, why)) << why;
  Listener second;
  EXPECT_FALSE(second.open_path(address_, {}, why));
  EXPECT_NE(why.find(path_), std::string::npos) << why;
  EXPECT_NE(why.find("a process, perhaps this one, listens there"), std::string::npos) << why;
  second.shut_down();
  EXPECT_EQ(connect_error(), 0);
}

TEST_F(UnixListener, SaysThatItMayNotConnect) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can have processes of other users";
  leave_stale_socket();
  ASSERT_EQ(::chmod(folder_.c_str(), 0777), 0);
  ASSERT_EQ(::chmod(path_.c_str(), 0700), 0);
  int said[2];
  ASSERT_EQ(::pipe(said), 0);
  const pid_t other = ::fork();
  ASSERT_GE(other, 0);
  if (other == 0) {
    std::string why = "it listens";
    Listener listener;
    if (::setuid(65534) == 0) static_cast<void>(listener.open_path(address_, {}, why));
    ::_exit(::write(said[1], why.data(), why.size()) > 0 ? 0 : 1);
  }
  ::close(said[1]);
  char text[1000];
  const ssize_t octets = ::read(said[0], text, sizeof text);
  ::close(said[0]);
  ::waitpid(other, nullptr, 0);
  ASSERT_GT(octets, 0);
  const std::string why(text, static_cast<std::size_t>(octets));
  EXPECT_NE(why.find("a socket of user 0 to which this process may not connect"), std::string::npos) << why;
  EXPECT_TRUE(exists());
}

TEST_F(UnixListener, SaysWhatHelpsWhereThereIsNoFolder) {
  std::string why;
  const auto nowhere = unix_address(folder_ + "/none/socket", why);
  ASSERT_TRUE(nowhere) << why;
  Listener listener;
  EXPECT_FALSE(listener.open_path(*nowhere, {}, why));
  EXPECT_NE(why.find("make its folder first"), std::string::npos) << why;
}

TEST_F(UnixListener, LeavesAFileAlone) {
  const Descriptor file(::open(path_.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  ASSERT_TRUE(file);
  Listener listener;
  std::string why;
  EXPECT_FALSE(listener.open_path(address_, {}, why));
  EXPECT_NE(why.find("not a socket"), std::string::npos) << why;
  EXPECT_TRUE(exists());
}

TEST_F(UnixListener, RemovesItsPathAndOnlyItsOwn) {
  Listener first;
  std::string why;
  ASSERT_TRUE(first.open_path(address_, {}, why)) << why;
  // The path is removed, and another server is started on it.
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  Listener second;
  ASSERT_TRUE(second.open_path(address_, {}, why)) << why;
  first.shut_down();
  EXPECT_TRUE(exists());
  EXPECT_EQ(connect_error(), 0);
  second.shut_down();
  EXPECT_FALSE(exists());
}

// Else they would wait until the socket is closed.
TEST_F(UnixListener, HangsUpOnThoseThatWereNotAccepted) {
  std::string why;
  const auto abstract = unix_address("@tenon-listener-test-" + std::to_string(::getpid()), why);
  ASSERT_TRUE(abstract) << why;
  for (const SocketAddress& where : {address_, *abstract}) {
    SCOPED_TRACE(where.text());
    Listener listener;
    ASSERT_TRUE(listener.open_path(where, {}, why)) << why;
    std::vector<Descriptor> waiting;
    for (int i = 0; i < 3; ++i) {
      int error = 0;
      waiting.push_back(connect_stream({&where, 1}, Deadline::after_ms(5000), error));
      ASSERT_EQ(error, 0);
    }
    listener.shut_down();
    for (const Descriptor& each : waiting) {
      char octet = 0;
      EXPECT_EQ(::recv(each.get(), &octet, 1, MSG_DONTWAIT), 0) << "errno " << errno;
    }
    int error = 0;
    connect_stream({&where, 1}, Deadline::after_ms(5000), error);
    EXPECT_NE(error, 0) << "it listens no more";
  }
}

TEST_F(UnixListener, SetsPermissions) {
  Listener listener;
  std::string why;
  ListenOptions options;
  options.mode = 0620;
  ASSERT_TRUE(listener.open_path(address_, options, why)) << why;
  struct stat entry{};
  ASSERT_EQ(::stat(path_.c_str(), &entry), 0);
  EXPECT_EQ(entry.st_mode & 0777, 0620U);
}

TEST_F(UnixListener, FullBacklogWaitsForTheDeadline) {
  Listener listener;
  std::string why;
  ListenOptions options;
  options.backlog = 1;
  ASSERT_TRUE(listener.open_path(address_, options, why)) << why;
  std::vector<Descriptor> waiting;
  int error = 0;
  while (waiting.size() < 10) {
    Descriptor socket = connect_stream({&address_, 1}, Deadline::after_ms(20), error);
    if (!socket) break;
    waiting.push_back(std::move(socket));
  }
  EXPECT_FALSE(waiting.empty());
  EXPECT_EQ(error, ETIMEDOUT);
}

TEST(TcpListener, PortInUseIsExplained) {
  Listener first;
  std::string why;
  ASSERT_TRUE(first.open(*numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  EXPECT_NE(first.address().port(), 0);
  Listener second;
  EXPECT_FALSE(second.open(first.address(), {}, why));
  EXPECT_NE(why.find(first.address().text()), std::string::npos) << why;
  EXPECT_NE(why.find("in use"), std::string::npos) << why;
}

TEST(TcpConnect, TriesAddressesInOrder) {
  Listener gone;
  Listener there;
  std::string why;
  ASSERT_TRUE(gone.open(*numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  ASSERT_TRUE(there.open(*numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  gone.shut_down();
  const SocketAddress addresses[] = {gone.address(), there.address()};
  for (const Deadline deadline : {Deadline{}, Deadline::after_ms(5000)}) {
    int error = 0;
    const Descriptor socket = connect_stream(addresses, deadline, error);
    ASSERT_TRUE(socket) << error_text(error);
    EXPECT_EQ(peer_address(socket.get()), there.address());
    EXPECT_EQ(::fcntl(socket.get(), F_GETFL) & O_NONBLOCK, 0);
  }
  int error = 0;
  EXPECT_FALSE(connect_stream({addresses, 1}, Deadline{}, error));
  EXPECT_EQ(error, ECONNREFUSED);
  EXPECT_FALSE(connect_stream({}, Deadline{}, error));
  EXPECT_NE(error, 0);
}

TEST(TcpConnect, AnAddressThatSwallowsPacketsTimesOut) {
  // A listener whose backlog is full drops further handshakes on Linux, which looks like a dead host.
  Listener full;
  Listener there;
  std::string why;
  ListenOptions options;
  options.backlog = 1;
  ASSERT_TRUE(full.open(*numeric_address({"127.0.0.1", 0}), options, why)) << why;
  ASSERT_TRUE(there.open(*numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  std::vector<Descriptor> waiting;
  int error = 0;
  const SocketAddress address = full.address();
  while (waiting.size() < 10) {
    Descriptor socket = connect_stream({&address, 1}, Deadline::after_ms(100), error);
    if (!socket) break;
    waiting.push_back(std::move(socket));
  }
  ASSERT_LT(waiting.size(), 10U);
  EXPECT_EQ(error, ETIMEDOUT);
  // The next address still gets its share of the time.
  const SocketAddress both[] = {address, there.address()};
  EXPECT_TRUE(connect_stream(both, Deadline::after_ms(400), error)) << error_text(error);
}

TEST(Listener, AcceptsWithoutWaiting) {
  Listener listener;
  std::string why;
  ASSERT_TRUE(listener.open(*numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  SocketAddress peer;
  EXPECT_FALSE(listener.accept_now(peer));
  EXPECT_FALSE(listener.is_shut_down());
  int error = 0;
  const SocketAddress address = listener.address();
  const Descriptor socket = connect_stream({&address, 1}, Deadline{}, error);
  ASSERT_TRUE(socket) << error_text(error);
  const Descriptor accepted = listener.accept_now(peer);
  ASSERT_TRUE(accepted);
  EXPECT_EQ(peer, local_address(socket.get()));
  EXPECT_FALSE(listener.accept_now(peer));
  listener.shut_down();
  EXPECT_FALSE(listener.accept_now(peer));
  EXPECT_TRUE(listener.is_shut_down());
}

/// While one exists, this process opens only descriptors below a number.
class DescriptorsBelow {
 public:
  explicit DescriptorsBelow(int number) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    set(number);
  }
  void set(int number) {
    const rlimit limit{static_cast<rlim_t>(number), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  ~DescriptorsBelow() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorsBelow(const DescriptorsBelow&) = delete;
  DescriptorsBelow& operator=(const DescriptorsBelow&) = delete;

 private:
  rlimit before_{};
};

// When the reserve is given up for a moment, another thread may take its descriptor. The next free descriptor must become the reserve
// again, not a connection, after which no peer could be refused.
TEST(Listener, RegainsItsReserveFirst) {
  const Descriptor first(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const Descriptor second(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Listener listener;
  std::string why;
  ASSERT_TRUE(listener.open(*numeric_address({"127.0.0.1", 0}), {}, why)) << why;
  const int unused = ::dup(0);
  ::close(unused);
  const SocketAddress address = listener.address();
  SocketAddress peer;
  {
    DescriptorsBelow limit(unused - 1);  // the reserve's number is above it: as good as taken
    ASSERT_EQ(::connect(first.get(), address.get(), address.size()), 0);
    EXPECT_FALSE(listener.accept_now(peer));
    limit.set(unused);
    EXPECT_FALSE(listener.accept_now(peer));
  }
  std::uint8_t byte = 0;
  EXPECT_EQ(::recv(first.get(), &byte, 1, MSG_DONTWAIT), -1);
  EXPECT_EQ(errno, ECONNRESET);
  ASSERT_EQ(::connect(second.get(), address.get(), address.size()), 0);
  EXPECT_TRUE(listener.accept_now(peer));
}

TEST(TcpConnect, NeverConnectsToItself) {
  // Linux goes through the ephemeral ports that are even against the range's start, some further for each connect(), so that one
  // connect() to a free one of them soon has it as its source too: TCP's simultaneous open, which the kernel allows.
  SocketAddress address = *numeric_address({"127.0.0.1", 0});
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(socket.get(), address.get(), address.size()), 0);
  address.set_port(local_address(socket.get()).port() ^ 1);  // bind() prefers the odd ones
  for (int i = 0; i < 40000; ++i) {
    int error = 0;
    const Descriptor connected = connect_stream({&address, 1}, Deadline{}, error);
    ASSERT_FALSE(connected && local_address(connected.get()) == peer_address(connected.get())) << i;
  }
}

}  // namespace
}  // namespace tenon::net
