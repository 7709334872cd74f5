// SPDX-License-Identifier: Apache-2.0
//
// Skeletons that keep their parameters (src/mapping/cpp11/calls/kept.hpp): values of all sizes one after the other, upcalls inside upcalls,
// exceptions, requests that break off. Upcalls are made in memory, on this thread, so that its shelf can be looked at.
#include "mapping/cpp11/calls/kept.hpp"

#include <gtest/gtest.h>

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "kept_included_skel.hpp"
#include "kept_skel.hpp"

namespace {

namespace cdr = tenon::cdr;
namespace gen = tenon::gen;
using Lines = std::vector<Kept::Line>;

/// A request in memory, and its reply.
class Incoming final : public tenon::protocol::IncomingCall {
 public:
  Incoming(const char* name, tenon::ByteView request) {
    operation = name;
    arguments = cdr::Reader(request, {});
  }
  tenon::ByteView context(std::uint32_t) const noexcept override { return {}; }
  cdr::Writer& begin_reply(tenon::protocol::ReplyStatus which) override {
    status = which;
    reply.reset({});
    return reply;
  }
  tenon::Status finish_reply() override { return {}; }
  bool replied() const noexcept override { return false; }
  void detach() override {}
  std::unique_ptr<tenon::protocol::IncomingCall> take() override { return nullptr; }

  tenon::protocol::ReplyStatus status{};
  cdr::Writer reply;
};
using tenon::protocol::ReplyStatus;

template <typename... T>
std::vector<std::uint8_t> request(const T&... values);

class Servant final : public CORBA::servant_traits<Kept::Page>::base_type {
 public:
  Lines both(const Lines& value, Lines& other) override;
  Lines nested(const Lines& value) override;
  Kept::Marked mark(const Kept::Marked& value) override { return value; }
  void refuse(const Lines& value) override { throw Kept::Refused(value.at(0).text()); }
  std::int32_t follow(const Kept::Linked& value) override {
    return static_cast<std::int32_t>(value.content().size());
  }
  std::string plain(const std::string& value, std::int32_t) override { return value; }
  std::string texts(const std::string& value, std::string& other, std::string& made) override {
    if (value.empty()) throw Kept::Refused(made);
    std::string length = std::to_string(made.size());
    made = other + value;
    other = value + std::move(other);
    return length;
  }
};

class Index final : public CORBA::servant_traits<Kept::Index>::base_type {
 public:
  std::uint32_t count_lines(const Lines& value) override { return static_cast<std::uint32_t>(value.size()); }
  std::uint32_t count_numbers(const std::vector<Kept::Numbered>& value) override {
    return static_cast<std::uint32_t>(value.size());
  }
};

Lines lines(std::size_t count, std::size_t size) {
  Lines made;
  for (std::size_t i = 0; i < count; ++i) {
    made.emplace_back(std::string(size + i, 'a'), std::vector<std::string>(i % 4, std::string(size, 'w')));
  }
  return made;
}

using LinesCodec = gen::Sequence<gen::Codec<Kept::Line>>;
template <typename C>
struct Argument {
  const typename C::value_type& value;
};
Argument<LinesCodec> argument(const Lines& value) { return {value}; }
using NumbersCodec = gen::Sequence<gen::Codec<Kept::Numbered>>;
Argument<NumbersCodec> argument(const std::vector<Kept::Numbered>& value) { return {value}; }
Argument<gen::Codec<Kept::Marked>> argument(const Kept::Marked& value) { return {value}; }
Argument<gen::Codec<Kept::Linked>> argument(const Kept::Linked& value) { return {value}; }
Argument<gen::String<>> argument(const std::string& value) { return {value}; }
Argument<gen::Codec<std::int32_t>> argument(const std::int32_t& value) { return {value}; }

template <typename... T>
std::vector<std::uint8_t> request(const T&... values) {
  cdr::Writer out;
  const auto put = [&]<typename C>(Argument<C> one) { C::put(out, one.value); };
  (put(argument(values)), ...);
  return out.copy();
}

template <typename C>
typename C::value_type read(cdr::Reader& in) {
  typename C::value_type value{};
  C::get(in, value);
  EXPECT_TRUE(in.good());
  return value;
}

/// The result of both(), checked.
void expect_both(Servant& servant, const Lines& value, const Lines& other) {
  const auto bytes = request(value, other);
  Incoming call("both", bytes);
  servant.upcall(call);
  ASSERT_EQ(call.status, ReplyStatus::no_exception);
  cdr::Reader in(call.reply.bytes(), {});
  EXPECT_EQ(read<LinesCodec>(in), value);
  Lines longer = other;
  longer.insert(longer.end(), value.begin(), value.end());
  EXPECT_EQ(read<LinesCodec>(in), longer);
}

Lines Servant::both(const Lines& value, Lines& other) {
  other.insert(other.end(), value.begin(), value.end());
  return value;
}

Lines Servant::nested(const Lines& value) {
  const Lines before(value.begin(), value.end());
  expect_both(*this, lines(5, 40), lines(1, 300));
  expect_both(*this, lines(2, 1), {});
  EXPECT_EQ(value, before);
  return value;
}

class KeptParameters : public testing::Test {
 protected:
  KeptParameters() : servant_(CORBA::make_reference<Servant>()) {}

  CORBA::servant_reference<Servant> servant_;
};

TEST_F(KeptParameters, OldContentsNeverShow) {
  for (const std::size_t count : {0u, 9u, 1u, 30u, 2u, 0u, 4u}) {
    for (const std::size_t size : {0u, 128u, 3u, 15u, 16u, 500u}) {
      expect_both(*servant_, lines(count, size), lines(count / 2, size + 1));
    }
  }
}

TEST_F(KeptParameters, MemoryIsUsedAgain) {
  const Lines value = lines(9, 128);
  const auto bytes = request(value);
  const auto call = [&] {
    Incoming incoming("nested", bytes);
    servant_->upcall(incoming);
    EXPECT_EQ(incoming.status, ReplyStatus::no_exception);
    cdr::Reader in(incoming.reply.bytes(), {});
    EXPECT_EQ(read<LinesCodec>(in), value);
    return gen::kept_bytes();
  };
  const std::size_t first = call();
  EXPECT_GT(first, 9u * 128u);
  EXPECT_LE(first, gen::kept_bytes_most());
  EXPECT_EQ(call(), call()) << "nothing is left over that grows";
}

TEST_F(KeptParameters, StructsWithBases) {
  for (const std::size_t size : {100u, 3u, 100u}) {
    Kept::Marked value;
    value.text(std::string(size, 't'));
    value.words({"one", std::string(size, 'o')});
    value.mark(static_cast<std::int32_t>(size));
    value.note(std::wstring(size, L'n'));
    const auto bytes = request(value);
    Incoming call("mark", bytes);
    servant_->upcall(call);
    cdr::Reader in(call.reply.bytes(), {});
    const auto back = read<gen::Codec<Kept::Marked>>(in);
    EXPECT_TRUE(back.text() == value.text() && back.words() == value.words());
    EXPECT_TRUE(back.mark() == value.mark() && back.note() == value.note());
  }
}

TEST_F(KeptParameters, ExceptionsOfTheServant) {
  for (int i = 0; i < 3; ++i) {
    const auto bytes = request(lines(3, 200));
    Incoming call("refuse", bytes);
    servant_->upcall(call);
    EXPECT_EQ(call.status, ReplyStatus::user_exception);
    expect_both(*servant_, lines(2, 10), lines(2, 20));
  }
}

TEST_F(KeptParameters, RequestsThatBreakOff) {
  const auto bytes = request(lines(6, 20), lines(3, 30));
  expect_both(*servant_, lines(9, 50), lines(9, 50));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Incoming call("both", tenon::ByteView(bytes).first(size));
    servant_->upcall(call);
    ASSERT_EQ(call.status, ReplyStatus::system_exception) << size;
    EXPECT_LE(gen::kept_bytes(), gen::kept_bytes_most());
  }
  expect_both(*servant_, lines(1, 5), lines(2, 6));
}

TEST_F(KeptParameters, NeverMoreThanTheLimit) {
  const std::size_t usual = gen::kept_bytes_most();
  for (const std::size_t most : {std::size_t{0}, std::size_t{2000}, usual}) {
    gen::set_kept_bytes_most(most);
    for (std::size_t large = 0; large < 20; ++large) {
      // another line is the large one each time
      Lines value = lines(20, 10);
      value[large].text(std::string(30000, 'l'));
      expect_both(*servant_, value, lines(1, 1));
      EXPECT_LE(gen::kept_bytes(), most);
    }
  }
  gen::set_kept_bytes_most(usual);
}

/// What is on the shelf after a request with that value, when nothing was before.
template <typename T>
std::size_t kept_after(PortableServer::Servant& servant, const char* name, const T& value) {
  const auto bytes = request(value);
  Incoming call(name, bytes);
  servant.upcall(call);
  EXPECT_EQ(call.status, ReplyStatus::no_exception);
  return gen::kept_bytes();
}

void empty_the_shelf() {
  const std::size_t usual = gen::kept_bytes_most();
  gen::set_kept_bytes_most(0);
  const auto page = CORBA::make_reference<Servant>();
  expect_both(*page, lines(1, 1), lines(1, 1));
  gen::set_kept_bytes_most(usual);
  ASSERT_EQ(gen::kept_bytes(), 0u);
}

TEST_F(KeptParameters, StructsOfOtherFiles) {
  const auto index = CORBA::make_reference<Index>();
  for (const std::size_t count : {3u, 20u}) {
    empty_the_shelf();
    EXPECT_GE(kept_after(*index, "count_lines", lines(count, 200)), count * 200);
    empty_the_shelf();
    const std::vector<Kept::Numbered> numbers(count, Kept::Numbered(7, lines(1, 300).front()));
    EXPECT_GE(kept_after(*index, "count_numbers", numbers), count * 300);
  }
}

TEST_F(KeptParameters, ReferencesAndLoneStringsAreNot) {
  empty_the_shelf();
  const std::size_t before = gen::kept_bytes();
  const auto linked = request(Kept::Linked(lines(4, 100), nullptr));
  Incoming call("follow", linked);
  servant_->upcall(call);
  EXPECT_EQ(call.status, ReplyStatus::no_exception);
  const auto plain = request(std::string(300, 'p'), std::int32_t{1});
  Incoming other("plain", plain);
  servant_->upcall(other);
  EXPECT_EQ(other.status, ReplyStatus::no_exception);
  EXPECT_EQ(gen::kept_bytes(), before);
}

// Interpreted skeletons keep them, as one value; nobody can tell by what arrives.
TEST_F(KeptParameters, CallsOfNothingButTexts) {
  const auto expect_texts = [&](const std::string& value, const std::string& other) {
    const auto bytes = request(value, other);
    Incoming call("texts", bytes);
    servant_->upcall(call);
    ASSERT_EQ(call.status, ReplyStatus::no_exception);
    cdr::Reader in(call.reply.bytes(), {});
    EXPECT_EQ(read<gen::String<>>(in), "0") << "an out parameter begins empty";
    EXPECT_EQ(read<gen::String<>>(in), value + other);
    EXPECT_EQ(read<gen::String<>>(in), other + value);
  };
  empty_the_shelf();
  for (const std::size_t size : {300u, 1u, 15u, 16u, 0u, 40u}) {
    expect_texts(std::string(size + 1, 'v'), std::string(size, 'o'));
    const auto refused = request(std::string(), std::string(size, 'o'));
    Incoming call("texts", refused);
    servant_->upcall(call);
    EXPECT_EQ(call.status, ReplyStatus::user_exception);
    Incoming cut("texts", tenon::ByteView(refused).first(6));
    servant_->upcall(cut);
    EXPECT_EQ(cut.status, ReplyStatus::system_exception);
  }
#ifdef MAPPING_INTERPRETED
  EXPECT_GE(gen::kept_bytes(), 300u);
#else
  EXPECT_EQ(gen::kept_bytes(), 0u);
#endif
  expect_texts(std::string(gen::kept_bytes_most(), 'v'), "o");
  EXPECT_EQ(gen::kept_bytes(), 0u) << "too large to be kept";
}

}  // namespace
