// SPDX-License-Identifier: Apache-2.0
//
// Nothing left to open and no thread to be had: whoever asks is told so, whoever is served goes on, and what was short is used again
// as soon as it is there.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "tests/faults/place.hpp"
#include "tests/faults/process.hpp"
#include "tests/faults/workload.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define TENON_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define TENON_SANITIZED 1
#endif
#if __has_feature(undefined_behavior_sanitizer)
#define TENON_CHECKS_WITH_DESCRIPTORS 1
#endif
#endif

namespace {
std::atomic<bool> no_more_threads{false};
}  // namespace

#ifndef TENON_SANITIZED
// Stands before the C library's, which the sanitizers replace themselves. A limit of the system would strike all processes of this user.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return no_more_threads ? EAGAIN : real(thread, attributes, run, argument);
}
#endif

namespace tenon::faults {
namespace {

using suite::Case;
using suite::ScopedOrb;
using suite::Words;

/// As long as it lives, this process can open nothing more.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int lowest = ::dup(0);
    ::close(lowest);
    // Those that are open stay so, whatever their numbers.
    const rlimit none{static_cast<rlim_t>(lowest), before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
};

class NoThreads {
 public:
  NoThreads() { no_more_threads = true; }
  ~NoThreads() { no_more_threads = false; }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;
};

/// The sanitizer looks at objects by means of a pipe.
bool tests_need_descriptors() {
#ifdef TENON_CHECKS_WITH_DESCRIPTORS
  return true;
#else
  return false;
#endif
}

class Exhausted : public ::testing::TestWithParam<Case> {
 protected:
  Exhausted()
      : server({"-ORBListenEndpoints", suite::endpoint_of(GetParam().protocol), "-ORBServing",
                GetParam().serving}) {
    publish_target(server.ref(), ledger);
    text = text_of_target(server->_endpoints().front());
  }
  void TearDown() override { EXPECT_EQ(ledger.contradictions(), ""); }

  Ledger ledger;
  ScopedOrb server;
  std::string text;
};
INSTANTIATE_TEST_SUITE_P(All, Exhausted, ::testing::ValuesIn(over_sockets()),
                         [](const auto& each) { return suite::name_of(each.param); });

TEST_P(Exhausted, DescriptorsOfAClient) {
  if (tests_need_descriptors()) GTEST_SKIP() << "the sanitizer of undefined behaviour needs descriptors";
  ScopedOrb old_one;
  Caller connected(target_at(*old_one, text), ledger, 1);
  ASSERT_TRUE(connected.call());
  ScopedOrb new_one;
  Caller caller(target_at(*new_one, text), ledger, 2);
  {
    const NoDescriptors none;
    for (int i = 0; i < 5; ++i) {
      EXPECT_FALSE(caller.call());
      EXPECT_TRUE(connected.call());
    }
  }
  // What did not leave this process was not executed.
  EXPECT_EQ(ledger.count(Ending::no), 5u);
  EXPECT_TRUE(caller.call());
  EXPECT_EQ(caller.surprises(), "");
}

/// The server cannot accept: whoever comes is refused or served later, nobody is forgotten.
TEST_P(Exhausted, DescriptorsOfAServer) {
  if (tests_need_descriptors()) GTEST_SKIP() << "the sanitizer of undefined behaviour needs descriptors";
  ScopedOrb old_one;
  Caller connected(target_at(*old_one, text), ledger, 1);
  ASSERT_TRUE(connected.call());
  const Place place(server->_endpoints().front());
  std::vector<suite::RawSocket> waiting;
  for (int i = 0; i < 10; ++i) waiting.emplace_back(place.new_socket());
  {
    const NoDescriptors none;
    for (const suite::RawSocket& each : waiting) {
      ASSERT_EQ(::connect(each.fd(), place.to(), place.size), 0);
      // Whoever has been refused already cannot send.
      each.send(suite::request(1, "target", "apply", octets_of(ledger.draw())));
    }
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(connected.call());
  }
  for (const suite::RawSocket& each : waiting) {
    std::uint8_t octet = 0;
    const bool answered = !each.receive_message().empty();
    const ssize_t came = ::recv(each.fd(), &octet, 1, MSG_DONTWAIT);
    EXPECT_TRUE(answered || came == 0 || errno != EAGAIN) << "neither served nor refused";
  }
  ScopedOrb later;
  Caller caller(target_at(*later, text), ledger, 2);
  EXPECT_TRUE(caller.call());
}

TEST_P(Exhausted, Threads) {
#ifdef TENON_SANITIZED
  GTEST_SKIP() << "sanitizers make the threads";
#endif
  ScopedOrb old_one;
  Caller connected(target_at(*old_one, text), ledger, 1);
  ASSERT_TRUE(connected.call());
  ScopedOrb new_one;
  const TargetRef target = target_at(*new_one, text);
  const auto outcome = [&] { return suite::outcome_of([&] { target->apply(ledger.draw()); }); };
  {
    const NoThreads none;
    for (int i = 0; i < 5; ++i) {
      // A pool has its threads; a thread for this connection is not to be had, and the server closes it.
      const std::string ended = outcome();
      if (GetParam().serving == "pool") {
        EXPECT_EQ(ended, "");
      } else {
        EXPECT_TRUE(ended.starts_with("COMM_FAILURE") || ended.starts_with("TRANSIENT")) << ended;
      }
      EXPECT_TRUE(connected.call());
    }
  }
  EXPECT_TRUE(suite::eventually([&] { return outcome().empty(); }));
}

}  // namespace
}  // namespace tenon::faults
