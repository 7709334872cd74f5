// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of echo.idl and dynamic.idl: what omniORB's client and our own are run against. It follows the
// contracts that the IDL files state and nothing else.
//
// Threads: the ORB's, several at a time; counters are atomic, attributes are under a lock.

#include <atomic>
#include <climits>
#include <cstring>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "echo_skel.hpp"
#include "tests/interop/tenon/dynamic_servant.hpp"
#include "tests/interop/tenon/front.hpp"
#include "tests/interop/tenon/program.hpp"

namespace {

using namespace Interop;
using ObjectRef = CORBA::object_reference<CORBA::Object>;
using CallbackRef = IDL::traits<Callback>::ref_type;
using BaseRef = IDL::traits<Base>::ref_type;
using DiamondRef = IDL::traits<Diamond>::ref_type;

class CallbackServant final : public CORBA::servant_traits<Callback>::base_type {
 public:
  explicit CallbackServant(std::string name) : name_(std::move(name)) {}
  std::string said(const std::string& text) override {
    if (text == "refuse") throw Plain();
    return name_ + " heard " + text;
  }
  void noted(std::int32_t) override { ++notes_; }
  std::uint32_t notes() override { return notes_; }

 private:
  const std::string name_;
  std::atomic<std::uint32_t> notes_{0};
};

class DiamondServant final : public CORBA::servant_traits<Diamond>::base_type {
 public:
  std::string who() override { return "diamond"; }
  std::int32_t leftward(std::int32_t value) override { return value * 2; }
  std::int32_t right_value() override { return right_; }
  void right_value(std::int32_t value) override { right_ = value; }
  std::string all(std::int32_t value, std::int32_t& left_result, std::int32_t& right_result) override {
    left_result = value * 2;
    right_result = right_;
    return "all";
  }

 private:
  std::atomic<std::int32_t> right_{0};
};

// Sends every caller to another object: LOCATION_FORWARD.
class PassOn final : public CORBA::servant_traits<Base>::base_type {
 public:
  explicit PassOn(ObjectRef to) : to_(std::move(to)) {}
  std::string who() override { throw PortableServer::ForwardRequest(to_); }

 private:
  const ObjectRef to_;
};

template <class T>
T exchange(const T& a, T& b, T& c) {
  c = b;
  b = a;
  return a;
}
// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define ECHO(T, name) \
  T name(const T& a, T& b, T& c) override { return exchange<T>(a, b, c); }
#define ECHO_VALUE(T, name) \
  T name(T a, T& b, T& c) override { return exchange<T>(a, b, c); }
// NOLINTEND(bugprone-macro-parentheses)

class EchoServant final : public CORBA::servant_traits<Echo>::base_type {
 public:
  EchoServant(const IDL::traits<PortableServer::POA>::ref_type& poa, ObjectRef dynamic);

  void noop() override { ++calls_; }

  ECHO_VALUE(bool, echo_boolean)
  ECHO_VALUE(std::uint8_t, echo_octet)
  ECHO_VALUE(char, echo_char)
  ECHO_VALUE(wchar_t, echo_wchar)
  ECHO_VALUE(std::int16_t, echo_short)
  ECHO_VALUE(std::uint16_t, echo_ushort)
  ECHO_VALUE(std::int32_t, echo_long)
  ECHO_VALUE(std::uint32_t, echo_ulong)
  ECHO_VALUE(std::int64_t, echo_longlong)
  ECHO_VALUE(std::uint64_t, echo_ulonglong)
  ECHO_VALUE(float, echo_float)
  ECHO_VALUE(double, echo_double)
  ECHO_VALUE(long double, echo_longdouble)
  ECHO(std::string, echo_string)
  ECHO(ShortText, echo_short_text)
  ECHO(std::wstring, echo_wstring)
  ECHO(ShortWideText, echo_short_wide_text)
  ECHO(Money, echo_money)
  ECHO(Huge, echo_huge)
  ECHO(Fraction, echo_fraction)
  ECHO_VALUE(Colour, echo_colour)
  ECHO_VALUE(Single, echo_single)
  ECHO(BinStruct, echo_bin)
  ECHO(Primitives, echo_primitives)
  ECHO(Mixed, echo_mixed)
  ECHO(Outer, echo_outer)
  ECHO(Tree, echo_tree)
  ECHO(ByLong, echo_by_long)
  ECHO(ByColour, echo_by_colour)
  ECHO(ByBoolean, echo_by_boolean)
  ECHO(ByChar, echo_by_char)
  ECHO(ByULongLong, echo_by_ulonglong)
  ECHO(ByShort, echo_by_short)
  ECHO(Row, echo_row)
  ECHO(Matrix, echo_matrix)
  ECHO(Names, echo_names)
  ECHO(BinPair, echo_bin_pair)
  ECHO(ShortSeq, echo_short_seq)
  ECHO(UShortSeq, echo_ushort_seq)
  ECHO(LongSeq, echo_long_seq)
  ECHO(ULongSeq, echo_ulong_seq)
  ECHO(LongLongSeq, echo_longlong_seq)
  ECHO(ULongLongSeq, echo_ulonglong_seq)
  ECHO(FloatSeq, echo_float_seq)
  ECHO(DoubleSeq, echo_double_seq)
  ECHO(CharSeq, echo_char_seq)
  ECHO(WCharSeq, echo_wchar_seq)
  ECHO(OctetSeq, echo_octet_seq)
  ECHO(BooleanSeq, echo_boolean_seq)
  ECHO(ColourSeq, echo_colour_seq)
  ECHO(StringSeq, echo_string_seq)
  ECHO(WStringSeq, echo_wstring_seq)
  ECHO(ShortTextSeq, echo_short_text_seq)
  ECHO(MoneySeq, echo_money_seq)
  ECHO(BinStructSeq, echo_bin_seq)
  ECHO(MixedSeq, echo_mixed_seq)
  ECHO(ByLongSeq, echo_by_long_seq)
  ECHO(RowSeq, echo_row_seq)
  ECHO(LongSeqSeq, echo_long_seq_seq)
  ECHO(Blobs, echo_blobs)
  ECHO(UpToFourLongs, echo_four_longs)
  ECHO(UpToTwoStrings, echo_two_strings)
  ECHO(UpToThreeStructs, echo_three_structs)
  ECHO_VALUE(CallbackRef, echo_callback)
  ECHO_VALUE(ObjectRef, echo_object)
  ECHO(CallbackSeq, echo_callback_seq)
  ECHO(Subscriber, echo_subscriber)

  Primitives limits(bool high) override;
  std::string describe(const Primitives& p) override;
  ULongSeq code_points(const std::string& text) override;
  ULongSeq code_points_wide(const std::wstring& text) override { return {text.begin(), text.end()}; }

  void fail_plain() override { throw Plain(); }
  std::int32_t fail_detailed(const std::string& why, std::int32_t code, std::string&) override {
    if (code == 0) throw Plain();
    throw Detailed(why, code, BinStruct(-2, '\0', 0, 0, 0.5), {"first hint", why});
  }
  void fail_system(std::uint32_t which) override {
    using CORBA::CompletionStatus;
    if (which == 0) throw CORBA::NO_PERMISSION(17, CompletionStatus::COMPLETED_NO);
    if (which == 1) throw CORBA::BAD_PARAM(42, CompletionStatus::COMPLETED_YES);
    if (which == 2) throw CORBA::NO_RESOURCES(99, CompletionStatus::COMPLETED_MAYBE);
  }
  void fail_undeclared() override { throw std::runtime_error("no operation declares this"); }

  void note(std::int32_t value) override { note_sum_ += static_cast<std::uint64_t>(value); }
  void note_text(const std::string& text, const LongSeq& values) override {
    std::uint64_t sum = text.size();
    for (const std::int32_t value : values) sum += static_cast<std::uint64_t>(value);
    note_sum_ += sum;
  }
  std::uint64_t note_sum() override { return note_sum_; }
  void clear_notes() override { note_sum_ = 0; }

  std::string title() override { return locked(title_); }
  void title(const std::string& value) override { set(title_, value); }
  BinStruct bin_attribute() override { return locked(bin_); }
  void bin_attribute(const BinStruct& value) override { set(bin_, value); }
  CallbackRef listener() override { return locked(listener_); }
  void listener(CallbackRef value) override { set(listener_, value); }
  std::uint32_t calls() override { return ++calls_; }

  std::string call_back(CallbackRef target, const std::string& text) override { return target->said(text); }
  std::uint32_t note_back(CallbackRef target, std::uint32_t count) override {
    for (std::uint32_t i = 0; i < count; ++i) target->noted(static_cast<std::int32_t>(i));
    return target->notes();
  }
  CallbackRef make_callback(const std::string& name) override {
    return CORBA::make_reference<CallbackServant>(name)->_this();
  }
  BaseRef diamond_as_base() override { return diamond_; }
  DiamondRef make_diamond() override { return diamond_; }
  BaseRef gone() override { return gone_; }
  BaseRef forwarded() override { return passing_; }
  ObjectRef dynamic() override { return dynamic_; }

  OctetSeq make_blob(std::uint32_t size) override {
    OctetSeq blob(size);
    for (std::uint32_t i = 0; i < size; ++i) blob[i] = static_cast<std::uint8_t>((i * 31u + 7u) % 251u);
    return blob;
  }
  std::uint64_t sum_blob(const OctetSeq& blob) override {
    std::uint64_t sum = 0;
    for (const std::uint8_t octet : blob) sum += octet;
    return sum;
  }
  std::uint64_t sum_longs(const LongSeq& values) override {
    std::uint64_t sum = 0;
    for (const std::int32_t value : values) sum += static_cast<std::uint64_t>(value);
    return sum;
  }
  void quit() override { std::raise(SIGTERM); }

 private:
  template <class T>
  T locked(const T& value) {
    const std::lock_guard hold(lock_);
    return value;
  }
  template <class T>
  void set(T& to, const T& value) {
    const std::lock_guard hold(lock_);
    to = value;
  }

  DiamondRef diamond_;
  BaseRef passing_;
  BaseRef gone_;
  const ObjectRef dynamic_;
  std::atomic<std::uint32_t> calls_{0};
  std::atomic<std::uint64_t> note_sum_{0};
  std::mutex lock_;
  std::string title_ = "untitled";
  BinStruct bin_;
  CallbackRef listener_;
};

EchoServant::EchoServant(const IDL::traits<PortableServer::POA>::ref_type& poa, ObjectRef dynamic)
    : dynamic_(std::move(dynamic)) {
  diamond_ = CORBA::make_reference<DiamondServant>()->_this();

  auto id = poa->activate_object(CORBA::make_reference<DiamondServant>());
  gone_ = IDL::traits<Base>::unchecked_narrow(poa->id_to_reference(id));
  poa->deactivate_object(id);

  passing_ = CORBA::make_reference<PassOn>(diamond_)->_this();
}

Primitives EchoServant::limits(bool high) {
  const auto pick = [high]<class T>(T) {
    return high ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  };
  return Primitives(high, pick(std::uint8_t{}), high ? 'z' : 'a', pick(std::int16_t{}), pick(std::uint16_t{}),
                    pick(std::int32_t{}), pick(std::uint32_t{}), pick(std::int64_t{}), pick(std::uint64_t{}),
                    pick(0.f), pick(0.));
}

std::string EchoServant::describe(const Primitives& p) {
  char text[400];
  std::snprintf(text, sizeof text, "b=%d o=%d c=%c s=%d us=%d l=%d ul=%u ll=%lld ull=%llu f=%lld d=%lld",
                p.b() ? 1 : 0, p.o(), p.c(), p.s(), p.us(), p.l(), p.ul(), static_cast<long long>(p.ll()),
                static_cast<unsigned long long>(p.ull()), static_cast<long long>(p.f() * 4),
                static_cast<long long>(p.d() * 4));
  return text;
}

// The native set decides what the octets of a string mean.
ULongSeq EchoServant::code_points(const std::string& text) {
  ULongSeq points;
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t point = static_cast<std::uint8_t>(text[i++]);
    if (program::native_is_utf8 && point >= 0xc0) {
      int more = point >= 0xf0 ? 3 : point >= 0xe0 ? 2 : 1;
      point &= 0x3fu >> more;
      for (; more > 0 && i < text.size(); --more) {
        point = point << 6 | (static_cast<std::uint8_t>(text[i++]) & 0x3fu);
      }
    }
    points.push_back(point);
  }
  return points;
}

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  program::hold_signals();
  options.orb.emplace_back("-ORBListenEndpoints");
  options.orb.push_back(program::endpoint(options));
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    auto servant = CORBA::make_reference<EchoServant>(poa, options.dynamic ? make_dynamic() : nullptr);
    program::publish(options.ior, orb->object_to_string(front_of(servant->_this())));
    program::wait_for_the_end(options.idle_seconds);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: %s\n", e.what());
    return 1;
  }
}
