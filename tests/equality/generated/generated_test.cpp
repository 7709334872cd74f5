// SPDX-License-Identifier: Apache-2.0
//
// Generated code of random types, compiled and interpreted, against the naive codec: as values at every phase and in both byte
// orders, cut into GIOP 1.1 fragments, and as parameters of calls between stubs and servants of either kind. A count of entries into
// the interpreter proves which code ran.
#include "tests/equality/generated/generated.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "base/hex.hpp"
#include "marshal/parameters.hpp"
#include "marshal/program.hpp"
#include "tests/equality/random_value.hpp"
#include "tests/equality/shrink.hpp"

namespace {
std::atomic<unsigned> program_runs{0};    // of one value
std::atomic<unsigned> parameter_runs{0};  // of all parameters of a message
}  // namespace

// The linker sends calls of marshal::encode() and decode(), and of their like for parameters, here (--wrap in CMakeLists.txt).
extern "C" {
void __real__ZN5tenon7marshal6encodeERKNS0_4UnitEjRNS_3cdr6WriterEPKv(const tenon::marshal::Unit&,
                                                                      tenon::marshal::TypeIndex,
                                                                      tenon::cdr::Writer&, const void*);
void __wrap__ZN5tenon7marshal6encodeERKNS0_4UnitEjRNS_3cdr6WriterEPKv(const tenon::marshal::Unit& unit,
                                                                      tenon::marshal::TypeIndex type,
                                                                      tenon::cdr::Writer& out,
                                                                      const void* memory) {
  ++program_runs;
  __real__ZN5tenon7marshal6encodeERKNS0_4UnitEjRNS_3cdr6WriterEPKv(unit, type, out, memory);
}
void __real__ZN5tenon7marshal6decodeERKNS0_4UnitEjRNS_3cdr6ReaderEPv(const tenon::marshal::Unit&,
                                                                     tenon::marshal::TypeIndex,
                                                                     tenon::cdr::Reader&, void*);
void __wrap__ZN5tenon7marshal6decodeERKNS0_4UnitEjRNS_3cdr6ReaderEPv(const tenon::marshal::Unit& unit,
                                                                     tenon::marshal::TypeIndex type,
                                                                     tenon::cdr::Reader& in, void* memory) {
  ++program_runs;
  __real__ZN5tenon7marshal6decodeERKNS0_4UnitEjRNS_3cdr6ReaderEPv(unit, type, in, memory);
}
void __real__ZN5tenon7marshal11encode_eachERKNS0_10ParametersENS0_9DirectionERNS_3cdr6WriterEPKPKv(
    const tenon::marshal::Parameters&, tenon::marshal::Direction, tenon::cdr::Writer&, const void* const*);
void __wrap__ZN5tenon7marshal11encode_eachERKNS0_10ParametersENS0_9DirectionERNS_3cdr6WriterEPKPKv(
    const tenon::marshal::Parameters& all, tenon::marshal::Direction way, tenon::cdr::Writer& stream,
    const void* const* values) {
  ++parameter_runs;
  __real__ZN5tenon7marshal11encode_eachERKNS0_10ParametersENS0_9DirectionERNS_3cdr6WriterEPKPKv(
      all, way, stream, values);
}
void __real__ZN5tenon7marshal12encode_fixedERKNS0_10ParametersENS0_9DirectionERNS_3cdr6WriterEPKPKv(
    const tenon::marshal::Parameters&, tenon::marshal::Direction, tenon::cdr::Writer&, const void* const*);
void __wrap__ZN5tenon7marshal12encode_fixedERKNS0_10ParametersENS0_9DirectionERNS_3cdr6WriterEPKPKv(
    const tenon::marshal::Parameters& all, tenon::marshal::Direction way, tenon::cdr::Writer& stream,
    const void* const* values) {
  ++parameter_runs;
  __real__ZN5tenon7marshal12encode_fixedERKNS0_10ParametersENS0_9DirectionERNS_3cdr6WriterEPKPKv(
      all, way, stream, values);
}
void __real__ZN5tenon7marshal11decode_eachERKNS0_10ParametersENS0_9DirectionERNS_3cdr6ReaderEPKPv(
    const tenon::marshal::Parameters&, tenon::marshal::Direction, tenon::cdr::Reader&, void* const*);
void __wrap__ZN5tenon7marshal11decode_eachERKNS0_10ParametersENS0_9DirectionERNS_3cdr6ReaderEPKPv(
    const tenon::marshal::Parameters& all, tenon::marshal::Direction way, tenon::cdr::Reader& stream,
    void* const* values) {
  ++parameter_runs;
  __real__ZN5tenon7marshal11decode_eachERKNS0_10ParametersENS0_9DirectionERNS_3cdr6ReaderEPKPv(
      all, way, stream, values);
}
void __real__ZN5tenon7marshal12decode_fixedERKNS0_10ParametersENS0_9DirectionERNS_3cdr6ReaderEPKPv(
    const tenon::marshal::Parameters&, tenon::marshal::Direction, tenon::cdr::Reader&, void* const*);
void __wrap__ZN5tenon7marshal12decode_fixedERKNS0_10ParametersENS0_9DirectionERNS_3cdr6ReaderEPKPv(
    const tenon::marshal::Parameters& all, tenon::marshal::Direction way, tenon::cdr::Reader& stream,
    void* const* values) {
  ++parameter_runs;
  __real__ZN5tenon7marshal12decode_fixedERKNS0_10ParametersENS0_9DirectionERNS_3cdr6ReaderEPKPv(
      all, way, stream, values);
}
}

namespace tenon::equality {
namespace {

Wire wire_of(std::size_t number) {
  return {.order = (number & 8) != 0 ? ByteOrder::little : ByteOrder::big,
          .giop_minor = static_cast<std::uint8_t>((number & 16) != 0 ? 1 : 2),
          .phase = number & 7};
}
constexpr std::size_t wires = 32;

struct Kind {
  const char* name;
  RunValue GeneratedType::* value;
  RunCall GeneratedType::* call;
};
constexpr Kind kinds[] = {{"compiled", &GeneratedType::compiled, &GeneratedType::call_compiled},
                          {"interpreted", &GeneratedType::interpreted, &GeneratedType::call_interpreted}};

std::string check(const GeneratedType& type, const Data& data, const Message& from, const Wire& to) {
  const Message wanted = naive_encode(*type.type, data, to);
  for (const Kind& kind : kinds) {
    const Outcome outcome = (type.*kind.value)(from, to);
    if (outcome.error.empty() && outcome.bytes == wanted.bytes) continue;
    return std::string(kind.name) + ": " + outcome.error + "\nread:\n" + hex_dump(from.bytes) +
           "\nwanted:\n" + hex_dump(wanted.bytes) + "\nwritten:\n" + hex_dump(outcome.bytes);
  }
  return {};
}

/// The type stays as it was generated; the value is made smaller.
template <typename Fails>
std::string smallest(const GeneratedType& type, const Data& data, Fails wrong) {
  const Sample found = shrunk({*type.type, data}, [&](const Sample& sample) {
    return sample.type.get() == type.type && !wrong(sample.data).empty();
  });
  return std::string(type.name) + " " + text(found) + "\n" + wrong(found.data);
}

TEST(GeneratedEquality, EveryPhaseOrderAndVersion) {
  Random random(7);
  for (const GeneratedType& type : generated_types()) {
    for (int values = 0; values < 6; ++values) {
      const auto wrong = [&](const Data& data) {
        for (std::size_t number = 0; number < wires; ++number) {
          const Message from = naive_encode(*type.type, data, wire_of(number));
          std::string text = check(type, data, from, wire_of((number * 5 + 3) % wires));
          if (!text.empty()) return text;
        }
        return std::string();
      };
      const Data data = random_value(random, *type.type);
      ASSERT_EQ(wrong(data), "") << smallest(type, data, wrong);
    }
  }
}

TEST(GeneratedEquality, EveryCutOfGiop11) {
  Random random(8);
  for (const GeneratedType& type : generated_types()) {
    const auto wrong = [&](const Data& data) {
      const Wire wire = wire_of(24);
      const std::size_t size = naive_encode(*type.type, data, wire).bytes.size();
      for (std::size_t cut = 1; cut < size; cut += 1 + size / 100) {
        const std::size_t cuts[] = {cut, cut + 9};
        std::string text =
            check(type, data, naive_encode(*type.type, data, wire, cuts), wire_of(cut % wires));
        if (!text.empty()) return text;
      }
      return std::string();
    };
    const Data data = random_value(random, *type.type);
    ASSERT_EQ(wrong(data), "") << smallest(type, data, wrong);
  }
}

class GeneratedCalls : public testing::TestWithParam<const char*> {
 protected:
  GeneratedCalls() {
    static std::atomic<int> number{0};
    orb_ = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBCollocation", GetParam()},
                           "equality-" + std::to_string(number.fetch_add(1)));
  }
  ~GeneratedCalls() override { orb_->destroy(); }

  /// As a program has them that got them as strings.
  Echoes echoes() {
    const auto far = [&](const CORBA::object_reference<CORBA::Object>& object) {
      return orb_->string_to_object(orb_->object_to_string(object));
    };
    const Echoes made = publish_echoes(orb_);
    return {far(made.compiled), far(made.interpreted)};
  }

  CORBA::object_reference<CORBA::ORB> orb_;
};

INSTANTIATE_TEST_SUITE_P(Collocated, GeneratedCalls, testing::Values("yes"));
INSTANTIATE_TEST_SUITE_P(OverTcp, GeneratedCalls, testing::Values("no"));

TEST_P(GeneratedCalls, EitherKindOfStubsCallsEitherKindOfServants) {
  const Echoes both_kinds = echoes();
  Random random(9);
  const Wire wire;
  for (const GeneratedType& type : generated_types()) {
    Data both;
    both.parts = {random_value(random, *type.type), random_value(random, *type.type)};
    const Data& a = both.parts[0];
    const Data& b = both.parts[1];
    // result and inout have the first value, out the second: as one sequence's elements would follow each other
    Bytes wanted;
    for (const Data* value : {&a, &a, &b}) {
      const Wire next{.order = wire.order, .giop_minor = wire.giop_minor, .phase = wanted.size() % 8};
      const Bytes more = naive_encode(*type.type, *value, next).bytes;
      wanted.insert(wanted.end(), more.begin(), more.end());
    }
    for (const CORBA::object_reference<CORBA::Object>& object :
         {both_kinds.compiled, both_kinds.interpreted}) {
      for (const Kind& kind : kinds) {
        const Outcome outcome = (type.*kind.call)(object, naive_encode(*type.type, a, wire),
                                                  naive_encode(*type.type, b, wire), wire);
        EXPECT_EQ(outcome.error, "") << type.name << " by " << kind.name << " stubs";
        ASSERT_EQ(hex_dump(outcome.bytes), hex_dump(wanted))
            << type.name << " by " << kind.name << " stubs: " << text(a) << "\n"
            << text(b);
      }
    }
  }
}

// Types that hold an any or a TypeCode aside, compiled code never enters the interpreter; interpreted code always does.
TEST(GeneratedTrace, TellsWhichCodeRan) {
  Random random(10);
  for (const GeneratedType& type : generated_types()) {
    const Message message = naive_encode(*type.type, random_value(random, *type.type), {});
    program_runs = 0;
    EXPECT_EQ(type.compiled(message, {}).error, "");
    EXPECT_EQ(program_runs, 0u) << type.name;
    EXPECT_EQ(type.interpreted(message, {}).error, "");
    EXPECT_GE(program_runs, 5u) << type.name;  // two reads, in and out of the Any, one write
  }
}

TEST_P(GeneratedCalls, TraceTellsWhichStubsAndSkeletonsRan) {
  const auto [compiled, interpreted] = echoes();
  Random random(11);
  for (const GeneratedType& type : generated_types()) {
    const Message message = naive_encode(*type.type, random_value(random, *type.type), {});
    program_runs = parameter_runs = 0;
    EXPECT_EQ(type.call_compiled(compiled, message, message, {}).error, "");
    EXPECT_EQ(program_runs + parameter_runs, 0u) << type.name;
    EXPECT_EQ(type.call_compiled(interpreted, message, message, {}).error, "");
    EXPECT_EQ(program_runs, 0u) << type.name;
    EXPECT_EQ(parameter_runs, 2u) << type.name;  // the servant's side: a request in, a reply out
    parameter_runs = 0;
    EXPECT_EQ(type.call_interpreted(compiled, message, message, {}).error, "");
    EXPECT_EQ(program_runs, 5u) << type.name;    // what the test itself reads and writes
    EXPECT_EQ(parameter_runs, 2u) << type.name;  // the caller's side
  }
}

}  // namespace
}  // namespace tenon::equality
