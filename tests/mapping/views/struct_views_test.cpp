// SPDX-License-Identifier: Apache-2.0
//
// @tenon::view at sequences of structs: servants see them where they lie in the request if that is memory of such structs, and copies
// else; a view takes and refuses what the same sequence without it does. The codecs of interpreted types do not know how their memory looks.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "cdr/naive_cdr_test_support.hpp"
#include "mapping/cpp11/types/view.hpp"
#include "views_skel.hpp"

namespace {

namespace cdr = tenon::cdr;
namespace gen = tenon::gen;
using tenon::ByteOrder;
using tenon::ByteView;
using Views::Colour;
using Views::Mixed;
using Views::Padded;
using Views::Point;
using Views::Shifting;

Mixed mixed(int i) {
  return Mixed(i / 3.0, static_cast<std::int16_t>(i * 7919), i % 2 == 0, static_cast<char>('a' + i),
               static_cast<Colour>(i % 3));
}

/// Octets that begin at a multiple of 16.
class Message {
 public:
  explicit Message(const std::vector<std::uint8_t>& octets) : memory_(octets.size() / 16 + 1) {
    if (!octets.empty()) std::memcpy(memory_.data(), octets.data(), octets.size());
    view = {reinterpret_cast<const std::uint8_t*>(memory_.data()), octets.size()};
  }
  bool has(const void* address) const {
    return address >= view.data() && address < view.data() + view.size();
  }
  ByteView view;

 private:
  struct alignas(16) Sixteen {
    std::uint8_t octets[16];
  };
  std::vector<Sixteen> memory_;
};

template <typename Codec, std::uint32_t Bound = 0>
std::vector<std::uint8_t> octets_of(const std::vector<typename Codec::value_type>& values,
                                    std::uint32_t before = 0) {
  cdr::Writer out;
  out.reset({});
  for (std::uint32_t i = 0; i < before; ++i) out.put(i);
  gen::Sequence<Codec, Bound>::put(out, values);
  const ByteView bytes = out.bytes();
  return {bytes.begin(), bytes.end()};
}

/// Whether the view of these octets has what the sequence has, or fails as it does. `lies`: whether it is in the message.
template <std::uint32_t First, typename Codec, std::uint32_t Bound = 0>
void same_as_sequence(const Message& message, const cdr::WireFormat& format, std::uint32_t before,
                      bool* lies) {
  cdr::Reader usual(message.view, format);
  cdr::Reader in(message.view, format);
  for (std::uint32_t i = 0; i < before; ++i) {
    usual.get<std::uint32_t>();
    in.get<std::uint32_t>();
  }
  std::vector<typename Codec::value_type> expected;
  gen::Sequence<Codec, Bound>::get(usual, expected);
  const gen::StructView<First, Codec, Bound> view(in);
  ASSERT_EQ(in.good(), usual.good());
  if (!in.good()) {
    EXPECT_EQ(in.error().minor, usual.error().minor);
    EXPECT_TRUE(view.elements().empty());
    return;
  }
  // Written again, as what is not a number equals nothing.
  EXPECT_EQ(octets_of<Codec>({view.elements().begin(), view.elements().end()}), octets_of<Codec>(expected));
  EXPECT_EQ(in.remaining(), usual.remaining());
  if (lies != nullptr) *lies = message.has(view.elements().data());
}

TEST(StructViews, LieInTheRequestWhereItIsMemoryOfThem) {
  using Codec = gen::Codec<Mixed>;
  std::vector<Mixed> values;
  for (int i = 0; i < 5; ++i) values.push_back(mixed(i));
  for (std::uint32_t before = 0; before < 3; ++before) {
    const Message message(octets_of<Codec, 5>(values, before));
    bool lies = false;
    same_as_sequence<8, Codec, 5>(message, {}, before, &lies);
    EXPECT_EQ(lies, gen::BlockCodec<Codec>) << before;
  }
}

TEST(StructViews, AreCopiesInTheOtherByteOrder) {
  cdr::NaiveWriter naive(cdr::orders[0] == tenon::native_order ? cdr::orders[1] : cdr::orders[0], 0);
  naive.put(std::uint32_t{2});
  for (const int x : {1, 2, 3, 4}) naive.put(static_cast<std::int16_t>(x));
  const Message message(naive.bytes);
  const ByteOrder other = cdr::orders[0] == tenon::native_order ? cdr::orders[1] : cdr::orders[0];
  bool lies = true;
  same_as_sequence<2, gen::Codec<Point>>(message, cdr::format_of(other), 0, &lies);
  EXPECT_FALSE(lies);
}

TEST(StructViews, WantThePaddingBehindTheLast) {
  using Codec = gen::Codec<Padded>;
  std::vector<std::uint8_t> octets = octets_of<Codec>({Padded(1.5, 1), Padded(2.5, 2), Padded(3.5, 3)});
  bool lies = true;
  same_as_sequence<8, Codec>(Message(octets), {}, 0, &lies);
  EXPECT_FALSE(lies);
  octets.resize(octets.size() + 6);
  // What else there may be behind it.
  const Message message(octets);
  cdr::Reader in(message.view, {});
  const gen::StructView<8, Codec> view(in);
  ASSERT_EQ(view.elements().size(), 3u);
  EXPECT_EQ(message.has(view.elements().data()), gen::BlockCodec<Codec>);
  EXPECT_EQ(view.elements()[2].b(), 3);
}

TEST(StructViews, OfWhichTheFirstIsLaidOutInAnotherWayAreCopies) {
  using Codec = gen::Codec<Shifting>;
  const std::vector<Shifting> values{Shifting(1, 1.5), Shifting(2, 2.5), Shifting(3, 3.5)};
  bool lies = true;
  same_as_sequence<2, Codec>(Message(octets_of<Codec>(values)), {}, 0, &lies);  // elements begin at 4
  EXPECT_FALSE(lies);
  same_as_sequence<2, Codec>(Message(octets_of<Codec>(values, 1)), {}, 1, &lies);  // at 8
  EXPECT_EQ(lies, gen::BlockCodec<Codec>);
}

TEST(StructViews, TakeAndRefuseWhatSequencesDo) {
  using Codec = gen::Codec<Mixed>;
  std::vector<Mixed> values;
  for (int i = 0; i < 5; ++i) values.push_back(mixed(i));
  const std::vector<std::uint8_t> octets = octets_of<Codec>(values);
  std::mt19937 random(20261127);
  for (int i = 0; i < 4000; ++i) {
    std::vector<std::uint8_t> changed = octets;
    changed[random() % changed.size()] = static_cast<std::uint8_t>(random());
    if (i % 3 == 0) changed.resize(random() % changed.size());
    same_as_sequence<8, Codec, 5>(Message(changed), {}, 0, nullptr);
  }
}

class Seen final : public CORBA::servant_traits<Views::Structs>::base_type {
 public:
  std::int32_t put_points(const std::string& name, std::span<const Point> values) override {
    std::int32_t sum = static_cast<std::int32_t>(name.size());
    for (const Point& one : values) sum += one.x() * one.y();
    return sum;
  }
  Views::Points put_mixed(std::span<const Mixed> values, std::span<const Padded> others) override {
    Views::Points points;
    for (const Mixed& one : values)
      points.emplace_back(one.b(), static_cast<std::int16_t>(static_cast<int>(one.e())));
    for (const Padded& one : others) points.emplace_back(one.b(), static_cast<std::int16_t>(one.a()));
    return points;
  }
  std::int32_t put_rest(std::span<const Shifting> values, std::span<const Views::Priced> others) override {
    std::int32_t sum = 0;
    for (const Shifting& one : values) sum += one.a();
    for (const Views::Priced& one : others) sum += one.count() + 100;
    return sum;
  }
  Views::Points get(std::int32_t count) override {
    return Views::Points(static_cast<std::size_t>(count), Point{1, 2});
  }
};

class StructViewCalls : public testing::TestWithParam<const char*> {};

TEST_P(StructViewCalls, CarryThem) {
  int count = 3;
  char* words[] = {const_cast<char*>("test"), const_cast<char*>("-ORBCollocation"),
                   const_cast<char*>(GetParam()), nullptr};
  const auto orb = CORBA::ORB_init(count, words, std::string("struct views ") + GetParam());
  const auto object = IDL::traits<Views::Structs>::narrow(tenon::publish(orb, CORBA::make_reference<Seen>()));
  const Point points[] = {Point(2, 3), Point(4, 5)};  // a stub takes memory of any kind
  EXPECT_EQ(object->put_points("abc", points), 29);
  EXPECT_EQ(object->put_points("", {}), 0);
  const std::vector<Mixed> few{mixed(0), mixed(1), mixed(2)};
  const std::vector<Padded> padded{Padded(7.0, 8)};
  const Views::Points expected{Point(0, 0), Point(mixed(1).b(), 1), Point(mixed(2).b(), 2), Point(8, 7)};
  EXPECT_EQ(object->put_mixed(few, padded), expected);
  EXPECT_THROW(object->put_mixed(std::vector<Mixed>(6), {}), CORBA::BAD_PARAM);
  const std::vector<Shifting> shifting{Shifting(1, 0.5), Shifting(10, 1.5)};
  const std::vector<Views::Priced> priced(3, Views::Priced());
  EXPECT_EQ(object->put_rest(shifting, priced), 311);
  EXPECT_EQ(object->get(2), (Views::Points{Point(1, 2), Point(1, 2)}));
  orb->destroy();
}
INSTANTIATE_TEST_SUITE_P(Structs, StructViewCalls, testing::Values("yes", "no"));

}  // namespace
