// SPDX-License-Identifier: Apache-2.0
//
// Peers that deviate from the standard, or make use of what few others do (docs/compatibility.md): messages as they send them, by hand.
#include <poll.h>

#include "cdr/compatibility.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

const Case over_tcp{"iiop", "thread-per-connection"};

std::uint16_t port_of(const Pair& pair) { return tcp_port_of(pair.server()); }

std::uint32_t ulong_at(const Bytes& bytes, std::size_t place) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{bytes.at(place + i)} << (8 * i);
  return value;
}

void put_ulong(Bytes& to, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) to.push_back(static_cast<std::uint8_t>(value >> shift));
}

void put_text(Bytes& to, const std::string& text) {
  put_ulong(to, static_cast<std::uint32_t>(text.size() + 1));
  to.insert(to.end(), text.begin(), text.end());
  to.push_back(0);
}

/// GIOP 1.2 §9.4.3: id 4, status 4, contexts; the place of the long behind them, 8-octet aligned.
std::uint32_t status_of(const Bytes& reply) { return ulong_at(reply, 16); }

Bytes two_longs(std::uint32_t a, std::uint32_t b) {
  Bytes body;
  put_ulong(body, a);
  put_ulong(body, b);
  return body;
}

TEST(CompatibleMessages, MayBeLongerThanTheirArguments) {
  const Pair pair(over_tcp);
  const RawSocket peer = RawSocket::connect(port_of(pair));
  Bytes body = two_longs(40, 2);
  body.insert(body.end(), 20, 0xEE);
  ASSERT_TRUE(peer.send(request(8, key_of(pair.test), "add", body)));
  const Bytes reply = peer.receive_message();
  ASSERT_GE(reply.size(), 28U);
  EXPECT_EQ(status_of(reply), 0U);
  EXPECT_EQ(ulong_at(reply, 24), 42U);
  // and the next message begins where the header says
  ASSERT_TRUE(peer.send(request(10, key_of(pair.test), "add", two_longs(1, 2))));
  EXPECT_EQ(ulong_at(peer.receive_message(), 24), 3U);
}

TEST(CompatibleMessages, RepliesMayBeLongerThanTheirResults) {
  const RawServer longer([](RawSocket& peer) {
    while (true) {
      const Bytes asked = peer.receive_message();
      if (asked.size() <= 12) return;  // CloseConnection, or the end
      Bytes body;
      put_ulong(body, request_id_of(asked));
      put_ulong(body, 0);
      put_ulong(body, 0);
      put_ulong(body, 17);
      body.insert(body.end(), 12, 0xEE);
      peer.send(message(1, body));
    }
  });
  const ScopedOrb client;
  const auto test = IDL::traits<Suite::Test>::unchecked_narrow(client->string_to_object(longer.url()));
  EXPECT_EQ(test->add(1, 2), 17);
  EXPECT_EQ(test->add(1, 2), 17);
}

// What waits behind a oneway is answered at once when its caller says that it no longer waits, and does not run.
TEST(CompatibleMessages, CancelledRequestsLeaveTheQueue) {
  const Pair pair({"iiop", "pool"});
  const RawSocket peer = RawSocket::connect(port_of(pair));
  const std::string key = key_of(pair.test);
  Bytes number;
  put_ulong(number, 1);
  ASSERT_TRUE(peer.send(request(2, key, "hold_note", number, false)));
  for (const std::uint32_t id : {4U, 6U, 8U})
    ASSERT_TRUE(peer.send(request(id, key, "add", two_longs(id, 1))));
  Bytes cancelled;
  put_ulong(cancelled, 6);
  ASSERT_TRUE(peer.send(message(2, cancelled)));
  const Bytes refused = peer.receive_message();
  ASSERT_GE(refused.size(), 28U);
  EXPECT_EQ(ulong_at(refused, 12), 6U);
  EXPECT_EQ(status_of(refused), 2U);
  EXPECT_NE(std::string(refused.begin(), refused.end()).find("CORBA/TRANSIENT:1.0"), std::string::npos);
  EXPECT_EQ(pair.servant->adds, 0);
  pair.servant->gate.open();
  for (const std::uint32_t id : {4U, 8U}) {
    const Bytes reply = peer.receive_message();
    EXPECT_EQ(ulong_at(reply, 12), id);
    EXPECT_EQ(ulong_at(reply, 24), id + 1);
  }
  EXPECT_EQ(pair.servant->adds, 2);
}

/// A request of GIOP 1.0 or 1.1 (§9.4.2): contexts, id, response, [reserved 3], key, operation, principal, body.
Bytes older_request(std::uint8_t minor, std::uint32_t id, const std::string& key,
                    const std::string& operation, const Bytes& body) {
  Bytes all{'G', 'I', 'O', 'P', 1, minor, 1, 0, 0, 0, 0, 0};
  const auto align = [&] {
    while (all.size() % 4 != 0) all.push_back(0);
  };
  put_ulong(all, 0);
  put_ulong(all, id);
  all.push_back(1);
  align();  // reserved in 1.1
  put_ulong(all, static_cast<std::uint32_t>(key.size()));
  all.insert(all.end(), key.begin(), key.end());
  align();
  put_text(all, operation);
  align();
  put_ulong(all, 0);
  all.insert(all.end(), body.begin(), body.end());
  const auto size = static_cast<std::uint32_t>(all.size() - 12);
  for (unsigned i = 0; i < 4; ++i) all[8 + i] = static_cast<std::uint8_t>(size >> (8 * i));
  return all;
}

// omniORB closes a connection on which a lower version follows 1.2; we answer each request in its own.
TEST(CompatibleVersions, MayChangeOnOneConnection) {
  const Pair pair(over_tcp);
  const RawSocket peer = RawSocket::connect(port_of(pair));
  const std::string key = key_of(pair.test);
  std::uint32_t id = 2;
  for (const std::uint8_t minor : std::initializer_list<std::uint8_t>{2, 0, 1, 2, 1, 0}) {
    id += 2;
    const Bytes body = two_longs(id, 1);
    ASSERT_TRUE(
        peer.send(minor == 2 ? request(id, key, "add", body) : older_request(minor, id, key, "add", body)));
    const Bytes reply = peer.receive_message();
    ASSERT_GE(reply.size(), 28U);
    EXPECT_EQ(reply[5], minor);
    EXPECT_EQ(reply[7], 1);
    // 1.2: id, status, contexts; before: contexts, id, status. The result follows at 24 in all of them.
    EXPECT_EQ(ulong_at(reply, minor == 2 ? 12 : 16), id);
    EXPECT_EQ(ulong_at(reply, 24), id + 1);
  }
}

/// A request as request() makes it, with service contexts.
Bytes request_with(std::uint32_t id, const std::string& key, const std::string& operation,
                   const Bytes& contexts, std::uint32_t count, const Bytes& body) {
  Bytes all;
  put_ulong(all, id);
  all.insert(all.end(), {3, 0, 0, 0});
  put_ulong(all, 0);  // by key
  put_ulong(all, static_cast<std::uint32_t>(key.size()));
  all.insert(all.end(), key.begin(), key.end());
  while (all.size() % 4 != 0) all.push_back(0);
  put_text(all, operation);
  while (all.size() % 4 != 0) all.push_back(0);
  put_ulong(all, count);
  all.insert(all.end(), contexts.begin(), contexts.end());
  while ((all.size() + 12) % 8 != 0) all.push_back(0);
  all.insert(all.end(), body.begin(), body.end());
  return message(0, all);
}

// Java ORBs say where they would like to be asked for code (CORBA 3.4 part 2 §7.7.3.1). We never ask.
TEST(CompatibleContexts, NobodyIsCalledBackForSendingContextRunTime) {
  const RawServer code_base([](RawSocket&) {});
  const Pair pair(over_tcp);
  const auto theirs = pair.client().string_to_object(code_base.url());
  // The encapsulated reference: what follows "IOR:" is its octets in hexadecimal.
  const std::string text = pair.client().object_to_string(theirs);
  Bytes context;
  put_ulong(context, 6);
  put_ulong(context, static_cast<std::uint32_t>((text.size() - 4) / 2));
  for (std::size_t at = 4; at < text.size(); at += 2)
    context.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(at, 2), nullptr, 16)));
  while (context.size() % 4 != 0) context.push_back(0);
  const RawSocket peer = RawSocket::connect(port_of(pair));
  ASSERT_TRUE(peer.send(request_with(4, key_of(pair.test), "add", context, 1, two_longs(20, 22))));
  const Bytes reply = peer.receive_message();
  ASSERT_GE(reply.size(), 28U);
  EXPECT_EQ(ulong_at(reply, 24), 42U);
  EXPECT_EQ(code_base.connections(), 0);
}

/// What a server with these options takes the octets of a title for, sent without a word about code sets.
std::string title_without_code_sets(const Words& server_options, const std::string& octets) {
  const Pair pair(over_tcp, server_options);
  const RawSocket peer = RawSocket::connect(port_of(pair));
  Bytes body;
  put_text(body, octets);
  EXPECT_TRUE(peer.send(request(6, key_of(pair.test), "_set_title", body)));
  EXPECT_EQ(status_of(peer.receive_message()), 0U);
  return pair.test->title();
}

TEST(CompatibleText, WithoutCodeSetsIsWhatTheOptionSays) {
  EXPECT_EQ(title_without_code_sets({}, "h\xE9"), "h\u00e9");
  EXPECT_EQ(title_without_code_sets({"-ORBUnstatedCharCodeSet", "UTF-8"}, "h\u00e9"), "h\u00e9");
}

// A corbaloc says nothing of code sets: what its client does, the server must expect.
TEST(CompatibleText, BehindACorbalocIsWhatTheOptionSays) {
  const std::string wide_enough = "\u6c34";
  const auto title_over_corbaloc = [&](const Words& options) {
    const Pair pair(over_tcp, options);
    const ScopedOrb client(options);
    std::string key;
    for (const char octet : key_of(pair.test)) {
      constexpr const char* digits = "0123456789abcdef";
      key += '%';
      key += digits[static_cast<std::uint8_t>(octet) >> 4];
      key += digits[octet & 15];
    }
    const auto test = IDL::traits<Suite::Test>::unchecked_narrow(
        client->string_to_object("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port_of(pair)) + "/" + key));
    return outcome_of([&] {
      test->title(wide_enough);
      EXPECT_EQ(pair.test->title(), wide_enough);
    });
  };
  EXPECT_TRUE(title_over_corbaloc({}).starts_with("DATA_CONVERSION"));
  EXPECT_EQ(title_over_corbaloc({"-ORBUnstatedCharCodeSet", "UTF-8"}), "");
}

TEST(CompatibleOptions, SwitchWhatTheySay) {
  cdr::Compatibility& all = cdr::compatibility();
  { const ScopedOrb usual; }
  EXPECT_FALSE(all.any_octet_is_boolean || all.x87_long_double || all.typecodes_without_offsets ||
               all.typecodes_without_aliases || all.end_tags_per_base);
  { const ScopedOrb told({"-ORBAnyOctetIsBoolean", "yes", "-ORBLongDouble", "x87"}); }
  EXPECT_TRUE(all.any_octet_is_boolean && all.x87_long_double);
  { const ScopedOrb told({"-ORBTypeCodeOffsets", "no", "-ORBTypeCodeAliases", "no"}); }
  EXPECT_TRUE(all.typecodes_without_offsets && all.typecodes_without_aliases);
  { const ScopedOrb told({"-ORBEndTagsPerBase", "yes"}); }
  EXPECT_TRUE(all.end_tags_per_base);
  const ScopedOrb back({"-ORBAnyOctetIsBoolean", "no", "-ORBLongDouble", "binary128", "-ORBTypeCodeOffsets",
                        "yes", "-ORBTypeCodeAliases", "yes", "-ORBEndTagsPerBase", "no"});
  EXPECT_FALSE(all.any_octet_is_boolean || all.x87_long_double || all.typecodes_without_offsets ||
               all.typecodes_without_aliases || all.end_tags_per_base);
}

}  // namespace
}  // namespace tenon::suite
