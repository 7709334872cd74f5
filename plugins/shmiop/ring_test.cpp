// SPDX-License-Identifier: Apache-2.0
//
// One ring: what was written is read, whatever the places and sizes, and a peer's wrong words are noticed before anything is touched.
#include "plugins/shmiop/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

namespace tenon::shmiop {
namespace {

using Octets = std::vector<std::uint8_t>;

/// A ring in memory of its own, with guards before and behind the data.
class InMemory {
 public:
  static constexpr std::uint32_t octets = 64;
  static constexpr std::size_t guard = 32;

  explicit InMemory(std::uint32_t start = 0) {
    control_.tail.store(start);
    control_.head.store(start);
    writer.attach(ring(), start);
    reader.attach(ring(), start);
  }
  ~InMemory() {
    const auto whole = [](auto from) {
      return std::all_of(from, from + guard, [](std::uint8_t c) { return c == 0xEE; });
    };
    EXPECT_TRUE(whole(memory_.begin()) && whole(memory_.end() - guard)) << "written outside of the ring";
  }
  Ring ring() { return {&control_, memory_.data() + guard, octets}; }
  Control& control() { return control_; }

  std::uint32_t write(const Octets& data) {
    const cdr::Piece piece{data.data(), data.size()};
    Gathered message({&piece, 1});
    return writer.write(message, writer.room().value_or(0));
  }
  Octets read(std::size_t most) {
    Octets into(most);
    into.resize(reader.read(into).value_or(0));
    return into;
  }

  RingWriter writer;
  RingReader reader;

 private:
  Control control_{};
  Octets memory_ = Octets(octets + 2 * guard, 0xEE);
};

Octets counted(std::size_t size, std::uint8_t first) {
  Octets data(size);
  for (std::uint8_t& octet : data) octet = first++;
  return data;
}

TEST(Ring, IsEmptyAtFirst) {
  InMemory ring;
  EXPECT_FALSE(ring.reader.has_input());
  EXPECT_EQ(ring.writer.room(), InMemory::octets);
  EXPECT_EQ(ring.reader.read({}), 0U);
  EXPECT_EQ(ring.read(10), Octets());
}

TEST(Ring, FillsToTheLastOctet) {
  InMemory ring;
  const Octets data = counted(100, 1);
  EXPECT_EQ(ring.write(data), InMemory::octets);
  EXPECT_EQ(ring.writer.room(), 0U);
  EXPECT_EQ(ring.write(data), 0U);
  EXPECT_EQ(ring.read(1), Octets{1});
  EXPECT_EQ(ring.writer.room(), 1U);
  EXPECT_EQ(ring.read(100), Octets(data.begin() + 1, data.begin() + InMemory::octets));
  EXPECT_EQ(ring.writer.room(), InMemory::octets);
  EXPECT_FALSE(ring.reader.has_input());
}

/// Such a number of octets, of which all but the last are read, so that what is written next lies behind them.
void reach(InMemory& ring, std::uint32_t place) {
  ring.write(Octets(place, 0xAB));
  ring.read(place - 1);
}
/// What is read then.
Octets behind_last(const Octets& data) {
  Octets all{0xAB};
  all.insert(all.end(), data.begin(), data.end());
  return all;
}

// At every place and of every size; and where the counters pass 2^32.
TEST(Ring, GoesRound) {
  for (const std::uint32_t start : {0U, 0U - InMemory::octets}) {
    for (std::uint32_t place = 1; place <= InMemory::octets; ++place) {
      for (std::size_t size = 1; size < InMemory::octets; ++size) {
        InMemory ring(start);
        reach(ring, place);
        const Octets data = counted(size, static_cast<std::uint8_t>(place));
        ASSERT_EQ(ring.write(data), size);
        const Octets all = behind_last(data);
        const auto half = static_cast<std::ptrdiff_t>(all.size() / 2);
        ASSERT_EQ(ring.read(all.size() / 2), Octets(all.begin(), all.begin() + half));
        ASSERT_EQ(ring.read(size), Octets(all.begin() + half, all.end()));
        ASSERT_EQ(ring.writer.room(), InMemory::octets);
      }
    }
  }
}

// A small message that lies together goes the short way; every other one is left to the long way, and nothing has been done.
TEST(Ring, TakesSmallMessagesInOneStep) {
  for (std::uint32_t place = 2; place < InMemory::octets; ++place) {
    for (std::size_t size = 0; size < InMemory::octets; ++size) {
      InMemory ring;
      reach(ring, place);
      const Octets data = counted(size, static_cast<std::uint8_t>(place));
      const bool taken = ring.writer.write_one({data.data(), size});
      ASSERT_TRUE(taken || ring.write(data) == size);
      const bool short_way = size != 0 && size <= InMemory::octets / 2 && place <= InMemory::octets / 2;
      EXPECT_EQ(taken, short_way) << place << ' ' << size;
      ASSERT_EQ(ring.read(100), behind_last(data));
    }
  }
}

// Whatever was written before, and where the counters pass 2^32: an empty ring begins at its start.
TEST(Ring, StartsAgainWhenAllIsRead) {
  for (std::uint32_t place = 0; place < InMemory::octets; ++place) {
    InMemory ring(0U - 150 + place);
    for (std::size_t size = 1; size <= InMemory::octets; ++size) {
      const Octets data = counted(size, static_cast<std::uint8_t>(place));
      // A small message stays near the start: it lies in one piece there.
      const bool small = size % 2 == 0 && ring.writer.write_one({data.data(), size});
      ASSERT_TRUE(small || ring.write(data) == size);
      const auto shown = ring.reader.show();
      ASSERT_TRUE(shown);
      ASSERT_LE(shown->data() - ring.ring().data, small ? InMemory::octets / 2 - 1 : 0);
      ASSERT_GE(shown->size(), size);
      ASSERT_TRUE(std::equal(shown->begin(), shown->end(), data.begin(), data.end()));
      EXPECT_EQ(ring.writer.room(), InMemory::octets - size);
      ring.reader.release(static_cast<std::uint32_t>(size));
      ASSERT_EQ(ring.writer.room(), InMemory::octets);
    }
  }
}

TEST(Ring, ShowsWhatLiesInOnePiece) {
  InMemory ring;
  const Octets data = counted(40, 1);
  reach(ring, 50);
  ring.read(0);
  ring.write(data);
  const auto all = ring.reader.show();
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), ring.reader.largest_shown());
  EXPECT_EQ(all->size(), InMemory::octets - 49U);
  EXPECT_TRUE(ring.reader.has_input()) << "the rest, at the ring's start";
  ring.reader.release(5);
  EXPECT_EQ(ring.read(100), Octets(data.begin() + 4, data.end()));
  EXPECT_FALSE(ring.reader.has_input());
}

TEST(Ring, ShowsMoreAsItComes) {
  InMemory ring;
  const Octets data = counted(30, 1);
  for (std::size_t size = 1; size <= data.size(); ++size) {
    ring.write({data[size - 1]});
    EXPECT_TRUE(ring.reader.has_input());
    const auto shown = ring.reader.show();
    ASSERT_TRUE(shown);
    EXPECT_TRUE(std::equal(shown->begin(), shown->end(), data.begin(),
                           data.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_FALSE(ring.reader.has_input()) << "it was shown";
    EXPECT_EQ(ring.writer.room(), InMemory::octets - size) << "and takes its room";
  }
  ring.reader.release(10);
  EXPECT_TRUE(ring.reader.has_input()) << "what was not released comes again";
  EXPECT_EQ(ring.read(100), Octets(data.begin() + 10, data.end()));
}

// The reader's word means the ring's start only as long as the reader has not gone on.
TEST(Ring, KnowsWhereTheReaderIsAfterAStart) {
  InMemory ring;
  ring.write(counted(10, 1));
  ring.read(10);
  ring.write(counted(20, 1));
  EXPECT_EQ(ring.writer.room(), InMemory::octets - 20);
  ring.read(1);
  EXPECT_EQ(ring.writer.room(), InMemory::octets - 19);
  ring.control().head.store(10);
  EXPECT_EQ(ring.writer.room(), std::nullopt) << "54 octets more were skipped than the ring has room for";
}

TEST(Ring, TakesNoSmallMessageWithoutRoomOrReader) {
  InMemory ring;
  const Octets data = counted(20, 1);
  EXPECT_TRUE(ring.writer.write_one({data.data(), 20}));
  EXPECT_FALSE(ring.writer.write_one({data.data(), 4})) << "the reader stands still";
  ring.read(1);
  EXPECT_TRUE(ring.writer.write_one({data.data(), 4}));
  ring.read(1);
  EXPECT_TRUE(ring.writer.write_one({data.data(), 4}));
  ring.read(1);
  EXPECT_TRUE(ring.writer.write_one({data.data(), 20})) << "as long as half of the ring is free";
  ring.read(1);
  EXPECT_FALSE(ring.writer.write_one({data.data(), 1}));
  EXPECT_EQ(ring.read(100).size(), 44U);
  ring.control().head.store(1000);
  EXPECT_FALSE(ring.writer.write_one({data.data(), 1})) << "nonsense";
}

TEST(Ring, GathersPiecesOfWhichSomeAreEmpty) {
  InMemory ring(50);
  const Octets data = counted(90, 7);
  const cdr::Piece pieces[] = {{data.data(), 0},      {data.data(), 1},       {data.data() + 1, 0},
                               {data.data() + 1, 29}, {data.data() + 30, 60}, {data.data() + 90, 0}};
  Gathered message(pieces);
  Octets came;
  while (!message.at_end()) {
    ring.writer.write(message, std::min(ring.writer.room().value_or(0), 25U));
    const Octets now = ring.read(11);
    came.insert(came.end(), now.begin(), now.end());
  }
  const Octets rest = ring.read(100);
  came.insert(came.end(), rest.begin(), rest.end());
  EXPECT_EQ(came, data);
}

TEST(Ring, SaysWhenAWriterIsWorthWaking) {
  InMemory ring;
  ring.write(counted(InMemory::octets, 0));
  EXPECT_FALSE(ring.reader.much_room());
  ring.read(15);
  EXPECT_FALSE(ring.reader.much_room());
  ring.read(1);
  EXPECT_TRUE(ring.reader.much_room());
}

TEST(Ring, SaysWhenAReaderStandsStill) {
  InMemory ring;
  for (int round = 0; round < 3; ++round) {
    ring.write({1});
    unsigned stalled = 0;
    for (std::uint32_t i = 0; i < 4 * RingWriter::stalls_borne; ++i) {
      EXPECT_TRUE(ring.writer.room());
      stalled += ring.writer.stalled() ? 1 : 0;
    }
    EXPECT_GE(stalled, 3U);
    EXPECT_LE(stalled, 4U);
    ring.read(1);
    for (std::uint32_t i = 0; i < 4 * RingWriter::stalls_borne; ++i) {
      EXPECT_TRUE(ring.writer.room());
      EXPECT_FALSE(ring.writer.stalled());
    }
  }
}

TEST(HostileRing, WordsThatCannotBeAreNonsense) {
  for (const std::uint32_t wrong : {65U, 66U, 1000U, 0x80000000U, 0xFFFFFFFFU}) {
    InMemory ring;
    ring.control().tail.store(wrong);
    Octets into(1000);
    EXPECT_EQ(ring.reader.read(into), std::nullopt) << wrong;
    ring.control().head.store(0 - wrong);
    EXPECT_EQ(ring.writer.room(), std::nullopt) << wrong;
  }
}

// What a hostile peer can reach: octets that it might have sent as well, an end, and nothing outside of the ring (see ~InMemory).
TEST(HostileRing, AnyWordsAtAnyTime) {
  std::minstd_rand random(1);
  std::size_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto start = static_cast<std::uint32_t>(random());
    InMemory ring(start);
    for (int step = 0; step < 10; ++step) {
      const auto near = static_cast<std::uint32_t>(random() % 200) + start - 20;
      const auto any = static_cast<std::uint32_t>(random()) * 3;
      Word* const words[] = {&ring.control().head, &ring.control().tail, &ring.control().starts};
      Word& word = *words[random() % 3];
      if (random() % 3 == 0) word.store(random() % 4 == 0 ? any : near);
      const auto room = ring.writer.room();
      if (room) {
        ASSERT_LE(*room, InMemory::octets);
        ring.write(counted(random() % 100, 0));
      }
      if (random() % 3 == 0) {
        const auto shown = ring.reader.show();
        if (shown) {
          ASSERT_LE(shown->size(), ring.reader.largest_shown());
          ASSERT_GE(shown->data(), ring.ring().data);
          ASSERT_LE(shown->data() + shown->size(), ring.ring().data + InMemory::octets);
          ring.reader.release(static_cast<std::uint32_t>(random() % (shown->size() + 1)));
        }
      }
      Octets into(random() % 100);
      const auto came = ring.reader.read(into);
      ASSERT_LE(came.value_or(0), into.size());
      refused += !room || !came ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 1000U);
}

// Two threads, without any waiting but looking again.
TEST(Ring, CarriesBetweenThreads) {
  InMemory ring;
  constexpr std::size_t size = 100'000;
  Octets data(size);
  std::minstd_rand random(2);
  for (std::uint8_t& octet : data) octet = static_cast<std::uint8_t>(random() >> 8);
  std::thread sender([&] {
    std::size_t sent = 0;
    while (sent < size) {
      const cdr::Piece piece{data.data() + sent, std::min<std::size_t>(1 + sent % 37, size - sent)};
      Gathered message({&piece, 1});
      const std::uint32_t now = ring.writer.write(message, *ring.writer.room());
      if (now == 0) std::this_thread::yield();
      sent += now;
    }
  });
  Octets came;
  while (came.size() < size) {
    const Octets now = ring.read(1 + came.size() % 41);
    if (now.empty()) std::this_thread::yield();
    came.insert(came.end(), now.begin(), now.end());
  }
  sender.join();
  EXPECT_TRUE(came == data);
}

TEST(Rousing, WakesWhoSleepsAndSaysWhatWas) {
  Word state{asleep};
  std::thread sleeper([&] {
    while (state.load() == asleep) wait_on(state, asleep, SleepTime(100'000'000));
  });
  EXPECT_EQ(rouse(state), asleep);
  sleeper.join();
  EXPECT_EQ(rouse(state), awake);
  state.store(polled);
  EXPECT_EQ(rouse(state), polled);
  EXPECT_EQ(state.load(), awake);
  EXPECT_FALSE(wait_on(state, awake, SleepTime(1000)));
  EXPECT_TRUE(wait_on(state, asleep, SleepTime(1000))) << "it does not sleep for a value that is not there";
}

}  // namespace
}  // namespace tenon::shmiop
