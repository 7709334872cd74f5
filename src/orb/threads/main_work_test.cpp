// SPDX-License-Identifier: Apache-2.0
//
// Work for the main thread: who does it, in which order, and what becomes of it at the end.
#include "orb/threads/main_work.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace tenon::orb {
namespace {

using Ran = MainWork::Ran;

struct Noted final : MainWork::Posted {
  Noted(std::vector<int>& into, int what) : notes(into), number(what) {}
  void run() noexcept override { notes.push_back(number); }
  std::vector<int>& notes;
  const int number;
};

TEST(MainWork, TheFirstThreadThatServesDoesIt) {
  MainWork work;
  EXPECT_FALSE(work.is_main());
  work.perform();
  EXPECT_TRUE(work.is_main());
  std::thread::id seen;
  std::thread other([&] {
    work.perform();
    EXPECT_FALSE(work.is_main());
    EXPECT_EQ(work.run([&] { seen = std::this_thread::get_id(); }), Ran::done);
    work.serve();  // returns: not the main thread
    work.stop();
    work.finish();
  });
  work.serve();
  other.join();
  EXPECT_EQ(seen, std::this_thread::get_id());
}

TEST(MainWork, TheMainThreadNeedNotWaitForItself) {
  MainWork work;
  work.perform();
  bool inner = false;
  EXPECT_EQ(work.run([&] { EXPECT_EQ(work.run([&] { inner = true; }), Ran::done); }), Ran::done);
  EXPECT_TRUE(inner);
  EXPECT_FALSE(work.pending());
}

TEST(MainWork, OneAtATimeInOrder) {
  MainWork work;
  std::vector<int> notes;
  for (int i = 0; i < 5; ++i) work.post(new Noted(notes, i));
  EXPECT_TRUE(work.pending());
  EXPECT_TRUE(notes.empty());
  work.perform();
  EXPECT_EQ(notes, (std::vector<int>{0}));
  while (work.pending()) work.perform();
  EXPECT_EQ(notes, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(MainWork, StopSendsWaitersAwayAndDoesWhatWasPosted) {
  MainWork work;
  std::vector<int> notes;
  std::thread waiter([&] { EXPECT_EQ(work.run([&] { notes.push_back(99); }), Ran::refused); });
  while (!work.pending()) std::this_thread::yield();
  work.post(new Noted(notes, 1));
  work.stop();
  waiter.join();
  work.post(new Noted(notes, 2));
  EXPECT_EQ(work.run([&] { notes.push_back(98); }), Ran::refused);
  EXPECT_EQ(notes, (std::vector<int>{1, 2}));
}

TEST(MainWork, WhatHasNotBegunInTimeNeverBegins) {
  MainWork work;
  std::vector<int> notes;
  work.perform();  // this thread is the main one
  const auto impatient = [&] { return work.run([&] { notes.push_back(99); }, Deadline::after_ms(5)); };
  std::thread([&] {
    EXPECT_EQ(impatient(), Ran::late);
    EXPECT_FALSE(work.pending());
    work.post(new Noted(notes, 1));
    EXPECT_EQ(impatient(), Ran::late);
    EXPECT_EQ(work.run([&] { notes.push_back(98); }, Deadline::immediately()), Ran::late);
    work.post(new Noted(notes, 2));
  }).join();
  while (work.pending()) work.perform();
  EXPECT_EQ(notes, (std::vector<int>{1, 2}));
}

TEST(MainWork, WhatHasBegunIsWaitedFor) {
  MainWork work;
  std::atomic<bool> begun{false};
  work.perform();
  std::thread other([&] {
    const auto slow = [&] {
      begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    };
    Ran ran = Ran::late;
    // On a loaded machine it may not run in time.
    while (ran == Ran::late) ran = work.run(slow, Deadline::after_ms(20));
    EXPECT_EQ(ran, Ran::done);
  });
  while (!begun) work.perform();
  other.join();
}

// Work that is posted while an ORB shuts down runs on the main thread, as long as that serves.
TEST(MainWork, AMainThreadThatServesDoesWhatIsPostedToTheEnd) {
  MainWork work;
  std::vector<int> notes;
  std::thread other([&] {
    while (work.run([&] { notes.push_back(1); }) != Ran::done) {}
    work.stop();
    EXPECT_EQ(work.run([&] { notes.push_back(99); }), Ran::refused);
    work.post(new Noted(notes, 2));
    work.finish();
  });
  work.serve();
  other.join();
  EXPECT_EQ(notes, (std::vector<int>{1, 2}));
  work.post(new Noted(notes, 3));
  EXPECT_EQ(notes.size(), 3u);
}

bool readable(int fd) {
  pollfd watched{fd, POLLIN, 0};
  return ::poll(&watched, 1, 0) == 1;
}

TEST(MainWork, TheDescriptorIsReadableWhileThereIsWork) {
  MainWork work;
  std::vector<int> notes;
  work.perform();  // this thread is the main one
  const int fd = work.descriptor();
  ASSERT_GE(fd, 0);
  EXPECT_EQ(work.descriptor(), fd);
  EXPECT_FALSE(readable(fd));
  std::thread([&] {
    work.post(new Noted(notes, 1));
    work.post(new Noted(notes, 2));
  }).join();
  EXPECT_TRUE(readable(fd));
  work.perform();
  EXPECT_TRUE(readable(fd));
  work.perform();
  EXPECT_FALSE(readable(fd));
  EXPECT_EQ(notes, (std::vector<int>{1, 2}));
  work.stop();
  EXPECT_FALSE(readable(fd));
  work.finish();
  EXPECT_TRUE(readable(fd));
}

TEST(MainWork, ThePlaceOfTheMainThreadCanBeBorrowed) {
  MainWork work;
  EXPECT_FALSE(work.has_main());
  ASSERT_TRUE(work.claim_for_now());
  EXPECT_TRUE(work.is_main());
  std::atomic<bool> refused{false};
  std::atomic<bool> main{false};
  std::thread other([&] {
    EXPECT_FALSE(work.claim_for_now());
    refused = true;
    work.perform();  // waits until it is given back
    main = work.is_main();
  });
  while (!refused) std::this_thread::yield();
  EXPECT_TRUE(work.is_main());
  work.give_up();
  other.join();
  EXPECT_TRUE(main);
  EXPECT_FALSE(work.is_main());
  EXPECT_FALSE(work.claim_for_now());
}

TEST(MainWork, WhoeverHasBorrowedThePlaceMayKeepIt) {
  MainWork work;
  ASSERT_TRUE(work.claim_for_now());
  work.perform();
  work.give_up();
  EXPECT_TRUE(work.is_main());
}

}  // namespace
}  // namespace tenon::orb
