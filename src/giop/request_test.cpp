// SPDX-License-Identifier: Apache-2.0
// Request headers against hand-written messages: both directions, all versions, all ways to address, every truncation.
#include "giop/request.hpp"

#include "base/minor_codes.hpp"
#include "giop/wire_test_support.hpp"

namespace tenon::giop {
namespace {

using test::Bytes;
using test::golden;
using test::text;
using test::view;

/// What it gives are views into `message`.
RequestHeader read(const Bytes& message, cdr::Reader* body = nullptr) {
  test::Opened opened = test::open(message);
  EXPECT_EQ(opened.header->type, MessageType::request);
  RequestHeader head;
  EXPECT_TRUE(read_request(opened.reader, head));
  if (body != nullptr) *body = opened.reader;
  return head;
}

TEST(Request, Reads_1_0) {
  const Bytes message = golden("request_1_0_big");
  cdr::Reader body;
  const RequestHeader head = read(message, &body);
  EXPECT_EQ(head.request_id, 5u);
  EXPECT_EQ(head.response, Response::target);
  EXPECT_EQ(text(head.target.key), "calc");
  EXPECT_EQ(head.operation, "add");
  EXPECT_TRUE(head.contexts.empty());
  EXPECT_TRUE(head.principal.empty());
  EXPECT_EQ(body.get<std::int32_t>(), 7);
  EXPECT_EQ(body.remaining(), 0u);
}

TEST(Request, Reads_1_1) {
  const Bytes message = golden("request_1_1_little");
  cdr::Reader body;
  const RequestHeader head = read(message, &body);
  EXPECT_EQ(head.request_id, 0x01020304u);
  EXPECT_EQ(head.response, Response::none);
  EXPECT_FALSE(head.response_expected());
  EXPECT_EQ(text(head.target.key), "k1");
  EXPECT_EQ(head.operation, "set_x");
  EXPECT_EQ(text(head.principal), "me");
  ASSERT_EQ(head.contexts.size(), 1u);
  EXPECT_EQ(head.contexts.find(context_code_sets).size(), 12u);
  EXPECT_EQ(head.contexts.find(2).data(), nullptr);
  EXPECT_EQ(body.get<std::uint8_t>(), 0xAA);
}

TEST(Request, Reads_1_2) {
  const Bytes message = golden("request_1_2_little");
  cdr::Reader body;
  const RequestHeader head = read(message, &body);
  EXPECT_EQ(head.request_id, 2u);
  EXPECT_EQ(head.response, Response::target);
  EXPECT_EQ(head.target.addressing, Addressing::key);
  EXPECT_EQ(text(head.target.key), "hello");
  EXPECT_EQ(head.operation, "ping");
  EXPECT_EQ(body.remaining(), 4u);
  EXPECT_EQ(body.get<std::int32_t>(), 42);
}

TEST(Request, Reads_1_2_WithoutBody) {
  const Bytes message = golden("request_1_2_big_no_body");
  cdr::Reader body;
  const RequestHeader head = read(message, &body);
  EXPECT_EQ(head.response, Response::none);
  EXPECT_EQ(text(head.target.key), "abcde");
  EXPECT_EQ(head.operation, "_is_a");
  EXPECT_EQ(body.remaining(), 0u);
}

TEST(Request, KeepsContextsVerbatim) {
  const Bytes message = golden("request_1_2_big_contexts");
  cdr::Reader body;
  const RequestHeader head = read(message, &body);
  EXPECT_EQ(head.response, Response::server);
  ASSERT_EQ(head.contexts.size(), 2u);
  ContextList::Walk walk = head.contexts.walk();
  ServiceContext context;
  ASSERT_TRUE(walk.next(context));
  EXPECT_EQ(context.id, 9u);
  EXPECT_EQ(context.data.size(), 3u);
  ASSERT_TRUE(walk.next(context));
  EXPECT_EQ(context.id, 0x544e0001u);
  EXPECT_TRUE(context.data.empty());
  EXPECT_FALSE(walk.next(context));
  EXPECT_EQ(Bytes(head.contexts.raw().begin(), head.contexts.raw().end()),
            Bytes(message.begin() + 40, message.begin() + 60));
  EXPECT_EQ(body.get<std::uint8_t>(), 0x55);
}

TEST(Request, FindsTheKeyInAProfile) {
  const Bytes message = golden("request_1_2_big_profile");
  const RequestHeader head = read(message);
  EXPECT_EQ(head.target.addressing, Addressing::profile);
  EXPECT_EQ(head.target.profile.size(), 19u);
  const auto key = object_key(head.target);
  ASSERT_TRUE(key);
  EXPECT_EQ(text(*key), "key");
}

TEST(Request, FindsTheKeyInTheSelectedProfileOfAReference) {
  Bytes message = golden("request_1_2_little_reference");
  const RequestHeader head = read(message);
  EXPECT_EQ(head.target.addressing, Addressing::reference);
  EXPECT_EQ(head.target.type_id, "");
  const auto key = object_key(head.target);
  ASSERT_TRUE(key);
  EXPECT_EQ(text(*key), "key");

  message[24] = 0;  // the unknown profile
  const RequestHeader unknown = read(message);
  EXPECT_EQ(unknown.target.profile_tag, 0x63u);
  EXPECT_FALSE(object_key(unknown.target));

  message[24] = 2;  // there is no third one
  test::Opened opened = test::open(message);
  RequestHeader bad;
  EXPECT_EQ(read_request(opened.reader, bad).error(), errors::giop_bad_addressing);
}

TEST(Request, RefusesUnknownAddressingAndFlags) {
  Bytes message = golden("request_1_2_little");
  message[20] = 3;
  test::Opened opened = test::open(message);
  RequestHeader head;
  EXPECT_EQ(read_request(opened.reader, head).error(), errors::giop_bad_addressing);
  for (int flags = 0; flags < 256; ++flags) {
    message = golden("request_1_2_little");
    message[16] = static_cast<std::uint8_t>(flags);
    opened = test::open(message);
    const bool known = flags == 0 || flags == 1 || flags == 3;
    EXPECT_EQ(static_cast<bool>(read_request(opened.reader, head)), known) << flags;
  }
}

TEST(Request, EveryTruncationIsAnErrorAndNothingIsReadBeyond) {
  for (const char* name :
       {"request_1_0_big", "request_1_1_little", "request_1_2_little", "request_1_2_big_contexts",
        "request_1_2_big_profile", "request_1_2_little_reference"}) {
    const Bytes message = golden(name);
    RequestHeader whole;
    test::Opened opened = test::open(message);
    ASSERT_TRUE(read_request(opened.reader, whole));
    const std::size_t head_end = header_size + opened.reader.position();
    for (std::size_t size = header_size; size < message.size(); ++size) {
      // A copy of exactly that size, so that a sanitizer sees a read beyond it.
      const Bytes cut(message.begin() + header_size, message.begin() + static_cast<std::ptrdiff_t>(size));
      cdr::Reader reader(cut, test::format(opened.header->minor, opened.header->order), body_phase);
      RequestHeader head;
      const Status status = read_request(reader, head);
      // A 1.2 header may lack the padding before a body when there is no body.
      if (size + 8 <= head_end || size >= head_end) {
        EXPECT_EQ(static_cast<bool>(status), size >= head_end) << name << " " << size;
      }
    }
  }
}

TEST(Request, RefusesMoreContextsThanAnyoneSends) {
  Bytes message = golden("request_1_2_big_no_body");
  message.resize(52 + 8 * 300);
  store(message.data() + 48, std::uint32_t{300}, native_order != ByteOrder::big);
  store(message.data() + 8, static_cast<std::uint32_t>(message.size() - 12), native_order != ByteOrder::big);
  test::Opened opened = test::open(message);
  RequestHeader head;
  EXPECT_FALSE(read_request(opened.reader, head));
  EXPECT_TRUE(head.contexts.empty());
}

TEST(Request, WritesTheHandWrittenMessages) {
  {
    cdr::Writer writer(test::format(0, ByteOrder::big));
    begin_request(writer, {5, Response::target, by_key(view("calc")), "add", {}, {}, true});
    writer.put(std::int32_t{7});
    finish_message(writer);
    EXPECT_EQ(test::bytes_of(writer), golden("request_1_0_big"));
  }
  {
    const Bytes data = {1, 0, 0, 0, 1, 0, 1, 5, 9, 1, 1, 0};
    const ServiceContext contexts[] = {{context_code_sets, data}};
    cdr::Writer writer(test::format(1, ByteOrder::little));
    begin_request(writer,
                  {0x01020304, Response::none, by_key(view("k1")), "set_x", contexts, view("me"), true});
    writer.put(std::uint8_t{0xAA});
    finish_message(writer);
    EXPECT_EQ(test::bytes_of(writer), golden("request_1_1_little"));
  }
  {
    cdr::Writer writer(test::format(2, ByteOrder::little));
    begin_request(writer, {2, Response::target, by_key(view("hello")), "ping", {}, {}, true});
    writer.put(std::int32_t{42});
    finish_message(writer);
    EXPECT_EQ(test::bytes_of(writer), golden("request_1_2_little"));
  }
  {
    cdr::Writer writer(test::format(2, ByteOrder::big));
    begin_request(writer, {3, Response::none, by_key(view("abcde")), "_is_a", {}, {}, false});
    finish_message(writer);
    EXPECT_EQ(test::bytes_of(writer), golden("request_1_2_big_no_body"));
  }
  {
    const Bytes data = {1, 2, 3};
    const ServiceContext contexts[] = {{9, data}, {0x544e0001, {}}};
    cdr::Writer writer(test::format(2, ByteOrder::big));
    begin_request(writer, {4, Response::server, {}, "o", contexts, {}, true});
    writer.put(std::uint8_t{0x55});
    finish_message(writer);
    EXPECT_EQ(test::bytes_of(writer), golden("request_1_2_big_contexts"));
  }
}

TEST(Request, WritesProfileAndReferenceAddresses) {
  const Bytes by_profile = golden("request_1_2_big_profile");
  cdr::Writer writer(test::format(2, ByteOrder::big));
  RequestOut request{5, Response::target, {}, "x", {}, {}, false};
  request.target.addressing = Addressing::profile;
  request.target.profile = ByteView(by_profile).subspan(32, 19);
  begin_request(writer, request);
  finish_message(writer);
  EXPECT_EQ(test::bytes_of(writer), by_profile);

  const Bytes by_reference = golden("request_1_2_little_reference");
  writer.reset(test::format(2, ByteOrder::little));
  request = {6, Response::target, {}, "x", {}, {}, false};
  request.target.addressing = Addressing::reference;
  request.target.profile_index = 1;
  request.target.reference = ByteView(by_reference).subspan(28, 51);
  begin_request(writer, request);
  finish_message(writer);
  EXPECT_EQ(test::bytes_of(writer), by_reference);

  for (std::uint8_t minor = 0; minor < 2; ++minor) {
    writer.reset(test::format(minor, ByteOrder::little));
    begin_request(writer, request);
    EXPECT_EQ(writer.error(), errors::giop_key_addressing_only);
  }
}

// The fast path against the general one, which the generic writer primitives make, for every padding of key and operation.
TEST(Request, FastPathEqualsFieldByField) {
  for (std::size_t key = 0; key < 10; ++key) {
    for (std::size_t name = 0; name < 10; ++name) {
      for (int variant = 0; variant < 8; ++variant) {
        const ByteOrder order = (variant & 1) != 0 ? ByteOrder::big : ByteOrder::little;
        const std::string key_text(key, 'k');
        const std::string operation(name, 'o');
        const Bytes data = {0, 1, 2, 3, 4};
        const ServiceContext context[] = {{7, data}};
        RequestOut request{77, Response::target,  by_key(view(key_text)), operation, {},
                           {}, (variant & 2) != 0};
        if ((variant & 4) != 0) request.contexts = context;
        cdr::Writer fast(test::format(2, order));
        begin_request(fast, request);
        finish_message(fast);

        cdr::Writer slow(test::format(2, order));
        begin_message(slow, MessageType::request);
        slow.put(request.request_id);
        slow.put(std::uint32_t{order == ByteOrder::big ? 0x03000000u : 3u});
        write_target(slow, request.target);
        slow.put_raw_string(operation);
        write_contexts(slow, request.contexts);
        if (request.has_body) slow.align(8);
        finish_message(slow);
        EXPECT_EQ(test::bytes_of(fast), test::bytes_of(slow)) << key << " " << name << " " << variant;
      }
    }
  }
}

}  // namespace
}  // namespace tenon::giop
