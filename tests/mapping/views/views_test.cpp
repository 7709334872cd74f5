// SPDX-License-Identifier: Apache-2.0
//
// @tenon::view (views.idl): that servants see elements where they lie in the request if that is possible, and get copies if it is
// not; that a view takes and refuses what the same sequence without it does; that no call copies the elements of a large one, over
// each transport. Long because each type of element has functions and a name here.
#include "mapping/cpp11/types/view.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <future>
#include <memory>
#include <new>
#include <random>
#include <sstream>
#include <string>
#include <thread>

#include <tenon/messaging.hpp>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "cdr/naive_cdr_test_support.hpp"
#include "views_async.hpp"
#include "views_skel.hpp"

// What a std::vector of many elements takes is counted. The engine's buffers come from elsewhere. Sanitizers have an operator new
// of their own.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define OTHER_NEW 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define OTHER_NEW 1
#endif
#endif

namespace {
std::atomic<int> large_blocks{0};
}  // namespace

#ifndef OTHER_NEW
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (size >= 256 * 1024) ++large_blocks;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* const memory = ::operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace {

namespace cdr = tenon::cdr;
namespace gen = tenon::gen;
using tenon::ByteOrder;
using tenon::ByteView;
using tenon::protocol::ReplyStatus;

/// The object: it notes what it is shown. Views and usual sequences have the same octets here.
class Recorder {
 public:
  ByteView shown;                      ///< while the upcall runs; afterwards only where it was
  std::vector<std::uint8_t> contents;  ///< a copy, if it is small
  std::atomic<int> upcalls{0};
  std::atomic<bool> in_ring{false};  ///< where the last ones were lay in memory of shmiop
  std::atomic<std::uint32_t> told_octets{0};

  // clang-format off
  std::uint32_t put_octets(std::span<const std::uint8_t> values) { return note(values); }
  std::uint32_t put_booleans(std::span<const bool> values) { return note(values); }
  std::uint32_t put_chars(std::span<const char> values) { return note(values); }
  std::uint32_t put_int8s(std::span<const std::int8_t> values) { return note(values); }
  std::uint32_t put_uint8s(std::span<const std::uint8_t> values) { return note(values); }
  std::uint32_t put_shorts(std::span<const std::int16_t> values) { return note(values); }
  std::uint32_t put_ushorts(std::span<const std::uint16_t> values) { return note(values); }
  std::uint32_t put_longs(std::span<const std::int32_t> values) { return note(values); }
  std::uint32_t put_ulongs(std::span<const std::uint32_t> values) { return note(values); }
  std::uint32_t put_long_longs(std::span<const std::int64_t> values) { return note(values); }
  std::uint32_t put_ulong_longs(std::span<const std::uint64_t> values) { return note(values); }
  std::uint32_t put_floats(std::span<const float> values) { return note(values); }
  std::uint32_t put_doubles(std::span<const double> values) { return note(values); }
  std::uint32_t put_few_booleans(std::span<const bool> values) { return note(values); }
  std::uint32_t put_few_doubles(std::span<const double> values) { return note(values); }

  std::uint32_t take_octets(const std::vector<std::uint8_t>& values) { return note(std::span(values)); }
  std::uint32_t take_booleans(const std::vector<bool>& values) { return note_booleans(values); }
  std::uint32_t take_chars(const std::vector<char>& values) { return note(std::span(values)); }
  std::uint32_t take_int8s(const std::vector<std::int8_t>& values) { return note(std::span(values)); }
  std::uint32_t take_uint8s(const std::vector<std::uint8_t>& values) { return note(std::span(values)); }
  std::uint32_t take_shorts(const std::vector<std::int16_t>& values) { return note(std::span(values)); }
  std::uint32_t take_ushorts(const std::vector<std::uint16_t>& values) { return note(std::span(values)); }
  std::uint32_t take_longs(const std::vector<std::int32_t>& values) { return note(std::span(values)); }
  std::uint32_t take_ulongs(const std::vector<std::uint32_t>& values) { return note(std::span(values)); }
  std::uint32_t take_long_longs(const std::vector<std::int64_t>& values) { return note(std::span(values)); }
  std::uint32_t take_ulong_longs(const std::vector<std::uint64_t>& values) { return note(std::span(values)); }
  std::uint32_t take_floats(const std::vector<float>& values) { return note(std::span(values)); }
  std::uint32_t take_doubles(const std::vector<double>& values) { return note(std::span(values)); }
  std::uint32_t take_few_booleans(const std::vector<bool>& values) { return note_booleans(values); }
  std::uint32_t take_few_doubles(const std::vector<double>& values) { return note(std::span(values)); }
  // clang-format on

  bool pass_on(const std::string& note, std::span<const std::uint8_t> data, std::span<const double> numbers,
               const CORBA::object_reference<Views::Sink>& to) {
    const std::vector<std::uint8_t> octets(data.begin(), data.end());
    const std::vector<double> doubles(numbers.begin(), numbers.end());
    to->put_octets(data);
    to->put_doubles(numbers);
    return note == "pass on" && std::equal(data.begin(), data.end(), octets.begin()) &&
           std::equal(numbers.begin(), numbers.end(), doubles.begin());
  }
  void tell(std::span<const std::uint8_t> data) { told_octets += sum(data); }
  std::uint32_t told() { return told_octets; }

  static std::uint32_t sum(ByteView octets) {
    std::uint32_t all = static_cast<std::uint32_t>(octets.size());
    for (const std::uint8_t octet : octets) all = all * 31 + octet;
    return all;
  }

 private:
  static bool lies_in_ring(const void* address) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      std::uintptr_t begin = 0;
      std::uintptr_t end = 0;
      char dash = 0;
      std::istringstream(line) >> std::hex >> begin >> dash >> end;
      const auto at = reinterpret_cast<std::uintptr_t>(address);
      if (at >= begin && at < end) return line.find("memfd:tenon-shmiop") != std::string::npos;
    }
    return false;
  }
  template <typename T>
  std::uint32_t note(std::span<const T> values) {
    ++upcalls;
    const ByteView octets(reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes());
    in_ring = lies_in_ring(values.data());
    if (octets.size() < 4096) {
      shown = octets;
      contents.assign(octets.begin(), octets.end());
    }
    return sum(octets);
  }
  std::uint32_t note_booleans(const std::vector<bool>& values) {
    const std::vector<std::uint8_t> octets(values.begin(), values.end());
    return note(std::span(octets));
  }
};

using Tied = CORBA::servant_traits<Views::Relay>::tie_type<Recorder>;

/// A request in memory, and its reply.
class Incoming final : public tenon::protocol::IncomingCall {
 public:
  Incoming(const char* name, const cdr::Reader& request) {
    operation = name;
    arguments = request;
  }
  ByteView context(std::uint32_t) const noexcept override { return {}; }
  cdr::Writer& begin_reply(ReplyStatus which) override {
    status = which;
    reply.reset({});
    return reply;
  }
  tenon::Status finish_reply() override { return {}; }
  bool replied() const noexcept override { return false; }
  void detach() override {}
  std::unique_ptr<tenon::protocol::IncomingCall> take() override { return nullptr; }

  ReplyStatus status{};
  cdr::Writer reply;
};

/// The same object, whose calls are taken out of their upcalls.
class Taking final : public Tied {
 public:
  explicit Taking(std::shared_ptr<Recorder> recorder) : Tied(std::move(recorder)) { _serve(taking, this); }
  std::promise<std::unique_ptr<tenon::protocol::IncomingCall>> taken;  ///< the first one

 private:
  static const gen::Skeleton taking;
};
const gen::Skeleton Taking::taking{_skeleton.ids, _skeleton.numbering, _skeleton.heir_of,
                                   [](void* self, gen::Upcall& call, const gen::Skeleton&) {
                                     static_cast<Taking*>(self)->taken.set_value(call.incoming().take());
                                     return true;
                                   }};

/// Octets at an address that is `shift` beyond a multiple of 16.
class At {
 public:
  At(const std::vector<std::uint8_t>& octets, std::size_t shift) : memory_(octets.size() + 32) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
    std::uint8_t* const at = memory_.data() + tenon::padding_to(begin, 16) + shift;
    if (!octets.empty()) std::memcpy(at, octets.data(), octets.size());
    view = {at, octets.size()};
  }
  bool has(ByteView octets) const {
    return octets.data() >= view.data() && octets.data() + octets.size() <= view.data() + view.size();
  }
  ByteView view;

 private:
  std::vector<std::uint8_t> memory_;
};

template <typename Element, std::uint32_t most = 0>
struct Type {
  using T = Element;
  static constexpr std::uint32_t bound = most;
};
// clang-format off
struct Octets : Type<std::uint8_t> { static constexpr const char* name = "octets"; };
struct Booleans : Type<bool> { static constexpr const char* name = "booleans"; };
struct Chars : Type<char> { static constexpr const char* name = "chars"; };
struct Int8s : Type<std::int8_t> { static constexpr const char* name = "int8s"; };
struct UInt8s : Type<std::uint8_t> { static constexpr const char* name = "uint8s"; };
struct Shorts : Type<std::int16_t> { static constexpr const char* name = "shorts"; };
struct UShorts : Type<std::uint16_t> { static constexpr const char* name = "ushorts"; };
struct Longs : Type<std::int32_t> { static constexpr const char* name = "longs"; };
struct ULongs : Type<std::uint32_t> { static constexpr const char* name = "ulongs"; };
struct LongLongs : Type<std::int64_t> { static constexpr const char* name = "long_longs"; };
struct ULongLongs : Type<std::uint64_t> { static constexpr const char* name = "ulong_longs"; };
struct Floats : Type<float> { static constexpr const char* name = "floats"; };
struct Doubles : Type<double> { static constexpr const char* name = "doubles"; };
struct FewBooleans : Type<bool, 3> { static constexpr const char* name = "few_booleans"; };
struct FewDoubles : Type<double, 4> { static constexpr const char* name = "few_doubles"; };
// clang-format on

template <typename Case>
class EachType : public testing::Test {
 protected:
  using Element = typename Case::T;
  struct Outcome {
    ReplyStatus status;
    std::vector<std::uint8_t> reply;
    std::vector<std::uint8_t> contents;
    int upcalls;
    bool operator==(const Outcome&) const = default;
  };

  static constexpr std::uint32_t some = Case::bound != 0 ? Case::bound : 21;
  static Element nth(std::size_t i) {
    if constexpr (std::is_same_v<Element, bool>) {
      return i % 3 == 0;
    } else if constexpr (std::is_same_v<Element, char>) {
      return static_cast<char>('a' + i);
    } else {
      return static_cast<Element>(static_cast<Element>(i * 7919) / Element{3});
    }
  }
  static std::vector<std::uint8_t> request(ByteOrder order, std::size_t count) {
    cdr::NaiveWriter naive(order, 0);
    naive.put(static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count; ++i) naive.put(nth(i));
    return naive.bytes;
  }
  Outcome run(const std::string& how, const cdr::Reader& request) {
    recorder_->contents.clear();
    recorder_->shown = {};
    const int before = recorder_->upcalls;
    const std::string operation = how + Case::name;
    Incoming call(operation.c_str(), request);
    servant_->upcall(call);
    const ByteView reply = call.reply.bytes();
    return {call.status, {reply.begin(), reply.end()}, recorder_->contents, recorder_->upcalls - before};
  }
  /// The outcome of the view, which must be that of the sequence.
  Outcome run_both(const cdr::Reader& request) {
    const Outcome usual = run("take_", request);
    const Outcome view = run("put_", request);
    EXPECT_EQ(view, usual);
    return view;
  }

  std::shared_ptr<Recorder> recorder_ = std::make_shared<Recorder>();
  CORBA::servant_reference<Tied> servant_ = CORBA::make_reference<Tied>(recorder_);
};
using Cases = testing::Types<Octets, Booleans, Chars, Int8s, UInt8s, Shorts, UShorts, Longs, ULongs,
                             LongLongs, ULongLongs, Floats, Doubles, FewBooleans, FewDoubles>;
TYPED_TEST_SUITE(EachType, Cases);

TYPED_TEST(EachType, IsShownInTheRequestIfItIsMemoryThere) {
  using T = typename TypeParam::T;
  for (const ByteOrder order : cdr::orders) {
    for (std::size_t shift = 0; shift < 8; ++shift) {
      SCOPED_TRACE(testing::Message() << "shift " << shift);
      const At message(this->request(order, this->some), shift);
      const auto outcome = this->run_both(cdr::Reader(message.view, cdr::format_of(order)));
      EXPECT_EQ(outcome.status, ReplyStatus::no_exception);
      std::vector<std::uint8_t> expected;
      for (std::size_t i = 0; i < this->some; ++i) {
        const T value = this->nth(i);
        const auto* const octets = reinterpret_cast<const std::uint8_t*>(&value);
        expected.insert(expected.end(), octets, octets + sizeof value);
      }
      EXPECT_EQ(outcome.contents, expected);
      const bool usable = sizeof(T) == 1 || (order == tenon::native_order && shift % sizeof(T) == 0);
      EXPECT_EQ(message.has(this->recorder_->shown), usable);
      // a copy is memory for such elements, too
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(this->recorder_->shown.data()) % alignof(T), 0u);
    }
  }
}

TYPED_TEST(EachType, OfGiop11Fragments) {
  using T = typename TypeParam::T;
  // The second half is in another fragment, where positions count from 4 on.
  const std::size_t half = this->some / 2;
  cdr::NaiveWriter first(tenon::native_order, 0);
  first.put(static_cast<std::uint32_t>(this->some));
  for (std::size_t i = 0; i < half; ++i) first.put(this->nth(i));
  cdr::NaiveWriter second(tenon::native_order, 4);
  for (std::size_t i = half; i < this->some; ++i) second.put(this->nth(i));
  const cdr::Restart restarts[] = {{first.bytes.size(), 4}};
  first.bytes.insert(first.bytes.end(), second.bytes.begin(), second.bytes.end());
  const At message(first.bytes, 0);
  const auto outcome = this->run_both(cdr::Reader(message.view, {.giop_minor = 1}, 0, restarts));
  EXPECT_EQ(outcome.status, ReplyStatus::no_exception);
  EXPECT_EQ(outcome.contents.size(), this->some * sizeof(T));
  EXPECT_EQ(message.has(this->recorder_->shown), sizeof(T) == 1);
}

TYPED_TEST(EachType, MayBeEmpty) {
  const At message(this->request(tenon::native_order, 0), 0);
  const auto outcome = this->run_both(cdr::Reader(message.view, {}));
  EXPECT_EQ(outcome.status, ReplyStatus::no_exception);
  EXPECT_EQ(outcome.upcalls, 1);
  EXPECT_TRUE(outcome.contents.empty());
}

TYPED_TEST(EachType, WithALengthThatIsNotTrue) {
  for (const ByteOrder order : cdr::orders) {
    const std::vector<std::uint8_t> whole = this->request(order, this->some);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const At cut({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}, 8);
      const auto outcome = this->run_both(cdr::Reader(cut.view, cdr::format_of(order)));
      EXPECT_EQ(outcome.status, ReplyStatus::system_exception) << size;
      EXPECT_EQ(outcome.upcalls, 0) << size;
    }
    for (const std::uint32_t length : {this->some + 1, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu}) {
      std::vector<std::uint8_t> octets = whole;
      tenon::store(octets.data(), length, order != tenon::native_order);
      const At message(octets, 0);
      const auto outcome = this->run_both(cdr::Reader(message.view, cdr::format_of(order)));
      EXPECT_EQ(outcome.status, ReplyStatus::system_exception) << length;
      EXPECT_EQ(outcome.upcalls, 0) << length;
    }
  }
}

TYPED_TEST(EachType, OfAnyOctetsEndsAsTheSequenceDoes) {
  std::mt19937 random(16);
  int served = 0;
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint8_t> octets(random() % 64);
    const unsigned mask = random() % 2 == 0 ? 0x01 : 0xFF;
    for (std::uint8_t& octet : octets) octet = static_cast<std::uint8_t>(random() & mask);
    const ByteOrder order = cdr::orders[random() % 2];
    if (octets.size() >= 4 && random() % 4 != 0)
      tenon::store(octets.data(), static_cast<std::uint32_t>(random() % 12), order != tenon::native_order);
    const At message(octets, random() % 8);
    served += this->run_both(cdr::Reader(message.view, cdr::format_of(order))).upcalls;
    if (this->HasFailure()) return;
  }
  EXPECT_GT(served, 100);
}

// --- from stubs, over transports ---

struct Way {
  const char* name;
  std::vector<std::string> options;
  bool collocated = false;
  bool in_ring = false;
};

const Way ways[] = {
    {"Iiop", {"-ORBListenEndpoints", "iiop://127.0.0.1"}},
    {"IiopInFragments", {"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBFragmentAbove", "20000"}},
    {"IiopPool", {"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBServing", "pool"}},
#if TENON_VIEWS_OVER_SHMIOP
    {"Shmiop", {"-ORBListenEndpoints", "shmiop://"}, false, true},
    {"ShmiopCopied", {"-ORBListenEndpoints", "shmiop://", "-ORBProtocolOption", "shmiop.in_place=0"}},
    {"ShmiopSmallRing", {"-ORBListenEndpoints", "shmiop://", "-ORBProtocolOption", "shmiop.ring=64K"}},
#endif
    {"Collocated", {"-ORBListenEndpoints", "iiop://127.0.0.1"}, true},
};

class Calls : public testing::TestWithParam<Way> {
 protected:
  Calls() {
    static int number = 0;
    std::vector<std::string> options = GetParam().options;
    options.insert(options.end(), {"-ORBCollocation", GetParam().collocated ? "yes" : "no"});
    orb_ = CORBA::ORB_init(options, "views-" + std::to_string(++number));
    relay_ = publish(CORBA::make_reference<Tied>(recorder_));
  }
  ~Calls() override { orb_->destroy(); }
  CORBA::object_reference<Views::Relay> publish(const CORBA::servant_reference<Tied>& servant) {
    const auto reference = tenon::publish<CORBA::servant_traits<Views::Relay>::base_type>(orb_, servant);
    return IDL::traits<Views::Relay>::narrow(orb_->string_to_object(orb_->object_to_string(reference)));
  }

  std::shared_ptr<Recorder> recorder_ = std::make_shared<Recorder>();
  CORBA::object_reference<CORBA::ORB> orb_;
  CORBA::object_reference<Views::Relay> relay_;
};

INSTANTIATE_TEST_SUITE_P(Each, Calls, testing::ValuesIn(ways),
                         [](const auto& each) { return each.param.name; });

template <typename T>
std::vector<T> many(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i * 2654435761u);
  return values;
}

TEST_P(Calls, OfEveryType) {
  EXPECT_EQ(relay_->put_octets(many<std::uint8_t>(5001)), relay_->take_octets(many<std::uint8_t>(5001)));
  EXPECT_EQ(relay_->put_booleans({true, false, true}), relay_->take_booleans({true, false, true}));
  const std::vector<char> chars{'a', 'b', 'c'};
  EXPECT_EQ(relay_->put_chars(chars), relay_->take_chars(chars));
  EXPECT_EQ(relay_->put_int8s(many<std::int8_t>(100)), relay_->take_int8s(many<std::int8_t>(100)));
  EXPECT_EQ(relay_->put_uint8s(many<std::uint8_t>(9)), relay_->take_uint8s(many<std::uint8_t>(9)));
  EXPECT_EQ(relay_->put_shorts(many<std::int16_t>(100)), relay_->take_shorts(many<std::int16_t>(100)));
  EXPECT_EQ(relay_->put_ushorts(many<std::uint16_t>(33)), relay_->take_ushorts(many<std::uint16_t>(33)));
  EXPECT_EQ(relay_->put_longs(many<std::int32_t>(9000)), relay_->take_longs(many<std::int32_t>(9000)));
  EXPECT_EQ(relay_->put_ulongs(many<std::uint32_t>(1)), relay_->take_ulongs(many<std::uint32_t>(1)));
  EXPECT_EQ(relay_->put_long_longs(many<std::int64_t>(77)), relay_->take_long_longs(many<std::int64_t>(77)));
  EXPECT_EQ(relay_->put_ulong_longs(many<std::uint64_t>(7)),
            relay_->take_ulong_longs(many<std::uint64_t>(7)));
  EXPECT_EQ(relay_->put_floats(many<float>(123)), relay_->take_floats(many<float>(123)));
  EXPECT_EQ(relay_->put_doubles(many<double>(6000)), relay_->take_doubles(many<double>(6000)));
  EXPECT_EQ(relay_->put_few_booleans({true, false}), relay_->take_few_booleans({true, false}));
  const Views::FewDoubles few{1.5, -2.5};
  EXPECT_EQ(relay_->put_few_doubles(few), relay_->take_few_doubles(few));
  EXPECT_EQ(relay_->put_octets({}), relay_->take_octets({}));
}

TEST_P(Calls, FromMemoryOfAnyKind) {
  static const std::int32_t constants[] = {1, 2, 3};
  const std::array<std::int32_t, 3> array{1, 2, 3};
  const std::uint32_t expected = relay_->take_longs({1, 2, 3});
  EXPECT_EQ(relay_->put_longs(constants), expected);
  EXPECT_EQ(relay_->put_longs(array), expected);
  EXPECT_EQ(relay_->put_longs(std::span(constants)), expected);
}

TEST_P(Calls, BeyondTheBoundAreNotSent) {
  const std::vector<double> five(5);
  EXPECT_THROW(relay_->put_few_doubles(five), CORBA::BAD_PARAM);
  EXPECT_THROW(relay_->put_few_booleans(std::vector<bool>(4)), CORBA::BAD_PARAM);
  EXPECT_EQ(recorder_->upcalls, 0);
}

TEST_P(Calls, WithoutACopyOfTheElements) {
#ifdef OTHER_NEW
  GTEST_SKIP() << "allocations are not counted in this build";
#endif
  const auto octets = many<std::uint8_t>(1 << 20);
  const auto doubles = many<double>(3 << 17);
  const auto longs = many<std::int32_t>(100'001);
  const auto blocks = [&](const auto& call) {
    call();  // what a connection or a thread makes once
    const int before = large_blocks;
    call();
    return large_blocks - before;
  };
  EXPECT_EQ(blocks([&] { relay_->put_octets(octets); }), 0);
  EXPECT_EQ(blocks([&] { relay_->put_doubles(doubles); }), 0);
  EXPECT_EQ(blocks([&] { relay_->put_longs(longs); }), 0);
  EXPECT_EQ(blocks([&] { relay_->take_octets(octets); }), 1);
  EXPECT_EQ(blocks([&] { relay_->take_doubles(doubles); }), 1);
}

TEST_P(Calls, SeeTheRequestWhileTheyMakeCalls) {
  const auto octets = many<std::uint8_t>(300'000);
  const auto doubles = many<double>(5'000);
  std::vector<std::thread> callers;
  std::atomic<int> good{0};
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] {
      for (int call = 0; call < 10; ++call)
        good += relay_->pass_on("pass on", octets, doubles, relay_) ? 1 : 0;
    });
  }
  for (std::thread& each : callers) each.join();
  EXPECT_EQ(good, 30);
  EXPECT_EQ(recorder_->upcalls, 60);
}

TEST_P(Calls, AreShownInTheRingWhereThatIsPossible) {
  const auto octets = many<std::uint8_t>(1 << 20);
  for (int call = 0; call < 5; ++call) {
    EXPECT_EQ(relay_->put_octets(octets), Recorder::sum(octets));
    EXPECT_EQ(recorder_->in_ring, GetParam().in_ring);
    EXPECT_EQ(relay_->put_doubles(many<double>(20'001)), relay_->take_doubles(many<double>(20'001)));
    EXPECT_EQ(relay_->put_octets(many<std::uint8_t>(77)), Recorder::sum(many<std::uint8_t>(77)));
    EXPECT_FALSE(recorder_->in_ring) << "a small one is copied";
  }
}

TEST_P(Calls, WithoutAReply) {
  const auto octets = many<std::uint8_t>(70'000);
  relay_->tell(octets);
  relay_->tell(octets);
  EXPECT_EQ(relay_->told(), 2 * Recorder::sum(octets));
}

TEST_P(Calls, TakenOutOfTheirUpcallsShowTheRequestUntilTheReply) {
  const auto servant = CORBA::make_reference<Taking>(recorder_);
  const auto object = publish(servant);
  const auto octets = many<std::uint8_t>(300'000);
  const auto others = std::vector<std::uint8_t>(300'000, 0xAA);
  std::uint32_t answer = 0;
  std::thread caller([&] { answer = object->put_octets(octets); });
  auto call = servant->taken.get_future().get();
  // whatever memory the request does not own is used by these
  for (int i = 0; i < 3; ++i) relay_->put_octets(others);
  const int before = large_blocks;
  const gen::View<gen::Codec<std::uint8_t>> view(call->arguments);
  EXPECT_EQ(large_blocks, before);
  for (int i = 0; i < 3; ++i) relay_->put_octets(others);
  EXPECT_EQ(Recorder::sum(view.elements()), Recorder::sum(octets));
  call->begin_reply(ReplyStatus::no_exception).put(std::uint32_t{17});
  EXPECT_TRUE(call->finish_reply());
  caller.join();
  EXPECT_EQ(answer, 17u);
}

TEST_P(Calls, ThatAreAsynchronousSendContainers) {
  const auto calls = tenon::async(relay_);
  const auto octets = many<std::uint8_t>(100'000);
  auto sent = calls.put_octets(octets);
  auto booleans = calls.put_booleans({true, false});
  EXPECT_EQ(sent.get(), Recorder::sum(octets));
  EXPECT_EQ(booleans.get(), relay_->take_booleans({true, false}));
  calls.tell(octets);
  EXPECT_EQ(relay_->told(), Recorder::sum(octets));
}

/// The thread of the servant serves other requests while the servant waits.
TEST(SingleThread, SeesTheRequestWhileItServesOthers) {
  const auto server = CORBA::ORB_init(
      {"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBServing", "single-thread", "-ORBCollocation", "no"},
      "views-single-thread");
  const auto recorder = std::make_shared<Recorder>();
  const auto published = tenon::publish<CORBA::servant_traits<Views::Relay>::base_type>(
      server, CORBA::make_reference<Tied>(recorder));
  std::thread serving([&] { server->run(); });
  const auto client = CORBA::ORB_init(std::vector<std::string>{}, "views-client");
  const auto relay =
      IDL::traits<Views::Relay>::narrow(client->string_to_object(server->object_to_string(published)));
  const auto doubles = many<double>(5'000);
  std::atomic<int> good{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&, caller] {
      auto octets = many<std::uint8_t>(200'000);
      octets[0] = static_cast<std::uint8_t>(caller);
      for (int call = 0; call < 10; ++call) good += relay->pass_on("pass on", octets, doubles, relay) ? 1 : 0;
    });
  }
  for (std::thread& each : callers) each.join();
  EXPECT_EQ(good, 30);
  EXPECT_EQ(recorder->upcalls, 60);
  client->destroy();
  server->shutdown(false);
  serving.join();
  server->destroy();
}

}  // namespace
