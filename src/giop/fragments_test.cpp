// SPDX-License-Identifier: Apache-2.0
// Fragments: every legal cut of a message in both versions, interleaving, cancelling, and everything a hostile peer may send.
#include "giop/fragments.hpp"

#include "base/minor_codes.hpp"
#include "giop/control.hpp"
#include "giop/reply.hpp"
#include "giop/request.hpp"
#include "giop/wire_test_support.hpp"

namespace tenon::giop {
namespace {

using test::Bytes;
using test::view;

Bytes request(std::uint8_t minor, ByteOrder order, std::uint32_t id, std::size_t body,
              MessageType type = MessageType::request) {
  cdr::Writer writer(test::format(minor, order));
  if (type == MessageType::request) {
    begin_request(writer, {id, Response::target, by_key(view("key")), "operation", {}, {}, true});
  } else {
    begin_reply(writer, {id, ReplyStatus::no_exception, {}, true});
  }
  for (std::size_t i = 0; i < body; ++i) writer.put(static_cast<std::uint8_t>(i * 7 + id));
  finish_message(writer);
  return test::bytes_of(writer);
}

/// Sends one whole message, as the connection does.
Result<Joined> add(Assembler& assembler, const Bytes& message, Assembled& into) {
  const HeaderResult header = parse_header(message.data(), 1u << 24);
  EXPECT_TRUE(header);
  EXPECT_TRUE(Assembler::concerns(*header));
  return assembler.add(*header, ByteView(message).subspan(header_size), into);
}

/// A message of its own around `data`.
Bytes wrap(MessageHeader header, ByteView data) {
  Bytes message(header_size);
  header.size = static_cast<std::uint32_t>(data.size());
  write_header(message.data(), header);
  message.insert(message.end(), data.begin(), data.end());
  return message;
}

/// Cuts a message at offsets of the message (header included), ascending; the fragments are messages of their own.
std::vector<Bytes> cut(const Bytes& message, const std::vector<std::size_t>& at) {
  const HeaderResult whole = parse_header(message.data(), 1u << 24);
  std::vector<Bytes> parts;
  std::size_t from = header_size;
  for (std::size_t i = 0; i <= at.size(); ++i) {
    const std::size_t to = i < at.size() ? at[i] : message.size();
    MessageHeader header = **whole;
    header.more_fragments = i < at.size();
    Bytes data(message.begin() + static_cast<std::ptrdiff_t>(from),
               message.begin() + static_cast<std::ptrdiff_t>(to));
    if (i != 0) {
      header.type = MessageType::fragment;
      if (header.minor == 2) data.insert(data.begin(), message.begin() + 12, message.begin() + 16);
    }
    parts.push_back(wrap(header, data));
    from = to;
  }
  return parts;
}

void expect_joined(const Bytes& message, const std::vector<Bytes>& parts) {
  Assembler assembler;
  Assembled whole;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Result<Joined> joined = add(assembler, parts[i], whole);
    ASSERT_TRUE(joined) << "part " << i;
    ASSERT_EQ(*joined, i + 1 == parts.size() ? Joined::complete : Joined::pending);
  }
  EXPECT_EQ(Bytes(whole.bytes.data(), whole.bytes.data() + whole.header.total()), message);
  EXPECT_EQ(assembler.memory(), 0u);
  EXPECT_EQ(assembler.open(), 0u);
}

TEST(Assembler, Joins_1_2_AtEveryCut) {
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    for (const MessageType type : {MessageType::request, MessageType::reply}) {
      const Bytes message = request(2, order, 6, 61, type);
      for (std::size_t first = 16; first < message.size(); first += 8) {
        expect_joined(message, cut(message, {first}));
        for (std::size_t second = first; second < message.size(); second += 8) {
          expect_joined(message, cut(message, {first, second}));
        }
      }
      std::vector<std::size_t> everywhere;
      for (std::size_t at = 16; at < message.size(); at += 8) everywhere.push_back(at);
      expect_joined(message, cut(message, everywhere));
    }
  }
}

TEST(Assembler, JoinsALastFragmentWithoutData) {
  const Bytes message = request(2, native_order, 6, 60);
  ASSERT_EQ(message.size() % 8, 4u);
  Bytes even = request(2, native_order, 6, 64);
  expect_joined(even, cut(even, {even.size()}));
}

/// GIOP 1.1 restarts alignment in every fragment, so a 1.1 sender pads differently: this one writes a body of values and cuts
/// before the ones that are listed.
struct Body11 {
  std::vector<Bytes> parts;
  explicit Body11(const std::vector<std::size_t>& cuts) {
    std::vector<Bytes> raw;
    cdr::Writer writer(test::format(1, ByteOrder::big));
    begin_request(writer, {9, Response::target, by_key(view("key")), "operation", {}, {}, true});
    std::size_t next = 0;
    for (std::size_t i = 0; i < 12; ++i) {
      if (next < cuts.size() && cuts[next] == i) {
        ++next;
        raw.push_back(writer.copy());
        // What follows is aligned as behind a header.
        writer.reset(test::format(1, ByteOrder::big), body_phase);
      }
      switch (i % 4) {
        case 0: writer.put(std::uint8_t(i)); break;
        case 1: writer.put(double(i)); break;
        case 2: writer.put(std::int16_t(i)); break;
        default: writer.put_string("text"); break;
      }
    }
    raw.push_back(writer.copy());
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const MessageHeader header{1, ByteOrder::big, i + 1 < raw.size(),
                                 i == 0 ? MessageType::request : MessageType::fragment, 0};
      parts.push_back(wrap(header, ByteView(raw[i]).subspan(i == 0 ? header_size : 0)));
    }
  }
};

TEST(Assembler, Joins_1_1_WithAlignmentRestarting) {
  for (unsigned mask = 1; mask < (1u << 11); ++mask) {
    std::vector<std::size_t> cuts;
    for (std::size_t i = 0; i < 11; ++i) {
      if ((mask >> i & 1) != 0) cuts.push_back(i + 1);
    }
    const Body11 sent(cuts);
    Assembler assembler;
    Assembled whole;
    for (std::size_t i = 0; i < sent.parts.size(); ++i) {
      const Result<Joined> joined = add(assembler, sent.parts[i], whole);
      ASSERT_TRUE(joined);
      ASSERT_EQ(*joined, i + 1 == sent.parts.size() ? Joined::complete : Joined::pending);
    }
    EXPECT_EQ(assembler.memory(), 0u);
    cdr::Reader reader(whole.body(), test::format(1, ByteOrder::big), body_phase, whole.restarts);
    RequestHeader head;
    ASSERT_TRUE(read_request(reader, head));
    EXPECT_EQ(head.request_id, 9u);
    EXPECT_EQ(head.operation, "operation");
    for (std::size_t i = 0; i < 12; ++i) {
      std::string word;
      switch (i % 4) {
        case 0: EXPECT_EQ(reader.get<std::uint8_t>(), i); break;
        case 1: EXPECT_EQ(reader.get<double>(), double(i)); break;
        case 2: EXPECT_EQ(reader.get<std::int16_t>(), std::int16_t(i)); break;
        default:
          reader.get_string(word);
          EXPECT_EQ(word, "text");
          break;
      }
    }
    EXPECT_TRUE(reader.good()) << mask;
    EXPECT_EQ(reader.remaining(), 0u);
  }
}

TEST(Assembler, Joins_1_1_WithinTheHead) {
  // A 1.1 request header consists of ulongs and octets here, so its cuts between fields need no other padding than they have.
  const Bytes message = request(1, ByteOrder::little, 3, 5);
  for (const std::size_t at : {std::size_t{12}, std::size_t{16}, std::size_t{20}, std::size_t{24}}) {
    Assembler assembler;
    Assembled whole;
    const std::vector<Bytes> parts = cut(message, {at});
    ASSERT_TRUE(add(assembler, parts[0], whole));
    ASSERT_TRUE(add(assembler, parts[1], whole));
    cdr::Reader reader(whole.body(), test::format(1, ByteOrder::little), body_phase, whole.restarts);
    RequestHeader head;
    EXPECT_TRUE(read_request(reader, head)) << at;
    EXPECT_EQ(head.request_id, 3u);
  }
}

TEST(Assembler, InterleavesSeriesOf_1_2) {
  Assembler assembler;
  Assembled whole;
  std::vector<std::vector<Bytes>> all;
  std::vector<Bytes> messages;
  for (std::uint32_t id = 0; id < 8; ++id) {
    messages.push_back(request(2, id % 2 == 0 ? ByteOrder::big : ByteOrder::little, id, 100 + id,
                               id % 3 == 0 ? MessageType::reply : MessageType::request));
    all.push_back(cut(messages.back(), {24, 48, 96}));
  }
  for (std::size_t part = 0; part < 4; ++part) {
    for (std::size_t id = 0; id < 8; ++id) {
      const Result<Joined> joined = add(assembler, all[id][part], whole);
      ASSERT_TRUE(joined);
      ASSERT_EQ(*joined, part == 3 ? Joined::complete : Joined::pending);
      if (part == 3) {
        EXPECT_EQ(Bytes(whole.bytes.data(), whole.bytes.data() + whole.header.total()), messages[id]);
      }
    }
  }
  EXPECT_EQ(assembler.memory(), 0u);
}

TEST(Assembler, ACancelRequestEndsASeries) {
  for (std::uint8_t minor = 1; minor <= 2; ++minor) {
    Assembler assembler;
    Assembled whole;
    const std::vector<Bytes> parts = cut(request(minor, native_order, 4, 100), {48});
    ASSERT_TRUE(add(assembler, parts[0], whole));
    EXPECT_FALSE(assembler.cancel(6));
    EXPECT_TRUE(assembler.cancel(4));
    EXPECT_FALSE(assembler.cancel(4));
    EXPECT_EQ(assembler.memory(), 0u);
    EXPECT_EQ(add(assembler, parts[1], whole).error(), errors::fragment_without_start);
  }
}

TEST(Assembler, CancelDoesNotTouchReplies) {
  Assembler assembler;
  Assembled whole;
  const std::vector<Bytes> parts = cut(request(2, native_order, 4, 100, MessageType::reply), {48});
  ASSERT_TRUE(add(assembler, parts[0], whole));
  EXPECT_FALSE(assembler.cancel(4));
  EXPECT_TRUE(add(assembler, parts[1], whole));
}

TEST(Assembler, DropsAReplyThatNobodyWaitsFor) {
  Assembler assembler;
  Assembled whole;
  const std::vector<Bytes> parts = cut(request(2, native_order, 4, 100, MessageType::reply), {48, 64});
  ASSERT_TRUE(add(assembler, parts[0], whole));
  assembler.discard_reply(4);
  EXPECT_EQ(assembler.memory(), 0u);
  EXPECT_EQ(*add(assembler, parts[1], whole), Joined::pending);
  EXPECT_EQ(*add(assembler, parts[2], whole), Joined::dropped);
  EXPECT_EQ(assembler.open(), 0u);
}

TEST(Assembler, RefusesFragmentsThatContinueNothing) {
  for (std::uint8_t minor = 1; minor <= 2; ++minor) {
    Assembler assembler;
    Assembled whole;
    const std::vector<Bytes> parts = cut(request(minor, native_order, 4, 100), {48});
    EXPECT_EQ(add(assembler, parts[1], whole).error(), errors::fragment_without_start);
  }
  Assembler assembler;
  Assembled whole;
  ASSERT_TRUE(add(assembler, cut(request(2, native_order, 4, 100), {48})[0], whole));
  EXPECT_EQ(add(assembler, cut(request(2, native_order, 8, 100), {48})[1], whole).error(),
            errors::fragment_without_start);
}

TEST(Assembler, RefusesASecondStart) {
  for (std::uint8_t minor = 1; minor <= 2; ++minor) {
    Assembler assembler;
    Assembled whole;
    const Bytes first = cut(request(minor, native_order, 4, 100), {48})[0];
    ASSERT_TRUE(add(assembler, first, whole));
    EXPECT_EQ(add(assembler, first, whole).error(), errors::fragment_id_in_use);
  }
}

TEST(Assembler, RefusesAnotherByteOrderOrVersion) {
  const std::vector<Bytes> parts = cut(request(2, ByteOrder::little, 4, 100), {48});
  Assembled whole;
  {
    Assembler assembler;
    ASSERT_TRUE(add(assembler, parts[0], whole));
    Bytes other = wrap({2, ByteOrder::big, false, MessageType::fragment, 0}, Bytes{0, 0, 0, 4, 9, 9});
    EXPECT_EQ(add(assembler, other, whole).error(), errors::fragment_mismatch);
  }
  {
    Assembler assembler;
    ASSERT_TRUE(add(assembler, parts[0], whole));
    Bytes other = wrap({1, ByteOrder::little, false, MessageType::fragment, 0}, Bytes{9, 9});
    EXPECT_EQ(add(assembler, other, whole).error(), errors::fragment_mismatch);
  }
}

TEST(Assembler, RefusesUnalignedFragmentsUnlessAllowed) {
  const Bytes message = request(2, native_order, 4, 100);
  for (std::size_t at = 17; at < 24; ++at) {
    Assembler strict;
    Assembled whole;
    const std::vector<Bytes> parts = cut(message, {at});
    EXPECT_EQ(add(strict, parts[0], whole).error(), errors::fragment_unaligned);
    FragmentLimits limits;
    limits.unaligned = true;
    Assembler tolerant(limits);
    ASSERT_TRUE(add(tolerant, parts[0], whole));
    ASSERT_TRUE(add(tolerant, parts[1], whole));
    EXPECT_EQ(Bytes(whole.bytes.data(), whole.bytes.data() + whole.header.total()), message);
  }
}

TEST(Assembler, RefusesA_1_2_FragmentWithoutAnId) {
  Assembler assembler;
  Assembled whole;
  const Bytes fragment = wrap({2, native_order, false, MessageType::fragment, 0}, Bytes{1, 2, 3});
  EXPECT_EQ(add(assembler, fragment, whole).error(), errors::fragment_without_start);
}

TEST(Assembler, KeepsToItsLimits) {
  Assembled whole;
  {
    FragmentLimits limits;
    limits.series = 3;
    Assembler assembler(limits);
    for (std::uint32_t id = 0; id < 3; ++id) {
      ASSERT_TRUE(add(assembler, cut(request(2, native_order, id, 100), {48})[0], whole));
    }
    EXPECT_EQ(add(assembler, cut(request(2, native_order, 3, 100), {48})[0], whole).error(),
              errors::fragments_above_limit);
  }
  {
    FragmentLimits limits;
    limits.largest_message = 200;
    Assembler assembler(limits);
    const std::vector<Bytes> parts = cut(request(2, native_order, 0, 200), {48});
    ASSERT_TRUE(add(assembler, parts[0], whole));
    EXPECT_EQ(add(assembler, parts[1], whole).error(), errors::fragments_above_limit);
  }
  {
    FragmentLimits limits;
    limits.memory = 41'000;
    Assembler assembler(limits);
    // What is held counts, which may be twice what has come.
    ASSERT_TRUE(add(assembler, cut(request(2, native_order, 0, 20'000), {8000})[0], whole));
    EXPECT_EQ(assembler.memory(), Buffer::capacity_for(8000));
    ASSERT_TRUE(add(assembler, cut(request(2, native_order, 1, 30'000), {16'400})[0], whole));
    EXPECT_EQ(assembler.memory(), Buffer::capacity_for(8000) + Buffer::capacity_for(16'400));
    EXPECT_EQ(add(assembler, cut(request(2, native_order, 2, 3000), {800})[0], whole).error(),
              errors::fragments_above_limit);
  }
}

TEST(Assembler, AMessageThatJustFitsIsAccepted) {
  const Bytes message = request(2, native_order, 0, 100000);
  FragmentLimits limits;
  limits.largest_message = message.size();
  limits.memory = Buffer::capacity_for(message.size());
  std::vector<std::size_t> at;
  for (std::size_t i = 16; i < message.size(); i += 4096) at.push_back(i);
  Assembler assembler(limits);
  Assembled whole;
  Result<Joined> joined = Joined::pending;
  for (const Bytes& part : cut(message, at)) {
    joined = add(assembler, part, whole);
    ASSERT_TRUE(joined);
  }
  EXPECT_EQ(*joined, Joined::complete);
}

TEST(Assembler, RestartsCountAgainstTheMemory) {
  FragmentLimits limits;
  limits.memory = 20000;
  Assembler assembler(limits);
  Assembled whole;
  ASSERT_TRUE(add(assembler, cut(request(1, native_order, 0, 100), {48})[0], whole));
  const Bytes fragment = wrap({1, native_order, true, MessageType::fragment, 0}, Bytes{1});
  std::size_t accepted = 0;
  while (accepted < 20000 && add(assembler, fragment, whole)) ++accepted;
  EXPECT_LT(accepted, limits.memory / sizeof(cdr::Restart));
}

std::vector<Bytes> fragments_of(const Bytes& message, std::size_t largest,
                                const std::vector<std::size_t>& pieces) {
  std::vector<cdr::Piece> gather;
  std::size_t at = 0;
  for (const std::size_t size : pieces) {
    gather.push_back({message.data() + at, size});
    at += size;
  }
  gather.push_back({message.data() + at, message.size() - at});
  Fragmenter fragmenter(gather, largest);
  std::vector<Bytes> parts;
  cdr::Piece out[8];
  while (const std::size_t count = fragmenter.next(out)) {
    Bytes& part = parts.emplace_back();
    for (const cdr::Piece& piece : std::span(out).first(count))
      part.insert(part.end(), piece.data, piece.data + piece.size);
  }
  return parts;
}

TEST(Fragmenter, WhatItCutsIsJoinedAgain) {
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    for (const std::size_t size : {1u, 8u, 63u, 500u, 4096u}) {
      const Bytes message = request(2, order, 0x01020304, size);
      for (const std::size_t largest : {64u, 65u, 71u, 72u, 128u, 1000u}) {
        for (const std::vector<std::size_t>& pieces :
             {std::vector<std::size_t>{}, {16}, {16, 1, 0, 7}, {40, 20}}) {
          const std::vector<Bytes> parts = fragments_of(message, largest, pieces);
          if (parts.size() == 1) {
            EXPECT_EQ(parts[0], message);
            continue;
          }
          for (std::size_t i = 0; i < parts.size(); ++i) {
            EXPECT_LE(parts[i].size(), largest);
            if (i + 1 < parts.size()) {
              EXPECT_EQ(parts[i].size() % 8, 0u);
            }
          }
          expect_joined(message, parts);
        }
      }
    }
  }
}

// A message in three parts, each of which is cut by itself.
TEST(Fragmenter, PartsAreJoinedToOneMessage) {
  const Bytes message = request(2, ByteOrder::little, 7, 4096);
  std::vector<Bytes> all;
  std::uint8_t start[cdr::PartSink::start_size];
  write_fragment_start(start, message.data());
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t size = std::min<std::size_t>(1600, message.size() - at);
    const cdr::Piece pieces[] = {{start, at == 0 ? 0 : sizeof start}, {message.data() + at, size}};
    const std::span<const cdr::Piece> part(at == 0 ? pieces + 1 : pieces, pieces + 2);
    at += size;
    Fragmenter fragmenter(part, 512, at < message.size());
    cdr::Piece out[8];
    while (const std::size_t count = fragmenter.next(out)) {
      Bytes& one = all.emplace_back();
      for (const cdr::Piece& piece : std::span(out).first(count))
        one.insert(one.end(), piece.data, piece.data + piece.size);
      EXPECT_LE(one.size(), 512u);
    }
  }
  EXPECT_GT(all.size(), 8u);
  expect_joined(message, all);
}

TEST(Fragmenter, SaysWhatIsWorthCutting) {
  EXPECT_TRUE(Fragmenter::wanted(MessageType::request, 2, 1001, 1000));
  EXPECT_FALSE(Fragmenter::wanted(MessageType::request, 2, 1000, 1000));
  EXPECT_FALSE(Fragmenter::wanted(MessageType::request, 2, 1001, 0));
  EXPECT_FALSE(Fragmenter::wanted(MessageType::request, 1, 1001, 1000));
  EXPECT_FALSE(Fragmenter::wanted(MessageType::cancel_request, 2, 1001, 1000));
}

}  // namespace
}  // namespace tenon::giop
