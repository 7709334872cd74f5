// SPDX-License-Identifier: Apache-2.0
// GIOP headers: what is accepted, and what is refused with which fault, for every value of every octet.
#include "giop/header.hpp"

#include "giop/control.hpp"
#include "giop/wire_test_support.hpp"

namespace tenon::giop {
namespace {

using test::Bytes;

HeaderFault fault_of(const Bytes& octets, std::uint32_t largest = 1u << 20) {
  return parse_header(octets.data(), largest).fault();
}

TEST(Header, RoundTripsEveryVersionOrderAndType) {
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
      for (int type = 0; type <= (minor == 0 ? 6 : 7); ++type) {
        for (const bool more : {false, true}) {
          const MessageHeader header{minor, order, more, static_cast<MessageType>(type), 0x01020304};
          Bytes octets(header_size);
          write_header(octets.data(), header);
          const HeaderResult read = parse_header(octets.data(), 0xFFFFFFFF);
          if (more && !may_be_fragmented(header.type, minor)) {
            EXPECT_EQ(read.fault(), HeaderFault::bad_flags);
            continue;
          }
          ASSERT_TRUE(read);
          EXPECT_EQ((*read)->minor, minor);
          EXPECT_EQ((*read)->order, order);
          EXPECT_EQ((*read)->more_fragments, more);
          EXPECT_EQ((*read)->type, header.type);
          EXPECT_EQ((*read)->size, 0x01020304u);
          EXPECT_EQ(read->total(), 0x01020304u + 12);
        }
      }
    }
  }
}

TEST(Header, RefusesEveryOtherMagic) {
  const Bytes good = test::golden("close_connection_1_2_little");
  for (std::size_t i = 0; i < 4; ++i) {
    for (int value = 0; value < 256; ++value) {
      Bytes octets = good;
      octets[i] = static_cast<std::uint8_t>(value);
      EXPECT_EQ(fault_of(octets), octets == good ? HeaderFault::none : HeaderFault::bad_magic);
    }
  }
}

TEST(Header, RefusesVersionsThatWeDoNotSpeak) {
  Bytes octets = test::golden("close_connection_1_2_little");
  octets[5] = 3;
  EXPECT_EQ(fault_of(octets), HeaderFault::unsupported_version);
  octets[4] = 2;
  octets[5] = 0;
  EXPECT_EQ(fault_of(octets), HeaderFault::unsupported_version);
  octets[4] = 0;
  EXPECT_EQ(fault_of(octets), HeaderFault::unsupported_version);
}

TEST(Header, KnowsTheFlagsOfEachVersion) {
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    for (int flags = 0; flags < 256; ++flags) {
      Bytes octets = test::golden("request_1_2_little");
      octets[5] = minor;
      octets[6] = static_cast<std::uint8_t>(flags);
      octets[8] = octets[9] = octets[10] = octets[11] = 0;
      const bool known = flags <= (minor == 0 ? 1 : 3);
      EXPECT_EQ(fault_of(octets), known ? HeaderFault::none : HeaderFault::bad_flags)
          << minor << " " << flags;
    }
  }
}

TEST(Header, RefusesTypesThatTheVersionDoesNotHave) {
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    for (int type = 0; type < 256; ++type) {
      Bytes octets = test::golden("close_connection_1_2_little");
      octets[5] = minor;
      octets[7] = static_cast<std::uint8_t>(type);
      const bool known = type <= (minor == 0 ? 6 : 7);
      EXPECT_EQ(fault_of(octets), known ? HeaderFault::none : HeaderFault::bad_type) << minor << " " << type;
    }
  }
}

TEST(Header, RefusesSizesAboveTheLimit) {
  const Bytes octets = test::golden("request_1_2_little");
  EXPECT_EQ(fault_of(octets, 48), HeaderFault::none);
  EXPECT_EQ(fault_of(octets, 47), HeaderFault::too_large);
  EXPECT_EQ(error_of(HeaderFault::too_large).id, SystemException::imp_limit);
  EXPECT_EQ(error_of(HeaderFault::bad_magic).id, SystemException::comm_failure);
  EXPECT_FALSE(error_of(HeaderFault::none));
}

// A size of the whole message that overflows would be taken for a small one.
TEST(Header, RefusesSizesThatMemoryCannotHold) {
  for (const char* name : {"request_1_2_little", "request_1_0_big"}) {
    Bytes octets = test::golden(name);
    std::fill_n(octets.begin() + 8, 4, std::uint8_t{0xFF});
    const HeaderResult header = parse_header(octets.data(), 0xFFFFFFFF);
    EXPECT_EQ(static_cast<bool>(header), sizeof(std::size_t) > 4) << name;
    EXPECT_GE((*header).total(), (*header)->size) << name;
  }
}

TEST(Header, FinishStatesTheSizeInTheOrderOfTheMessage) {
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    cdr::Writer writer(test::format(2, order));
    begin_message(writer, MessageType::reply);
    writer.put(std::uint32_t{1});
    finish_message(writer, 1000);
    const Bytes message = test::bytes_of(writer);
    const HeaderResult header = parse_header(message.data(), 0xFFFF);
    ASSERT_TRUE(header);
    EXPECT_EQ((*header)->size, 1004u);
  }
}

TEST(Header, RefusesToFinishAboveFourGigabytes) {
  cdr::Writer writer(test::format(2, native_order));
  begin_message(writer, MessageType::reply);
  finish_message(writer, 0xFFFFFFFF);
  EXPECT_TRUE(writer.good());
  writer.put(std::uint8_t{0});
  finish_message(writer, 0xFFFFFFFF);
  EXPECT_EQ(writer.error().id, SystemException::imp_limit);
}

TEST(Control, MatchesTheHandWrittenMessages) {
  const auto cancel = cancel_request(5, 0, ByteOrder::big);
  EXPECT_EQ(Bytes(cancel.begin(), cancel.end()), test::golden("cancel_request_1_0_big"));
  const auto close = close_connection(2, ByteOrder::little);
  EXPECT_EQ(Bytes(close.begin(), close.end()), test::golden("close_connection_1_2_little"));
  const auto error = message_error(1, ByteOrder::big);
  EXPECT_EQ(Bytes(error.begin(), error.end()), test::golden("message_error_1_1_big"));
}

TEST(Control, ReadsACancelRequest) {
  const Bytes message = test::golden("cancel_request_1_0_big");
  const HeaderResult header = parse_header(message.data(), 100);
  ASSERT_TRUE(header);
  const auto id = read_cancel_request(*header, ByteView(message).subspan(header_size));
  ASSERT_TRUE(id);
  EXPECT_EQ(*id, 5u);
  EXPECT_FALSE(read_cancel_request(*header, ByteView(message).subspan(header_size, 3)));
}

}  // namespace
}  // namespace tenon::giop
