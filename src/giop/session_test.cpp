// SPDX-License-Identifier: Apache-2.0
// The rules of one connection: ids that wrap, versions, code sets in both directions, and what an end means for calls in flight.
#include "giop/session.hpp"

#include <set>

#include "base/minor_codes.hpp"
#include "giop/request.hpp"
#include "giop/request_ids.hpp"
#include "giop/wire_test_support.hpp"

namespace tenon::giop {
namespace {

using cdr::CodeSet;
using test::Bytes;

Session originator() { return Session(SessionOptions{}); }
Session acceptor(bool bidirectional = false) {
  SessionOptions options;
  options.side = Side::acceptor;
  options.bidirectional = bidirectional;
  return Session(options);
}

CheckedHeader header(MessageType type, std::uint8_t minor) {
  Bytes octets(header_size);
  write_header(octets.data(), {minor, native_order, false, type, 0});
  const HeaderResult result = parse_header(octets.data(), 0);
  EXPECT_TRUE(result);
  return *result;
}

TEST(RequestIds, AreEvenForTheOriginatorAndOddForTheAcceptor) {
  RequestIds client(Side::originator);
  RequestIds server(Side::acceptor);
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(client.next(), 2 * i);
    EXPECT_EQ(server.next(), 2 * i + 1);
  }
}

TEST(RequestIds, WrapAndSkipThoseInUse) {
  RequestIds client(Side::originator, 0xFFFFFFFD);
  const std::set<std::uint32_t> used = {0xFFFFFFFE, 0, 4};
  const auto in_use = [&](std::uint32_t id) { return used.count(id) != 0; };
  EXPECT_EQ(client.next_unless(in_use), 0xFFFFFFFCu);
  EXPECT_EQ(client.next_unless(in_use), 2u);
  EXPECT_EQ(client.next_unless(in_use), 6u);
  RequestIds server(Side::acceptor, 0xFFFFFFFE);
  EXPECT_EQ(server.next(), 0xFFFFFFFFu);
  EXPECT_EQ(server.next(), 1u);
}

TEST(Versions, NeverAboveTheProfileOrOurselves) {
  Session client = originator();
  EXPECT_EQ(client.request_minor(0), 0);
  EXPECT_EQ(client.request_minor(2), 2);
  EXPECT_EQ(client.request_minor(3), 2);
  SessionOptions options;
  options.minor = 1;
  EXPECT_EQ(Session(options).request_minor(2), 1);
}

TEST(Versions, AReplyIsNeverOfAHigherOne) {
  EXPECT_TRUE(Session::reply_fits(2, header(MessageType::reply, 2)));
  EXPECT_TRUE(Session::reply_fits(2, header(MessageType::reply, 0)));
  EXPECT_FALSE(Session::reply_fits(1, header(MessageType::reply, 2)));
}

TEST(Versions, AMessageErrorTellsThePeersHighest) {
  Session client = originator();
  client.sent(2);
  ASSERT_TRUE(client.received(header(MessageType::message_error, 1)));
  EXPECT_EQ(client.ending(), Ending::peer_rejected);
  EXPECT_EQ(client.request_minor(2), 1);
  EXPECT_EQ(client.outcome(true).completed, Completion::no);

  Session other = originator();
  other.sent(2);
  ASSERT_TRUE(other.received(header(MessageType::message_error, 2)));
  EXPECT_EQ(other.outcome(true), errors::peer_sent_message_error.with(Completion::maybe));
}

TEST(Versions, RefusesWhatWeWereToldNotToSpeak) {
  SessionOptions options;
  options.side = Side::acceptor;
  options.minor = 1;
  Session server(options);
  EXPECT_TRUE(server.received(header(MessageType::request, 1)));
  EXPECT_EQ(server.received(header(MessageType::request, 2)).error(), errors::giop_unsupported_version);
  EXPECT_EQ(server.ending(), Ending::peer_broken);
}

TEST(Roles, WhoMaySendWhat) {
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    for (int type = 0; type <= (minor == 0 ? 6 : 7); ++type) {
      const auto message = static_cast<MessageType>(type);
      const bool clients = type == 0 || type == 2 || type == 3;
      const bool servers = type == 1 || type == 4;
      EXPECT_EQ(static_cast<bool>(originator().received(header(message, minor))), !clients);
      EXPECT_EQ(static_cast<bool>(acceptor().received(header(message, minor))), !servers);
      EXPECT_EQ(static_cast<bool>(acceptor(true).received(header(message, minor))), !servers || minor == 2);
      SessionOptions options;
      options.bidirectional = true;
      EXPECT_EQ(static_cast<bool>(Session(options).received(header(message, minor))), !clients || minor == 2);
    }
  }
}

TEST(Ends, AnOrderlyCloseMeansNotExecuted) {
  Session client = originator();
  ASSERT_TRUE(client.received(header(MessageType::close_connection, 0)));
  EXPECT_FALSE(client.open());
  client.lost();
  EXPECT_EQ(client.ending(), Ending::peer_closed);
  EXPECT_EQ(client.outcome(true).id, SystemException::transient);
  EXPECT_EQ(client.outcome(true).completed, Completion::no);
}

TEST(Ends, ALostConnectionLeavesDoubt) {
  Session client = originator();
  client.lost();
  EXPECT_EQ(client.outcome(true), errors::connection_lost.with(Completion::maybe));
  EXPECT_EQ(client.outcome(false), errors::connection_lost.with(Completion::no));
}

TEST(Ends, OnlyServersCloseInWordsBefore_1_2) {
  Session client = originator();
  client.sent(1);
  EXPECT_FALSE(client.closing());
  EXPECT_EQ(client.ending(), Ending::we_closed);
  Session newer = originator();
  newer.sent(2);
  EXPECT_TRUE(newer.closing());
  EXPECT_FALSE(newer.closing());
  Session server = acceptor();
  EXPECT_TRUE(server.closing());
}

cdr::CodeSetComponentInfo utf8_server() { return cdr::announced_code_sets({CodeSet::utf8, CodeSet::utf16}); }

TEST(CodeSets, AreLatin1AndNoWideTextUntilAgreed) {
  Session client = originator();
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    EXPECT_EQ(client.client_format(minor).chars, CodeSet::iso8859_1);
    EXPECT_EQ(client.client_format(minor).wchars, CodeSet::none);
    EXPECT_EQ(client.client_format(minor).giop_minor, minor);
    EXPECT_FALSE(client.wants_code_sets_context(minor));
  }
  SessionOptions options;
  options.unstated_chars = CodeSet::utf8;
  options.unstated_wchars = CodeSet::utf16;
  EXPECT_EQ(Session(options).server_format(2).chars, CodeSet::utf8);
  EXPECT_EQ(Session(options).server_format(2).wchars, CodeSet::utf16);
  EXPECT_EQ(Session(options).server_format(0).wchars, CodeSet::none);
}

TEST(CodeSets, TheFirstProfileThatAnnouncesDecides) {
  Session client = originator();
  ASSERT_TRUE(client.use_code_sets(nullptr));
  EXPECT_FALSE(client.code_sets_chosen());
  const cdr::CodeSetComponentInfo first = utf8_server();
  ASSERT_TRUE(client.use_code_sets(&first));
  const cdr::CodeSetComponentInfo second = cdr::announced_code_sets({CodeSet::iso8859_1, CodeSet::ucs2});
  ASSERT_TRUE(client.use_code_sets(&second));
  EXPECT_EQ(client.client_format(2).chars, CodeSet::utf8);
  EXPECT_EQ(client.client_format(2).wchars, CodeSet::utf16);
  EXPECT_EQ(client.client_format(0).chars, CodeSet::iso8859_1);
}

TEST(CodeSets, Utf8IfItIsPreferred) {
  const cdr::CodeSetComponentInfo latin = cdr::announced_code_sets({CodeSet::iso8859_1, CodeSet::utf16});
  for (const bool prefer_utf8 : {false, true}) {
    SessionOptions options;
    options.prefer_utf8 = prefer_utf8;
    Session client(options);
    ASSERT_TRUE(client.use_code_sets(&latin));
    EXPECT_EQ(client.client_format(2).chars, prefer_utf8 ? CodeSet::utf8 : CodeSet::iso8859_1);
  }
}

TEST(CodeSets, TheContextGoesUntilOneWasSent) {
  Session client = originator();
  const cdr::CodeSetComponentInfo info = utf8_server();
  ASSERT_TRUE(client.use_code_sets(&info));
  EXPECT_FALSE(client.wants_code_sets_context(0));
  EXPECT_TRUE(client.wants_code_sets_context(1));
  EXPECT_TRUE(client.wants_code_sets_context(2));
  client.code_sets_context_sent();
  EXPECT_FALSE(client.wants_code_sets_context(2));
}

/// Sends a request with `context` to a server; returns the server's result.
Status receive(Session& server, const ServiceContext& context, std::uint8_t minor = 2) {
  cdr::Writer writer(test::format(minor, ByteOrder::big));
  begin_request(writer, {0, Response::target, by_key(test::view("key")), "op", {&context, 1}, {}, false});
  finish_message(writer);
  const Bytes message = test::bytes_of(writer);
  test::Opened opened = test::open(message);
  RequestHeader head;
  EXPECT_TRUE(read_request(opened.reader, head));
  return server.read_code_sets(minor, head.contexts);
}

TEST(CodeSets, TheServerTakesWhatTheClientSays) {
  Session client = originator();
  const cdr::CodeSetComponentInfo info = utf8_server();
  ASSERT_TRUE(client.use_code_sets(&info));
  Session server = acceptor();
  ASSERT_TRUE(receive(server, client.code_sets_context()));
  EXPECT_EQ(server.server_format(2).chars, CodeSet::utf8);
  EXPECT_EQ(server.server_format(2).wchars, CodeSet::utf16);
  // Calls in the other direction start from there.
  EXPECT_EQ(server.client_format(2).chars, CodeSet::utf8);
  ASSERT_TRUE(receive(server, client.code_sets_context()));
}

TEST(CodeSets, TheServerRefusesOthersAndChanges) {
  Session server = acceptor();
  Bytes data = {0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0};  // ISO 8859-1, UCS-2
  ASSERT_TRUE(receive(server, {context_code_sets, data}));
  EXPECT_EQ(server.server_format(1).wchars, CodeSet::ucs2);
  data[10] = 1;
  data[11] = 9;  // UTF-16
  EXPECT_EQ(receive(server, {context_code_sets, data}).error(), errors::code_set_context_changed);
  data[7] = 99;
  EXPECT_EQ(receive(server, {context_code_sets, data}).error(), errors::code_set_not_supported);
  data.resize(7);
  EXPECT_FALSE(receive(server, {context_code_sets, data}));
  EXPECT_EQ(server.server_format(1).wchars, CodeSet::ucs2);
  EXPECT_TRUE(server.open());
}

TEST(CodeSets, ZeroMeansNothingToSay) {
  Session server = acceptor();
  const Bytes data(12);
  ASSERT_TRUE(receive(server, {context_code_sets, data}));
  EXPECT_EQ(server.server_format(2).chars, CodeSet::iso8859_1);
  EXPECT_EQ(server.server_format(2).wchars, CodeSet::none);
}

}  // namespace
}  // namespace tenon::giop
