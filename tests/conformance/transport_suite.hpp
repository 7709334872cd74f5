// SPDX-License-Identifier: Apache-2.0
//
// What every transport plug-in must do (protocol/transport.hpp), as a typed test suite. A plug-in's own test program says
//
//   struct MyFactory {
//     static std::unique_ptr<tenon::protocol::TransportPlugin> plugin();
//     static std::string endpoint();        // to listen on; a new one each time if they cannot be shared
//     static std::string nowhere();         // an address at which no process listens
//     static constexpr bool uses_descriptors = true;
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(My, TransportSuite, MyFactory);
//
// The tests of single connections are in transport_suite_streams.hpp, which this header includes.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "protocol/transport.hpp"

namespace tenon::conformance {

using protocol::Io;
using protocol::Transfer;
using protocol::Transport;

using Bytes = std::vector<std::uint8_t>;

/// Long enough that only a hang gets there.
inline constexpr std::uint32_t patience_ms = 20000;

/// Bytes that differ from place to place, so that a lost or doubled one shows.
inline Bytes pattern(std::size_t size, std::uint32_t seed) {
  std::minstd_rand random(seed);
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 7);
  return bytes;
}

/// Receives, also from a transport that would rather lend.
inline Transfer receive_some(Transport& transport, MutableBytes into, Deadline deadline) {
  Transfer came = transport.receive(into, deadline);
  if (came.result != Io::lent) return came;
  EXPECT_TRUE(transport.lends());
  EXPECT_EQ(came.bytes, 0U);
  ByteView view;
  came = transport.lend(view, deadline);
  if (came.result != Io::ok) return came;
  EXPECT_EQ(view.size(), came.bytes);
  came.bytes = std::min(view.size(), into.size());
  std::copy_n(view.begin(), came.bytes, into.begin());
  transport.release(came.bytes);
  return came;
}

/// Sends all of it, in pieces of at most `largest_piece` bytes.
inline bool send_all(Transport& transport, const Bytes& bytes, std::size_t largest_piece) {
  std::size_t sent = 0;
  std::vector<cdr::Piece> gather;
  while (sent < bytes.size()) {
    gather.clear();
    for (std::size_t at = sent; at < bytes.size() && gather.size() < 40;) {
      const std::size_t size = std::min(1 + (at * 7) % largest_piece, bytes.size() - at);
      gather.push_back({bytes.data() + at, size});
      at += size;
    }
    const Transfer transfer = transport.send(gather, Deadline{});
    if (transfer.result != Io::ok) return false;
    sent += transfer.bytes;
  }
  return true;
}

/// Receives until `size` bytes are there or the path ends.
inline Bytes receive_all(Transport& transport, std::size_t size, std::size_t at_once = 65536) {
  Bytes bytes;
  Bytes buffer(at_once);
  while (bytes.size() < size) {
    const MutableBytes room(buffer.data(), std::min(buffer.size(), size - bytes.size()));
    const Transfer transfer = receive_some(transport, room, Deadline{});
    if (transfer.result != Io::ok) break;
    EXPECT_GT(transfer.bytes, 0U);
    bytes.insert(bytes.end(), buffer.data(), buffer.data() + transfer.bytes);
  }
  return bytes;
}

template <typename Factory>
class TransportSuite : public testing::Test {
 protected:
  void SetUp() override {
    plugin_ = Factory::plugin();
    std::string why;
    acceptor_ = plugin_->listen(Factory::endpoint(), why);
    ASSERT_TRUE(acceptor_) << why;
  }

  protocol::Address address() const { return {acceptor_->published().front()}; }

  std::unique_ptr<Transport> connect_only() { return connect_to(address().text); }
  std::unique_ptr<Transport> connect_to(const std::string& text) {
    auto made = plugin_->connect(text, Deadline::after_ms(patience_ms));
    if (!made) return nullptr;
    (*made)->set_timeouts(patience_ms, patience_ms);
    return std::move(*made);
  }
  std::unique_ptr<Transport> accept_only() {
    auto made = acceptor_->accept();
    if (!made) return nullptr;
    (*made)->set_timeouts(patience_ms, patience_ms);
    std::string why;
    const protocol::Handshake come = (*made)->handshake(Deadline::after_ms(patience_ms), why);
    return come == protocol::Handshake::done ? std::move(*made) : nullptr;
  }
  /// Fills client_ and server_. The kernel's backlog lets one thread do both, unless there is a handshake.
  void make_pair() { make_pair(address().text); }
  void make_pair(const std::string& text) {
    std::thread connecting;
    const auto connect = [&] { client_ = connect_to(text); };
    if (plugin_->properties().handshake) {
      connecting = std::thread(connect);
    } else {
      connect();
      ASSERT_TRUE(client_);
    }
    server_ = accept_only();
    if (connecting.joinable()) connecting.join();
    ASSERT_TRUE(client_);
    ASSERT_TRUE(server_);
  }
  /// Sends until nothing moves any more; returns how much did.
  static std::size_t fill(Transport& transport, const Bytes& bytes, Deadline deadline, Transfer& last) {
    std::size_t sent = 0;
    do {
      const cdr::Piece piece{bytes.data() + sent % bytes.size(), bytes.size() - sent % bytes.size()};
      last = transport.send({&piece, 1}, deadline);
      sent += last.bytes;
    } while (last.result == Io::ok);
    return sent;
  }

  std::unique_ptr<protocol::TransportPlugin> plugin_;
  std::unique_ptr<protocol::Acceptor> acceptor_;
  std::unique_ptr<Transport> client_;
  std::unique_ptr<Transport> server_;
};

TYPED_TEST_SUITE_P(TransportSuite);

}  // namespace tenon::conformance

#include "tests/conformance/transport_suite_endpoints.hpp"
#include "tests/conformance/transport_suite_streams.hpp"

namespace tenon::conformance {

REGISTER_TYPED_TEST_SUITE_P(TransportSuite, PublishesAddressesThatCanBeConnectedTo,
                            ProfileKeepsWhatItWasGiven, BrokenProfilesAreErrors, UrlAddressRoundTrip,
                            WrongEndpointsAreExplained, ConnectingToNobodyFails, ShutDownWakesAccept,
                            ShutDownRefusesPeers, ManyConnections, OutOfDescriptorsRefusesAndRecovers,
                            CarriesBothDirectionsAtOnce, GathersManyPieces, CarriesLargeMessages,
                            ReceiveTimesOut, DefaultTimeOutsApply, SendTimesOutAndCountsWhatMoved,
                            DeadlineLongerThanTheTimeOutHolds, ShutDownWakesReceive, ShutDownWakesSend,
                            PeersEndIsClosedAfterTheLastByte, LastBytesArriveBeforeTheEnd,
                            OwnShutDownIsNotThePeersEnd, SendingToNobodyFailsWithoutSignal,
                            WaitSaysWhenReceiveWouldNotBlock, LendsUntilReleased, ShowsMoreUntilAllIsThere,
                            NamesAreThere);

}  // namespace tenon::conformance
