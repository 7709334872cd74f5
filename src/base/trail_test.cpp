// SPDX-License-Identifier: Apache-2.0
//
// The text of a trail, and that a trail stays small.
#include "base/trail.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <thread>

#include "base/minor_codes.hpp"

namespace tenon {
namespace {

TEST(Trail, SaysWhatWasTriedInOrder) {
  Trail trail;
  EXPECT_EQ(text(trail), "");
  trail.add({.step = Step::look_up,
             .error = errors::host_not_found,
             .took_ns = 12'345'678,
             .said = "no such name"});
  trail.place(0, 1, "iiop nobody.test:2809", errors::host_not_found, 0);
  trail.add({.step = Step::connect, .address = "192.0.2.7:1", .os_error = ECONNREFUSED, .took_ns = 240'000});
  trail.place(1, 2, "iiop host.test:1", errors::cannot_connect, 0);
  EXPECT_EQ(
      text(trail),
      "tried: profile 1, iiop nobody.test:2809: host name: no such name, after 12.3 ms; "
      "profile 2, iiop host.test:1 (192.0.2.7:1): connect: Connection refused (errno 111), after 0.2 ms");
  EXPECT_EQ(trail.tries()[1].error, errors::cannot_connect);
}

TEST(Trail, NumbersThatRepeatThePlaceAreLeftOut) {
  Trail trail;
  trail.add({.step = Step::connect, .address = "127.0.0.1:9", .os_error = ECONNREFUSED});
  trail.place(0, 0, "iiop 127.0.0.1:9", errors::cannot_connect, 0);
  EXPECT_EQ(text(trail), "tried: iiop 127.0.0.1:9: connect: Connection refused (errno 111)");
}

TEST(Trail, APlaceWhereNothingWasNotedGetsAnEntry) {
  Trail trail;
  trail.place(0, 3, "shmiop /x", errors::connect_timed_out, 30'000'000'000);
  EXPECT_EQ(text(trail), "tried: profile 3, shmiop /x: connect: " +
                             std::string(describe(errors::connect_timed_out)) + ", after 30.0 s");
}

TEST(Trail, AnswersOfServers) {
  EXPECT_EQ(
      text(
          Try{.step = Step::answer, .place = "iiop h:1", .error = errors::object_not_active, .said = "gone"}),
      "iiop h:1: the server answered OBJECT_NOT_EXIST, saying 'gone'");
  EXPECT_EQ(
      text(Try{
          .step = Step::call, .place = "iiop h:1", .error = {SystemException::transient, Completion::no, 7}}),
      "iiop h:1: call: TRANSIENT (minor 0x00000007; completed NO)");
}

TEST(Trail, StaysSmall) {
  Trail trail;
  for (std::size_t i = 0; i < Trail::most + 5; ++i) {
    trail.add({.place = std::string(100'000, 'x')});
  }
  EXPECT_EQ(trail.tries().size(), Trail::most);
  EXPECT_EQ(trail.size(), Trail::most + 5);
  EXPECT_EQ(trail.tries()[0].place.size(), Trail::longest);
  EXPECT_TRUE(text(trail).ends_with("; and 5 more"));
  std::string umlauts = "x";
  while (umlauts.size() < 1000) umlauts += "\xC3\xBC";
  Trail cut;
  cut.add({.said = umlauts});
  EXPECT_EQ(cut.tries()[0].said, umlauts.substr(0, Trail::longest - 3) + "...");
  cut.add({.said = umlauts.substr(1)});
  EXPECT_EQ(cut.tries()[1].said, umlauts.substr(1, Trail::longest - 4) + "...") << "no half of a character";
  Trail both;
  both.append(trail.take());
  EXPECT_EQ(both.size(), Trail::most + 5);
  EXPECT_TRUE(trail.empty());
}

TEST(Trail, EachThreadHasItsOwn) {
  Trail::mine().restart();
  Trail::mine().add({.place = "here"});
  bool empty = false;
  std::thread([&] { empty = Trail::mine().empty(); }).join();
  EXPECT_TRUE(empty);
  EXPECT_EQ(Trail::mine().take().size(), 1U);
  EXPECT_TRUE(Trail::mine().empty());
}

}  // namespace
}  // namespace tenon
