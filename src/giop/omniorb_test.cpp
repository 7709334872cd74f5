// SPDX-License-Identifier: Apache-2.0
// Messages that omniORB really sent (tests/wire/giop_omniorb.hex): read by us in all three versions, its fragments joined.
#include "giop/fragments.hpp"
#include "giop/locate.hpp"
#include "giop/reply.hpp"
#include "giop/request.hpp"
#include "giop/session.hpp"
#include "giop/wire_test_support.hpp"

namespace tenon::giop {
namespace {

using test::Bytes;
using test::text;

Bytes sent(const std::string& name) {
  static const wire::HexSections sections = wire::read_hex_sections("../../tests/wire/giop_omniorb.hex");
  const auto found = sections.find(name);
  EXPECT_NE(found, sections.end()) << "no section " << name << " in tests/wire/giop_omniorb.hex";
  return found == sections.end() ? Bytes(header_size) : found->second;
}

std::string versioned(const char* name, int minor) {
  return name + std::string("_1_") + std::to_string(minor);
}

TEST(OmniOrb, RequestsAndRepliesOfAllVersions) {
  for (int minor = 0; minor <= 2; ++minor) {
    const Bytes request = sent(versioned("is_a_request", minor));
    test::Opened opened = test::open(request);
    EXPECT_EQ(opened.header->minor, minor);
    RequestHeader head;
    ASSERT_TRUE(read_request(opened.reader, head)) << minor;
    EXPECT_EQ(head.request_id, 2u);
    EXPECT_TRUE(head.response_expected());
    EXPECT_EQ(text(head.target.key), "NameService");
    EXPECT_EQ(head.operation, "_is_a");
    EXPECT_EQ(opened.reader.get_raw_string(), "IDL:omg.org/CosNaming/NamingContext:1.0");
    EXPECT_EQ(opened.reader.remaining(), 0u);

    // Ours differs only in padding, which omniORB does not set to zero.
    cdr::Writer writer(test::format(static_cast<std::uint8_t>(minor), ByteOrder::little));
    begin_request(writer, {2, Response::target, by_key(head.target.key), head.operation, {}, {}, true});
    writer.put_raw_string("IDL:omg.org/CosNaming/NamingContext:1.0");
    finish_message(writer);
    Bytes ours = test::bytes_of(writer);
    ASSERT_EQ(ours.size(), request.size());
    if (minor == 2) ours[22] = request[22];
    EXPECT_EQ(ours, request);

    const Bytes reply = sent(versioned("is_a_reply", minor));
    opened = test::open(reply);
    ReplyHeader answer;
    ASSERT_TRUE(read_reply(opened.reader, answer));
    EXPECT_EQ(answer.request_id, 2u);
    EXPECT_EQ(answer.status, ReplyStatus::no_exception);
    EXPECT_TRUE(opened.reader.get_boolean());
    EXPECT_EQ(opened.reader.remaining(), 0u);
  }
}

TEST(OmniOrb, LocateMessages) {
  for (int minor = 1; minor <= 2; ++minor) {
    const Bytes request = sent(versioned("locate_request", minor));
    test::Opened opened = test::open(request);
    LocateRequestHeader head;
    ASSERT_TRUE(read_locate_request(opened.reader, head));
    EXPECT_EQ(head.request_id, 6u);
    EXPECT_EQ(head.target.key.size(), 14u);
    const Bytes reply = sent(versioned("locate_reply", minor));
    opened = test::open(reply);
    LocateReplyHeader answer;
    ASSERT_TRUE(read_locate_reply(opened.reader, answer));
    EXPECT_EQ(answer.request_id, 6u);
    EXPECT_EQ(answer.status, LocateStatus::object_here);
  }
}

TEST(OmniOrb, ItsCodeSetsAreTaken) {
  for (int minor = 1; minor <= 2; ++minor) {
    const Bytes request = sent(versioned("code_sets_request", minor));
    test::Opened opened = test::open(request);
    RequestHeader head;
    ASSERT_TRUE(read_request(opened.reader, head));
    EXPECT_EQ(head.operation, "next_one");
    SessionOptions options;
    options.side = Side::acceptor;
    Session session(options);
    ASSERT_TRUE(session.received(opened.header));
    ASSERT_TRUE(session.read_code_sets(opened.header->minor, head.contexts));
    EXPECT_EQ(session.server_format(opened.header->minor).chars, cdr::CodeSet::iso8859_1);
    EXPECT_EQ(session.server_format(opened.header->minor).wchars, cdr::CodeSet::utf16);
  }
}

TEST(OmniOrb, AClientClosesIn_1_2) {
  SessionOptions options;
  options.side = Side::acceptor;
  Session session(options);
  const Bytes message = sent("close_connection_1_2");
  ASSERT_TRUE(session.received(test::open(message).header));
  EXPECT_EQ(session.ending(), Ending::peer_closed);
}

Assembled join(const char* name, int minor) {
  Assembler assembler;
  Assembled whole;
  for (int part = 1; part <= 3; ++part) {
    const Bytes message = sent(versioned((name + std::to_string(part)).c_str(), minor));
    const HeaderResult header = parse_header(message.data(), 1u << 20);
    EXPECT_TRUE(header);
    EXPECT_EQ(header->total(), message.size());
    EXPECT_TRUE(Assembler::concerns(*header));
    const Result<Joined> joined = assembler.add(*header, ByteView(message).subspan(header_size), whole);
    EXPECT_TRUE(joined);
    if (joined) {
      EXPECT_EQ(*joined, part == 3 ? Joined::complete : Joined::pending);
    }
  }
  return whole;
}

/// CosNaming::NameComponent with 20,000 letters and no kind.
void expect_long_component(cdr::Reader& reader) {
  EXPECT_EQ(reader.get<std::uint32_t>(), 1u);
  EXPECT_EQ(reader.get_raw_string(), std::string(20000, 'n'));
  EXPECT_EQ(reader.get_raw_string(), "");
}

TEST(OmniOrb, ItsFragmentsOf_1_1) {
  const Assembled whole = join("bind_fragment_", 1);
  EXPECT_EQ(whole.restarts.size(), 2u);
  cdr::Reader reader(whole.body(), test::format(1, whole.header->order), body_phase, whole.restarts);
  RequestHeader head;
  ASSERT_TRUE(read_request(reader, head));
  EXPECT_EQ(head.operation, "bind");
  expect_long_component(reader);
  // omniORB cuts 1.1 messages so that data aligned to 4 cannot tell whether alignment restarts; fragments_test.cpp can.
  EXPECT_EQ(reader.get_raw_string(), "IDL:Test/Echo:1.0");
  EXPECT_EQ(reader.get<std::uint32_t>(), 1u);
  EXPECT_EQ(reader.get<std::uint32_t>(), 0u);
  EXPECT_EQ(reader.get_octet_sequence().size(), 0x5Cu);
  EXPECT_EQ(reader.remaining(), 0u);
  EXPECT_TRUE(reader.good());
}

TEST(OmniOrb, ItsFragmentsOf_1_2_RunThrough) {
  const Assembled whole = join("next_one_fragment_", 2);
  EXPECT_TRUE(whole.restarts.empty());
  EXPECT_EQ(whole.header->type, MessageType::reply);
  cdr::Reader reader(whole.body(), test::format(2, whole.header->order), body_phase);
  ReplyHeader head;
  ASSERT_TRUE(read_reply(reader, head));
  EXPECT_EQ(head.status, ReplyStatus::no_exception);
  EXPECT_TRUE(reader.get_boolean());
  expect_long_component(reader);
  EXPECT_EQ(reader.get<std::uint32_t>(), 0u);  // BindingType nobject
  EXPECT_EQ(reader.remaining(), 0u);
  EXPECT_TRUE(reader.good());
}

}  // namespace
}  // namespace tenon::giop
