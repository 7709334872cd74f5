// SPDX-License-Identifier: Apache-2.0
// Headers of Reply and of Locate messages, and the bodies that GIOP defines itself, against hand-written messages.
#include "giop/reply.hpp"

#include "base/minor_codes.hpp"
#include "giop/locate.hpp"
#include "giop/wire_test_support.hpp"

namespace tenon::giop {
namespace {

using test::Bytes;
using test::golden;
using test::text;

ReplyHeader read(const Bytes& message, cdr::Reader& body) {
  test::Opened opened = test::open(message);
  EXPECT_EQ(opened.header->type, MessageType::reply);
  ReplyHeader head;
  EXPECT_TRUE(read_reply(opened.reader, head));
  body = opened.reader;
  return head;
}

TEST(Reply, ReadsEveryVersion) {
  cdr::Reader body;
  const Bytes first = golden("reply_1_0_big");
  ReplyHeader head = read(first, body);
  EXPECT_EQ(head.request_id, 5u);
  EXPECT_EQ(head.status, ReplyStatus::no_exception);
  EXPECT_EQ(body.get<std::int32_t>(), 8);

  const Bytes forward = golden("reply_1_1_little_forward");
  head = read(forward, body);
  EXPECT_EQ(head.request_id, 7u);
  EXPECT_EQ(head.status, ReplyStatus::location_forward);
  EXPECT_EQ(body.remaining(), 12u);

  const Bytes context = golden("reply_1_2_little_context");
  head = read(context, body);
  EXPECT_EQ(head.request_id, 9u);
  EXPECT_EQ(head.status, ReplyStatus::user_exception);
  EXPECT_EQ(text(head.contexts.find(context_exception_detail)).substr(1), "abcd");
  EXPECT_EQ(body.get<std::uint8_t>(), 7);
  EXPECT_EQ(body.remaining(), 0u);
}

TEST(Reply, ReadsAndWritesASystemException) {
  const Bytes message = golden("reply_1_2_big_system_exception");
  cdr::Reader body;
  const ReplyHeader head = read(message, body);
  EXPECT_EQ(head.status, ReplyStatus::system_exception);
  const SystemExceptionBody exception = read_system_exception(body);
  EXPECT_EQ(exception.repository_id, "IDL:omg.org/CORBA/UNKNOWN:1.0");
  EXPECT_EQ(exception.error, (Error{SystemException::unknown, Completion::maybe, 0x4f4d0001}));

  cdr::Writer writer(test::format(2, ByteOrder::big));
  begin_reply(writer, {8, ReplyStatus::system_exception, {}, true});
  write_system_exception(writer, exception.error);
  finish_message(writer);
  EXPECT_EQ(test::bytes_of(writer), message);
}

TEST(Reply, AnExceptionThatIsNotOfTheStandardIsUnknown) {
  Bytes message = golden("reply_1_2_big_system_exception");
  message[45] = 'X';
  cdr::Reader body;
  read(message, body);
  const SystemExceptionBody exception = read_system_exception(body);
  EXPECT_EQ(exception.error.id, SystemException::unknown);
  EXPECT_EQ(exception.repository_id.substr(0, 4), "IDL:");
}

TEST(Reply, AMalformedSystemExceptionIsMarshal) {
  Bytes message = golden("reply_1_2_big_system_exception");
  message[67] = 3;  // no such completion status
  cdr::Reader body;
  read(message, body);
  EXPECT_EQ(read_system_exception(body).error.id, SystemException::marshal);
  EXPECT_EQ(read_system_exception(body).error.completed, Completion::maybe);
  EXPECT_FALSE(body.good());
}

TEST(Reply, WritesTheHandWrittenMessages) {
  cdr::Writer writer(test::format(0, ByteOrder::big));
  begin_reply(writer, {5, ReplyStatus::no_exception, {}, true});
  writer.put(std::int32_t{8});
  finish_message(writer);
  EXPECT_EQ(test::bytes_of(writer), golden("reply_1_0_big"));

  const Bytes data = {0, 'a', 'b', 'c', 'd'};
  const ServiceContext contexts[] = {{context_exception_detail, data}};
  writer.reset(test::format(2, ByteOrder::little));
  begin_reply(writer, {9, ReplyStatus::user_exception, contexts, true});
  writer.put(std::uint8_t{7});
  finish_message(writer);
  EXPECT_EQ(test::bytes_of(writer), golden("reply_1_2_little_context"));

  writer.reset(test::format(2, ByteOrder::big));
  begin_reply(writer, {10, ReplyStatus::needs_addressing_mode, {}, true});
  write_addressing(writer, Addressing::reference);
  finish_message(writer);
  EXPECT_EQ(test::bytes_of(writer), golden("reply_1_2_big_addressing"));
}

TEST(Reply, ReadsTheWantedAddressing) {
  Bytes message = golden("reply_1_2_big_addressing");
  cdr::Reader body;
  EXPECT_EQ(read(message, body).status, ReplyStatus::needs_addressing_mode);
  EXPECT_EQ(read_addressing(body), Addressing::reference);
  message[25] = 3;
  read(message, body);
  read_addressing(body);
  EXPECT_EQ(body.error(), errors::giop_bad_addressing);
}

TEST(Reply, KnowsTheStatusesOfEachVersion) {
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    for (std::uint8_t status = 0; status < 8; ++status) {
      const bool known = status <= (minor < 2 ? 3 : 5);
      cdr::Writer writer(test::format(minor, native_order));
      begin_reply(writer, {1, static_cast<ReplyStatus>(status), {}, false});
      EXPECT_EQ(writer.good(), known);

      writer.reset(test::format(minor, native_order));
      begin_reply(writer, {1, ReplyStatus::no_exception, {}, false});
      finish_message(writer);
      Bytes message = test::bytes_of(writer);
      store(message.data() + (minor < 2 ? 20 : 16), std::uint32_t{status}, false);
      test::Opened opened = test::open(message);
      ReplyHeader head;
      EXPECT_EQ(static_cast<bool>(read_reply(opened.reader, head)), known) << +minor << " " << +status;
    }
  }
}

TEST(Reply, EveryTruncationIsAnError) {
  for (const char* name : {"reply_1_0_big", "reply_1_1_little_forward", "reply_1_2_little_context"}) {
    const Bytes message = golden(name);
    test::Opened opened = test::open(message);
    ReplyHeader head;
    ASSERT_TRUE(read_reply(opened.reader, head));
    const std::size_t end = header_size + opened.reader.position();
    // The padding before a body belongs to the body.
    const std::size_t least = opened.header->minor == 2 ? end - 3 : end;
    for (std::size_t size = header_size; size < least; ++size) {
      const Bytes cut(message.begin() + header_size, message.begin() + static_cast<std::ptrdiff_t>(size));
      cdr::Reader reader(cut, test::format(opened.header->minor, opened.header->order), body_phase);
      EXPECT_FALSE(read_reply(reader, head)) << name << " " << size;
    }
  }
}

TEST(Locate, ReadsAndWritesRequests) {
  for (const char* name : {"locate_request_1_0_big", "locate_request_1_2_little"}) {
    const Bytes message = golden(name);
    test::Opened opened = test::open(message);
    EXPECT_EQ(opened.header->type, MessageType::locate_request);
    LocateRequestHeader head;
    ASSERT_TRUE(read_locate_request(opened.reader, head));
    EXPECT_EQ(head.request_id, opened.header->minor == 0 ? 11u : 12u);
    EXPECT_EQ(text(head.target.key), "key");

    cdr::Writer writer(test::format(opened.header->minor, opened.header->order));
    write_locate_request(writer, head.request_id, by_key(head.target.key));
    EXPECT_EQ(test::bytes_of(writer), message);
  }
}

TEST(Locate, ReadsAndWritesReplies) {
  struct Case {
    const char* name;
    LocateStatus status;
    std::size_t body;
  };
  for (const Case& item : {Case{"locate_reply_1_1_big", LocateStatus::object_here, 0},
                           Case{"locate_reply_1_2_big_addressing", LocateStatus::needs_addressing_mode, 2},
                           Case{"locate_reply_1_2_little_forward", LocateStatus::object_forward, 12}}) {
    const Bytes message = golden(item.name);
    test::Opened opened = test::open(message);
    LocateReplyHeader head;
    ASSERT_TRUE(read_locate_reply(opened.reader, head));
    EXPECT_EQ(head.status, item.status);
    ASSERT_EQ(opened.reader.remaining(), item.body);

    cdr::Writer writer(test::format(opened.header->minor, opened.header->order));
    begin_locate_reply(writer, head.request_id, head.status);
    writer.put_octets(opened.reader.get_octets(item.body));
    finish_message(writer);
    EXPECT_EQ(test::bytes_of(writer), message);
  }
}

TEST(Locate, KnowsTheStatusesOfEachVersion) {
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    for (std::uint8_t status = 0; status < 8; ++status) {
      const bool known = status <= (minor < 2 ? 2 : 5);
      cdr::Writer writer(test::format(minor, native_order));
      begin_locate_reply(writer, 1, static_cast<LocateStatus>(status));
      EXPECT_EQ(writer.good(), known);
      Bytes body(8);
      store(body.data() + 4, std::uint32_t{status}, false);
      cdr::Reader reader(body, test::format(minor, native_order), body_phase);
      LocateReplyHeader head;
      EXPECT_EQ(static_cast<bool>(read_locate_reply(reader, head)), known);
    }
  }
}

}  // namespace
}  // namespace tenon::giop
