// SPDX-License-Identifier: Apache-2.0
//
// Part of transport_suite.hpp: listening, connecting, and addresses in references.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/minor_codes.hpp"

namespace tenon::conformance {

TYPED_TEST_P(TransportSuite, PublishesAddressesThatCanBeConnectedTo) {
  const std::string endpoint = this->acceptor_->endpoint();
  EXPECT_TRUE(endpoint.starts_with(std::string(this->plugin_->name()) + "://")) << endpoint;
  ASSERT_FALSE(this->acceptor_->published().empty());
  for (const std::string& text : this->acceptor_->published()) {
    this->make_pair(text);
    ASSERT_FALSE(this->HasFatalFailure()) << text;
    ASSERT_TRUE(send_all(*this->client_, {7, 8, 9}, 3));
    EXPECT_EQ(receive_all(*this->server_, 3), (Bytes{7, 8, 9})) << text;
  }
}

TYPED_TEST_P(TransportSuite, ProfileKeepsWhatItWasGiven) {
  protocol::ProfileView view;
  view.minor = 2;
  view.object_key = {0, 1, 0xFF, '/', '%'};
  view.addresses = {this->address()};
  view.components = {{0x54540001, {1, 2, 3}}, {0x54540002, {}}};
  const ior::TaggedProfile profile = this->plugin_->make_profile(view);
  EXPECT_EQ(profile.tag, this->plugin_->profile_tag());
  const auto again = this->plugin_->read_profile(profile.data);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->minor, view.minor);
  EXPECT_EQ(again->object_key, view.object_key);
  EXPECT_EQ(again->addresses, view.addresses);
  EXPECT_EQ(again->components, view.components);
}

TYPED_TEST_P(TransportSuite, BrokenProfilesAreErrors) {
  protocol::ProfileView view;
  view.minor = 2;
  view.object_key = pattern(40, 10);
  view.addresses = {this->address()};
  const Bytes whole = this->plugin_->make_profile(view).data;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // A copy of exactly this size, so that a sanitizer notices code that reads beyond it.
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(this->plugin_->read_profile(cut)) << size;
  }
  EXPECT_TRUE(this->plugin_->read_profile(whole));
}

TYPED_TEST_P(TransportSuite, UrlAddressRoundTrip) {
  protocol::ProfileView view;
  view.minor = 2;
  view.addresses = {this->address()};
  const std::string text = this->plugin_->url_address(view, 0);
  protocol::ProfileView again;
  std::string why;
  ASSERT_TRUE(this->plugin_->read_url_address(text, again, why)) << text << ": " << why;
  EXPECT_EQ(again.addresses, view.addresses);
  EXPECT_EQ(again.minor, view.minor);
  EXPECT_FALSE(this->plugin_->read_url_address("", again, why));
  EXPECT_FALSE(why.empty());
}

TYPED_TEST_P(TransportSuite, WrongEndpointsAreExplained) {
  const std::string scheme(this->plugin_->name());
  for (const std::string& text : {std::string("nonsense"), std::string("other://"), scheme, scheme + ":"}) {
    std::string why;
    EXPECT_FALSE(this->plugin_->listen(text, why)) << text;
    EXPECT_NE(why.find("'" + text + "'"), std::string::npos) << why;
    EXPECT_NE(why.find(scheme + "://"), std::string::npos) << why;
  }
}

TYPED_TEST_P(TransportSuite, ConnectingToNobodyFails) {
  const auto made = this->plugin_->connect({TypeParam::nowhere()}, Deadline::after_ms(patience_ms));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error(), errors::cannot_connect);
}

TYPED_TEST_P(TransportSuite, ShutDownWakesAccept) {
  bool accepted = true;
  std::atomic<int> started{0};
  std::thread first([&] {
    ++started;
    accepted = static_cast<bool>(this->acceptor_->accept());
  });
  while (started == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  this->acceptor_->shut_down();
  first.join();
  EXPECT_FALSE(accepted);
  EXPECT_FALSE(this->acceptor_->accept());
  this->acceptor_->shut_down();
}

TYPED_TEST_P(TransportSuite, ShutDownRefusesPeers) {
  this->acceptor_->shut_down();
  EXPECT_FALSE(this->plugin_->connect(this->address().text, Deadline::after_ms(patience_ms)));
}

TYPED_TEST_P(TransportSuite, ManyConnections) {
  constexpr std::size_t count = 150;
  std::vector<std::unique_ptr<Transport>> servers;
  std::thread acceptor([&] {
    for (std::size_t i = 0; i < count; ++i) servers.push_back(this->accept_only());
  });
  std::vector<std::unique_ptr<Transport>> clients;
  for (std::size_t i = 0; i < count; ++i) clients.push_back(this->connect_only());
  acceptor.join();
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(clients[i]);
    ASSERT_TRUE(servers[i]);
    ASSERT_TRUE(send_all(*clients[i], {static_cast<std::uint8_t>(i)}, 1));
  }
  // Accepting keeps no order; all the bytes arrive, each on a path of its own.
  std::vector<int> seen(count, 0);
  for (const auto& server : servers) {
    const Bytes byte = receive_all(*server, 1);
    ASSERT_EQ(byte.size(), 1U);
    ++seen[byte[0]];
  }
  EXPECT_EQ(seen, std::vector<int>(count, 1));
}

/// A child process, which ends with the scope at the latest: it holds the test's output open.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t process() const { return process_; }
  /// How it ended, as waitpid() says; -1 when that is known already.
  int end() {
    int status = -1;
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, &status, 0);
    }
    process_ = -1;
    return status;
  }

 private:
  pid_t process_;
};

/// Serves in a child process that may not open one descriptor more: accepts, gives a byte back, forever.
template <typename Suite>
[[noreturn]] void serve_without_descriptors(Suite accept_one) {
  const int next = ::dup(0);
  ::close(next);
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = static_cast<rlim_t>(next);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  for (;;) accept_one();
}

TYPED_TEST_P(TransportSuite, OutOfDescriptorsRefusesAndRecovers) {
  if constexpr (!TypeParam::uses_descriptors) {
    GTEST_SKIP() << "this transport has no descriptors to run out of";
  } else {
    Child child(::fork());
    ASSERT_GE(child.process(), 0);
    if (child.process() == 0) {
      serve_without_descriptors([this] {
        const auto server = this->accept_only();
        std::uint8_t byte = 0;
        if (!server || receive_some(*server, {&byte, 1}, Deadline{}).result != Io::ok) return;
        send_all(*server, {byte}, 1);
      });
    }
    // The child takes its limit at some moment; until then it serves. Refused means: an end, not a silence. It may come so
    // early that there is no connection.
    Io refused = Io::ok;
    for (int tries = 0; tries < 500 && refused == Io::ok; ++tries) {
      const auto client = this->connect_only();
      std::uint8_t byte = 0;
      const cdr::Piece piece{&byte, 1};
      if (!client || client->send({&piece, 1}, Deadline{}).result != Io::ok) {
        refused = Io::failed;
      } else {
        refused = receive_some(*client, {&byte, 1}, Deadline{}).result;
      }
    }
    EXPECT_TRUE(refused == Io::closed || refused == Io::failed);

    rlimit limit{};
    ASSERT_EQ(::prlimit(child.process(), RLIMIT_NOFILE, nullptr, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    ASSERT_EQ(::prlimit(child.process(), RLIMIT_NOFILE, &limit, nullptr), 0);
    // A client that connects while the limit rises may still be refused once; the listening socket has survived.
    bool served = false;
    for (int tries = 0; tries < 500 && !served; ++tries) {
      const auto client = this->connect_only();
      served = client && send_all(*client, {5}, 1) && receive_all(*client, 1) == Bytes{5};
    }
    EXPECT_TRUE(served);
    EXPECT_TRUE(WIFSIGNALED(child.end()));
  }
}

}  // namespace tenon::conformance
