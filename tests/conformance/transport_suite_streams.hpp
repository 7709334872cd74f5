// SPDX-License-Identifier: Apache-2.0
//
// Part of transport_suite.hpp: what one connection does once it is open.
#pragma once

namespace tenon::conformance {

TYPED_TEST_P(TransportSuite, CarriesBothDirectionsAtOnce) {
  this->make_pair();
  const Bytes there = pattern(300'000, 1);
  const Bytes back = pattern(250'000, 2);
  bool sent_there = false;
  bool sent_back = false;
  Bytes came_back;
  std::thread client_sends([&] { sent_there = send_all(*this->client_, there, 5000); });
  std::thread server_sends([&] { sent_back = send_all(*this->server_, back, 97); });
  std::thread client_receives([&] { came_back = receive_all(*this->client_, back.size(), 1000); });
  const Bytes came_there = receive_all(*this->server_, there.size());
  client_sends.join();
  server_sends.join();
  client_receives.join();
  EXPECT_TRUE(sent_there);
  EXPECT_TRUE(sent_back);
  EXPECT_TRUE(came_there == there);
  EXPECT_TRUE(came_back == back);
}

TYPED_TEST_P(TransportSuite, GathersManyPieces) {
  this->make_pair();
  // More pieces than a system call takes (IOV_MAX is 1024), some of them empty.
  const Bytes bytes = pattern(9000, 3);
  std::vector<cdr::Piece> gather;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size = std::min(gather.size() % 5, bytes.size() - at);
    gather.push_back({bytes.data() + at, size});
    at += size;
  }
  ASSERT_GT(gather.size(), 2048U);
  Bytes came;
  std::thread receiver([&] { came = receive_all(*this->server_, bytes.size()); });
  std::span<const cdr::Piece> left = gather;
  std::size_t offset = 0;  // within the first piece that is left
  bool good = true;
  while (!left.empty() && good) {
    std::vector<cdr::Piece> now(left.begin(), left.end());
    now.front().data += offset;
    now.front().size -= offset;
    const Transfer transfer = this->client_->send(now, Deadline{});
    good = transfer.result == Io::ok;
    offset += transfer.bytes;
    while (!left.empty() && offset >= left.front().size) {
      offset -= left.front().size;
      left = left.subspan(1);
    }
  }
  receiver.join();
  EXPECT_TRUE(good);
  EXPECT_TRUE(came == bytes);
}

// A transport may send the beginning of a large message by itself: wherever pieces begin, nothing is lost or sent twice.
TYPED_TEST_P(TransportSuite, CarriesLargeMessages) {
  this->make_pair();
  const Bytes bytes = pattern(200'000, 4);
  constexpr std::size_t firsts[] = {0, 1, 1023, 1024, 1025, 63'999, 64'000, 64'001, 199'999, 200'000};
  for (const std::size_t first : firsts) {
    Bytes came;
    std::thread receiver([&] { came = receive_all(*this->server_, bytes.size()); });
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const std::size_t cut = std::max(first, sent);
      const std::size_t then = (bytes.size() - cut) / 100;
      const cdr::Piece gather[] = {{bytes.data() + sent, cut - sent},
                                   {bytes.data() + cut, 0},
                                   {bytes.data() + cut, then},
                                   {bytes.data() + cut + then, bytes.size() - cut - then}};
      const Transfer transfer = this->client_->send(gather, Deadline{});
      if (transfer.result != Io::ok) break;
      sent += transfer.bytes;
    }
    EXPECT_EQ(sent, bytes.size()) << first;
    if (sent != bytes.size()) this->client_->shut_down();
    receiver.join();
    EXPECT_TRUE(came == bytes) << first;
  }
}

TYPED_TEST_P(TransportSuite, ReceiveTimesOut) {
  this->make_pair();
  std::uint8_t byte = 0;
  const Deadline soon = Deadline::after_ms(20);
  EXPECT_EQ(receive_some(*this->server_, {&byte, 1}, soon).result, Io::timed_out);
  EXPECT_TRUE(soon.expired());
  // With a deadline in the past, receive() takes what is there and does not wait.
  EXPECT_EQ(receive_some(*this->server_, {&byte, 1}, Deadline::at(0)).result, Io::timed_out);
  ASSERT_TRUE(send_all(*this->client_, {42}, 1));
  EXPECT_EQ(receive_some(*this->server_, {&byte, 1}, Deadline::after_ms(patience_ms)).result, Io::ok);
  EXPECT_EQ(byte, 42);
}

TYPED_TEST_P(TransportSuite, DefaultTimeOutsApply) {
  this->make_pair();
  this->server_->set_timeouts(30, 30);
  std::uint8_t byte = 0;
  EXPECT_EQ(receive_some(*this->server_, {&byte, 1}, Deadline{}).result, Io::timed_out);
  EXPECT_FALSE(this->server_->wait(Deadline{}));
  Transfer last;
  this->fill(*this->server_, pattern(1 << 20, 4), Deadline{}, last);
  EXPECT_EQ(last.result, Io::timed_out);
}

TYPED_TEST_P(TransportSuite, SendTimesOutAndCountsWhatMoved) {
  this->make_pair();
  const Bytes bytes = pattern(1 << 20, 5);
  Transfer last;
  const std::size_t sent = this->fill(*this->client_, bytes, Deadline::after_ms(100), last);
  EXPECT_EQ(last.result, Io::timed_out);
  EXPECT_EQ(last.bytes, 0U);
  // What was counted as moved arrives, and nothing else.
  this->client_.reset();
  Bytes expected;
  while (expected.size() < sent) {
    expected.insert(
        expected.end(), bytes.begin(),
        bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), sent - expected.size())));
  }
  EXPECT_TRUE(receive_all(*this->server_, sent + 1) == expected);
}

TYPED_TEST_P(TransportSuite, DeadlineLongerThanTheTimeOutHolds) {
  this->make_pair();
  this->server_->set_timeouts(20, 20);
  std::uint8_t byte = 0;
  const Deadline later = Deadline::after_ms(200);
  EXPECT_EQ(receive_some(*this->server_, {&byte, 1}, later).result, Io::timed_out);
  EXPECT_TRUE(later.expired());
}

TYPED_TEST_P(TransportSuite, ShutDownWakesReceive) {
  this->make_pair();
  std::uint8_t byte = 0;
  Io result = Io::ok;
  std::atomic<bool> started{false};
  std::thread receiver([&] {
    started = true;
    result = receive_some(*this->server_, {&byte, 1}, Deadline{}).result;
  });
  while (!started) std::this_thread::yield();
  std::this_thread::sleep_for(
      std::chrono::milliseconds(10));  // so that it most likely blocks; both orders must work
  this->server_->shut_down();
  receiver.join();
  EXPECT_EQ(result, Io::failed);
  this->server_->shut_down();
}

TYPED_TEST_P(TransportSuite, ShutDownWakesSend) {
  this->make_pair();
  Transfer last;
  std::atomic<bool> started{false};
  std::thread sender([&] {
    const Bytes bytes = pattern(1 << 20, 6);
    started = true;
    this->fill(*this->client_, bytes, Deadline{}, last);
  });
  while (!started) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  this->client_->shut_down();
  sender.join();
  EXPECT_EQ(last.result, Io::failed);
}

TYPED_TEST_P(TransportSuite, PeersEndIsClosedAfterTheLastByte) {
  this->make_pair();
  const Bytes bytes = pattern(1000, 7);
  ASSERT_TRUE(send_all(*this->client_, bytes, 100));
  this->client_->shut_down();
  this->client_.reset();
  EXPECT_TRUE(receive_all(*this->server_, bytes.size()) == bytes);
  std::uint8_t byte = 0;
  for (int again = 0; again < 2; ++again) {
    const Transfer end = receive_some(*this->server_, {&byte, 1}, Deadline::after_ms(patience_ms));
    EXPECT_EQ(end.result, Io::closed);
    EXPECT_EQ(end.bytes, 0U);
  }
}

// Each byte of the last ones arrives, whether the peer reads in time or not, and whether they are one piece or several.
TYPED_TEST_P(TransportSuite, LastBytesArriveBeforeTheEnd) {
  const Bytes text = {'l', 'a', 's', 't'};
  const std::vector<std::vector<cdr::Piece>> ways = {{{text.data(), 4}},
                                                     {{text.data(), 1}, {text.data() + 1, 3}}};
  for (const auto& pieces : ways) {
    this->make_pair();
    const Transfer sent = this->server_->send_last(pieces, Deadline{});
    ASSERT_EQ(sent.result, Io::ok);
    ASSERT_TRUE(send_all(*this->server_,
                         Bytes(text.begin() + static_cast<std::ptrdiff_t>(sent.bytes), text.end()), 1));
    this->server_->shut_down();
    EXPECT_EQ(receive_all(*this->client_, text.size() + 1), text);
    // The peer does not read: send_last() waits as long as send() does, and no longer.
    this->make_pair();
    // Where late acknowledgements make room again, it is filled as well.
    Io result = Io::ok;
    for (int i = 0; i < 500 && result == Io::ok; ++i) {
      Transfer last;
      this->fill(*this->server_, Bytes(100'000), Deadline::after_ms(20), last);
      result = this->server_->send_last(pieces, Deadline::after_ms(20)).result;
    }
    EXPECT_EQ(result, Io::timed_out);
  }
}

TYPED_TEST_P(TransportSuite, OwnShutDownIsNotThePeersEnd) {
  this->make_pair();
  this->client_->shut_down();
  std::uint8_t byte = 1;
  const Transfer received = receive_some(*this->client_, {&byte, 1}, Deadline{});
  EXPECT_EQ(received.result, Io::failed);
  EXPECT_NE(received.os_error, 0);
  const cdr::Piece piece{&byte, 1};
  const Transfer sent = this->client_->send({&piece, 1}, Deadline{});
  EXPECT_EQ(sent.result, Io::failed);
  EXPECT_NE(sent.os_error, 0);
}

TYPED_TEST_P(TransportSuite, SendingToNobodyFailsWithoutSignal) {
  this->make_pair();
  this->server_.reset();
  // The first sends may still go into the kernel; a SIGPIPE would end this program.
  Transfer last;
  this->fill(*this->client_, pattern(1 << 16, 8), Deadline::after_ms(patience_ms), last);
  EXPECT_EQ(last.result, Io::failed);
  EXPECT_NE(last.os_error, 0);
}

TYPED_TEST_P(TransportSuite, WaitSaysWhenReceiveWouldNotBlock) {
  this->make_pair();
  EXPECT_FALSE(this->server_->wait(Deadline::at(0)));
  EXPECT_FALSE(this->server_->wait(Deadline::after_ms(10)));
  ASSERT_TRUE(send_all(*this->client_, {1, 2}, 2));
  EXPECT_TRUE(this->server_->wait(Deadline::after_ms(patience_ms)));
  EXPECT_TRUE(this->server_->wait(Deadline{}));
  EXPECT_EQ(receive_all(*this->server_, 2), (Bytes{1, 2}));
  EXPECT_FALSE(this->server_->wait(Deadline::at(0)));
  this->client_.reset();
  EXPECT_TRUE(this->server_->wait(Deadline::after_ms(patience_ms)));
}

TYPED_TEST_P(TransportSuite, LendsUntilReleased) {
  this->make_pair();
  Transport& server = *this->server_;
  if (!server.lends()) {
    // A transport that does not lend must say so instead of blocking.
    ByteView view;
    EXPECT_EQ(server.lend(view, Deadline{}).result, Io::failed);
    EXPECT_EQ(server.lendable(), 0U);
    return;
  }
  const Bytes bytes = pattern(50, 9);
  ASSERT_TRUE(send_all(*this->client_, bytes, 50));
  Bytes came;
  unsigned kept_back = 0;
  while (came.size() < bytes.size()) {
    ByteView view;
    const Transfer lent = server.lend(view, Deadline::after_ms(patience_ms));
    ASSERT_EQ(lent.result, Io::ok);
    ASSERT_EQ(lent.bytes, view.size());
    ASSERT_FALSE(view.empty());
    // Every second time one byte is left where it is: it must come again.
    const std::size_t used = kept_back++ % 2 == 0 ? view.size() - 1 : view.size();
    came.insert(came.end(), view.begin(), view.begin() + static_cast<std::ptrdiff_t>(used));
    EXPECT_EQ(server.release(used), used != view.size());
  }
  EXPECT_TRUE(came == bytes);
  ByteView nothing;
  EXPECT_EQ(server.lend(nothing, Deadline::after_ms(10)).result, Io::timed_out);
  EXPECT_TRUE(nothing.empty());
}

TYPED_TEST_P(TransportSuite, ShowsMoreUntilAllIsThere) {
  this->make_pair();
  Transport& server = *this->server_;
  if (!server.lends()) return;  // LendsUntilReleased says more
  const Bytes bytes = pattern(50, 12);
  ASSERT_TRUE(send_all(*this->client_, bytes, 3));
  ByteView view;
  do {
    const std::size_t had = view.size();
    ASSERT_EQ(server.lend(view, Deadline::after_ms(patience_ms)).result, Io::ok);
    ASSERT_GT(view.size(), had);
  } while (view.size() < std::min(bytes.size(), server.lendable()));
  EXPECT_TRUE(std::equal(view.begin(), view.end(), bytes.begin()));
  if (server.lendable() < bytes.size()) return static_cast<void>(server.release(view.size()));

  const std::size_t had = view.size();
  EXPECT_EQ(server.lend(view, Deadline::after_ms(10)).result, Io::timed_out);
  EXPECT_EQ(view.size(), had);
  // What is kept stays, whatever comes later; what lies behind it comes.
  const Buffer kept = server.keep(20);
  ASSERT_TRUE(kept);
  EXPECT_EQ(receive_all(server, 30), Bytes(bytes.begin() + 20, bytes.end()));
  for (unsigned round = 0; round < 20; ++round) {
    const Bytes more = pattern(3000, 40 + round);
    ASSERT_TRUE(send_all(*this->client_, more, 3000));
    ASSERT_EQ(receive_all(server, more.size()), more);
  }
  EXPECT_TRUE(std::equal(view.begin(), view.begin() + 20, bytes.begin()));
}

TYPED_TEST_P(TransportSuite, NamesAreThere) {
  this->make_pair();
  EXPECT_FALSE(this->client_->peer().empty());
  EXPECT_FALSE(this->server_->peer().empty());
  const std::string before = this->server_->peer();
  this->client_.reset();
  EXPECT_EQ(this->server_->peer(), before);
  // A poller can watch it or the connection gets a thread: either is allowed, a wrong descriptor is not.
  if (const auto descriptor = this->server_->poll_descriptor()) {
    EXPECT_GE(*descriptor, 0);
  }
}

}  // namespace tenon::conformance
