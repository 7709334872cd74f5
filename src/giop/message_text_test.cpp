// SPDX-License-Identifier: Apache-2.0
// Hand-written messages of every version and kind, in words. Messages that are cut or damaged do no harm.
#include "giop/message_text.hpp"

#include "base/minor_codes.hpp"
#include "cdr/writer.hpp"
#include "giop/control.hpp"
#include "giop/locate.hpp"
#include "giop/reply.hpp"
#include "giop/wire_test_support.hpp"

namespace tenon::giop {
namespace {

using test::Bytes;
using test::golden;

Bytes bytes_of(cdr::Writer& writer) {
  finish_message(writer);
  const ByteView bytes = writer.bytes();
  return {bytes.begin(), bytes.end()};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(MessageInWords, Requests) {
  const std::string old = message_in_words(golden("request_1_0_big"));
  EXPECT_TRUE(old.starts_with("GIOP 1.0 Request 5, 'add' of object 4 octets, 'calc', reply wanted, ")) << old;
  EXPECT_TRUE(old.ends_with(" octets, big-endian")) << old;
  const std::string oneway = message_in_words(golden("request_1_1_little"));
  EXPECT_TRUE(
      has(oneway,
          "'set_x' of object 2 octets, 'k1', no reply wanted, contexts 0x00000001 CodeSets (12 octets), "))
      << oneway;
}

TEST(MessageInWords, Replies) {
  cdr::Writer plain;
  begin_reply(plain, {.request_id = 3, .has_body = false});
  EXPECT_TRUE(
      message_in_words(bytes_of(plain)).starts_with("GIOP 1.2 Reply to 3, no exception, 24 octets, "));
  cdr::Writer system;
  begin_reply(system, {.request_id = 4, .status = ReplyStatus::system_exception});
  write_system_exception(system, errors::object_not_active);
  EXPECT_TRUE(has(message_in_words(bytes_of(system)), "Reply to 4, OBJECT_NOT_EXIST (minor 0x544e006e, "));
  cdr::Writer user({.giop_minor = 0});
  begin_reply(user, {.request_id = 5, .status = ReplyStatus::user_exception});
  user.put_raw_string("IDL:Bank/Overdrawn:1.0");
  EXPECT_TRUE(has(message_in_words(bytes_of(user)), "GIOP 1.0 Reply to 5, 'IDL:Bank/Overdrawn:1.0', "));
}

TEST(MessageInWords, TheOthers) {
  cdr::Writer ask;
  constexpr std::uint8_t key[] = {0, 0xFF};
  write_locate_request(ask, 6, by_key(key));
  EXPECT_TRUE(has(message_in_words(bytes_of(ask)), "LocateRequest 6 for object 2 octets, 00ff, "));
  cdr::Writer answer;
  begin_locate_reply(answer, 6, LocateStatus::object_here);
  EXPECT_TRUE(has(message_in_words(bytes_of(answer)), "LocateReply to 6, the object is here, "));
  EXPECT_TRUE(
      has(message_in_words(cancel_request(8, 1)), "GIOP 1.1 CancelRequest of request 8, 16 octets, "));
  EXPECT_TRUE(has(message_in_words(close_connection(0)), "GIOP 1.0 CloseConnection, 12 octets, "));
  EXPECT_TRUE(has(message_in_words(message_error()), "MessageError, "));
}

TEST(MessageInWords, DamagedOnes) {
  EXPECT_EQ(message_in_words({}), "no GIOP: 0 octets");
  const Bytes whole = golden("request_1_1_little");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(message_in_words({whole.data(), size}).empty());
  }
  EXPECT_TRUE(has(message_in_words({whole.data(), 20}), "whose head cannot be read: MARSHAL"));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    Bytes damaged = whole;
    damaged[i] ^= 0xFF;
    EXPECT_FALSE(message_in_words(damaged).empty());
  }
}

TEST(StartInWords, OfWhatIsNoGiop) {
  const auto words = [](std::string_view octets) {
    return start_in_words({reinterpret_cast<const std::uint8_t*>(octets.data()), octets.size()});
  };
  EXPECT_EQ(words("HTTP/1.1 400"), "'HTTP/1.1 400'");
  EXPECT_EQ(words("220 mail\r\n"), "'220 mail\\x0d\\x0a'");
  EXPECT_EQ(words("\x15\x03\x03"), "150303 (TLS)");
  EXPECT_EQ(words("\x01\x02\x1b"), "01021b");
}

}  // namespace
}  // namespace tenon::giop
