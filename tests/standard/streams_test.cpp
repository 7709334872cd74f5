// SPDX-License-Identifier: Apache-2.0
//
// The streams of custom values (CORBA 3.4 part 1 §9.4.3): every operation writes what its counterpart reads, between two ORBs' worth of
// marshalling.
#include <tenon/gen/custom_value.hpp>

#include "tests/standard/standard_test_support.hpp"

namespace tenon::standard {
namespace {

using CORBA::object_reference;

// What is written, and must come out again.
const CORBA::BooleanSeq some_boolean{true, false, true, true};
const CORBA::CharSeq some_char{'a', 'b', 'c', 'd'};
const CORBA::WCharSeq some_wchar{L'a', L'\u20ac', L'c', L'd'};
const CORBA::OctetSeq some_octet{1, 2, 3, 200};
const CORBA::ShortSeq some_short{1, -2, 3, 4};
const CORBA::UShortSeq some_ushort{1, 65535, 3, 4};
const CORBA::LongSeq some_long{1, -70'000, 3, 4};
const CORBA::ULongSeq some_ulong{1, 4'000'000'000u, 3, 4};
const CORBA::LongLongSeq some_longlong{1, -5'000'000'000, 3, 4};
const CORBA::ULongLongSeq some_ulonglong{1, 18'000'000'000'000'000'000u, 3, 4};
const CORBA::FloatSeq some_float{1, 0.25F, 3, 4};
const CORBA::DoubleSeq some_double{1, -0.5, 3, 4};
const CORBA::LongDoubleSeq some_longdouble{1, 1.5L, 3, 4};

/// Elements 1 and 2 of the sequence at places 1 and 2, as the streams put them there.
template <typename T>
std::vector<T> middle(const std::vector<T>& whole) {
  return {T{}, whole[1], whole[2]};
}

CORBA::Any any_of(std::int32_t number) {
  CORBA::Any any;
  any <<= number;
  return any;
}

std::int32_t number_in(const CORBA::Any& any) {
  std::int32_t number = 0;
  EXPECT_TRUE(any >>= number);
  return number;
}

CORBA::Any any_of_price(const char* text) {
  CORBA::Any any;
  any <<= Streams::Price(text);
  return any;
}

std::string price_in(const CORBA::Any& any) {
  Streams::Price price;
  EXPECT_TRUE(any >>= price);
  return price.to_string();
}

class Note final : public virtual Streams::OBV_Note {
 public:
  std::string show() override { return "note: " + text(); }
};

class LampServant final : public CORBA::servant_traits<Streams::Lamp>::base_type {
 public:
  std::string show() override { return "a lamp"; }
};

CORBA::valuetype_reference<Note> note_of(const char* text) {
  auto note = CORBA::make_reference<Note>();
  note->text(text);
  return note;
}

/// What the abstract interface of an object or value says.
std::string shown(const object_reference<CORBA::AbstractBase>& base) {
  if (!base) return "nothing";
  if (const auto object = base->_to_object()) return IDL::traits<Streams::Shown>::narrow(object)->show();
  return dynamic_cast<Streams::Shown&>(*base).show();
}

class Everything final : public virtual Streams::OBV_Everything {
 public:
  void marshal(const object_reference<CORBA::DataOutputStream>& os) override {
    os->write_boolean(true);
    os->write_char('c');
    os->write_wchar(L'\u20ac');
    os->write_octet(200);
    os->write_short(-2);
    os->write_ushort(65535);
    os->write_long(-70'000);
    os->write_ulong(4'000'000'000u);
    os->write_longlong(-5'000'000'000);
    os->write_ulonglong(18'000'000'000'000'000'000u);
    os->write_float(0.25F);
    os->write_double(-0.5);
    os->write_longdouble(1.5L);
    os->write_string("narrow");
    os->write_wstring(L"w\u00efde");
    os->write_any(any_of(77));
    os->write_TypeCode(CORBA::_tc_double);
    os->write_Object(nullptr);
    os->write_Value(nullptr);
    os->write_Abstract(nullptr);
    os->write_Abstract(note_of("short"));
    os->write_Abstract(lamp);
    os->write_any_array({any_of(1), any_of(2), any_of(3)}, 1, 2);
    os->write_boolean_array(some_boolean, 1, 2);
    os->write_char_array(some_char, 1, 2);
    os->write_wchar_array(some_wchar, 1, 2);
    os->write_octet_array(some_octet, 1, 2);
    os->write_short_array(some_short, 1, 2);
    os->write_ushort_array(some_ushort, 1, 2);
    os->write_long_array(some_long, 1, 2);
    os->write_ulong_array(some_ulong, 1, 2);
    os->write_longlong_array(some_longlong, 1, 2);
    os->write_ulonglong_array(some_ulonglong, 1, 2);
    os->write_float_array(some_float, 1, 2);
    os->write_double_array(some_double, 1, 2);
    os->write_long_double_array(some_longdouble, 1, 2);
    os->write_fixed(any_of_price("-12.34"));
    os->write_fixed_array({any_of(1), any_of_price("0.01"), any_of_price("99999.99")}, 1, 2);
    os->write_long(number());
  }
  void unmarshal(const object_reference<CORBA::DataInputStream>& is) override {
    EXPECT_EQ(is->read_boolean(), true);
    EXPECT_EQ(is->read_char(), 'c');
    EXPECT_EQ(is->read_wchar(), L'\u20ac');
    EXPECT_EQ(is->read_octet(), 200);
    EXPECT_EQ(is->read_short(), -2);
    EXPECT_EQ(is->read_ushort(), 65535);
    EXPECT_EQ(is->read_long(), -70'000);
    EXPECT_EQ(is->read_ulong(), 4'000'000'000u);
    EXPECT_EQ(is->read_longlong(), -5'000'000'000);
    EXPECT_EQ(is->read_ulonglong(), 18'000'000'000'000'000'000u);
    EXPECT_EQ(is->read_float(), 0.25F);
    EXPECT_EQ(is->read_double(), -0.5);
    EXPECT_EQ(is->read_longdouble(), 1.5L);
    EXPECT_EQ(is->read_string(), "narrow");
    EXPECT_EQ(is->read_wstring(), L"w\u00efde");
    EXPECT_EQ(number_in(is->read_any()), 77);
    EXPECT_TRUE(is->read_TypeCode()->equal(CORBA::_tc_double));
    EXPECT_EQ(is->read_Object(), nullptr);
    EXPECT_EQ(is->read_Value(), nullptr);
    EXPECT_EQ(shown(is->read_Abstract()), "nothing");
    EXPECT_EQ(shown(is->read_Abstract()), "note: short");
    EXPECT_EQ(shown(is->read_Abstract()), "a lamp");
    CORBA::AnySeq anys;
    is->read_any_array(anys, 0, 2);
    ASSERT_EQ(anys.size(), 2u);
    EXPECT_EQ(number_in(anys[0]), 2);
    EXPECT_EQ(number_in(anys[1]), 3);
    CORBA::BooleanSeq booleans;
    is->read_boolean_array(booleans, 1, 2);
    EXPECT_EQ(booleans, middle(some_boolean));
    CORBA::CharSeq chars;
    is->read_char_array(chars, 1, 2);
    EXPECT_EQ(chars, middle(some_char));
    CORBA::WCharSeq wchars;
    is->read_wchar_array(wchars, 1, 2);
    EXPECT_EQ(wchars, middle(some_wchar));
    CORBA::OctetSeq octets;
    is->read_octet_array(octets, 1, 2);
    EXPECT_EQ(octets, middle(some_octet));
    CORBA::ShortSeq shorts;
    is->read_short_array(shorts, 1, 2);
    EXPECT_EQ(shorts, middle(some_short));
    CORBA::UShortSeq ushorts;
    is->read_ushort_array(ushorts, 1, 2);
    EXPECT_EQ(ushorts, middle(some_ushort));
    CORBA::LongSeq longs;
    is->read_long_array(longs, 1, 2);
    EXPECT_EQ(longs, middle(some_long));
    CORBA::ULongSeq ulongs;
    is->read_ulong_array(ulongs, 1, 2);
    EXPECT_EQ(ulongs, middle(some_ulong));
    CORBA::LongLongSeq longlongs;
    is->read_longlong_array(longlongs, 1, 2);
    EXPECT_EQ(longlongs, middle(some_longlong));
    CORBA::ULongLongSeq ulonglongs;
    is->read_ulonglong_array(ulonglongs, 1, 2);
    EXPECT_EQ(ulonglongs, middle(some_ulonglong));
    CORBA::FloatSeq floats;
    is->read_float_array(floats, 1, 2);
    EXPECT_EQ(floats, middle(some_float));
    CORBA::DoubleSeq doubles;
    is->read_double_array(doubles, 1, 2);
    EXPECT_EQ(doubles, middle(some_double));
    CORBA::LongDoubleSeq longdoubles;
    is->read_long_double_array(longdoubles, 1, 2);
    EXPECT_EQ(longdoubles, middle(some_longdouble));
    EXPECT_EQ(price_in(is->read_fixed(7, 2)), "-12.34");
    CORBA::AnySeq prices;
    is->read_fixed_array(prices, 1, 2, 7, 2);
    ASSERT_EQ(prices.size(), 3u);
    EXPECT_EQ(price_in(prices[1]), "0.01");
    EXPECT_EQ(price_in(prices[2]), "99999.99");
    number(is->read_long());
    ++read;
  }

  static inline int read = 0;
  static inline object_reference<Streams::Lamp> lamp;
};

TEST_F(Standard, EveryOperationOfTheStreams) {
  register_value<Streams::Everything, Everything>(client);
  register_value<Streams::Everything, Everything>(server);
  register_value<Streams::Note, Note>(client);
  register_value<Streams::Note, Note>(server);
  Everything::lamp = publish(server, CORBA::make_reference<LampServant>());
  auto given = CORBA::make_reference<Everything>();
  given->number(42);
  const auto returned = mirror->back(given);
  EXPECT_EQ(returned->number(), 42);
  EXPECT_NE(returned.get(), given.get());
  EXPECT_EQ(Everything::read, 2);  // by the servant's ORB, and by the client's
  Everything::lamp = nullptr;
}

TEST_F(Standard, AbstractInterfacesInADynAny) {
  register_value<Streams::Note, Note>(server);  // the first ORB: DynAnys belong to none
  const auto factory =
      IDL::traits<DynamicAny::DynAnyFactory>::narrow(client->resolve_initial_references("DynAnyFactory"));
  const auto any = factory->create_dyn_any_from_type_code(Streams::_tc_Shown);
  EXPECT_EQ(shown(any->get_abstract()), "nothing");
  any->insert_abstract(note_of("kept"));
  EXPECT_EQ(shown(any->get_abstract()), "note: kept");
  EXPECT_EQ(shown(any->copy()->get_abstract()), "note: kept");
  const object_reference<Streams::Lamp> lamp = publish(client, CORBA::make_reference<LampServant>());
  any->insert_abstract(lamp);
  EXPECT_EQ(shown(any->get_abstract()), "a lamp");
  object_reference<Streams::Shown> out;
  ASSERT_TRUE(any->to_any() >>= out);
  EXPECT_EQ(out->show(), "a lamp");

  const auto number = factory->create_dyn_any_from_type_code(CORBA::_tc_long);
  EXPECT_THROW(number->insert_abstract(lamp), DynamicAny::DynAny::TypeMismatch);
  EXPECT_THROW(number->get_abstract(), DynamicAny::DynAny::TypeMismatch);
  any->insert_abstract(note_of("lost"));
  server->unregister_value_factory(std::string(Streams::Note::_static_id));
  EXPECT_THROW(any->get_abstract(), CORBA::MARSHAL);
}

class RepositoryServant final : public CORBA::servant_traits<Streams::Repository>::base_type {
 public:
  object_reference<CORBA::Object> lookup_id(const std::string& search_id) override {
    asked = search_id;
    return _this();
  }
  std::string asked;
};

TEST_F(Standard, ValuesNameTheirDefinition) {
  const auto note = note_of("any");
  EXPECT_THROW(note->_get_value_def(), CORBA::INTF_REPOS);
  const auto repository = CORBA::make_reference<RepositoryServant>();
  const auto object = publish(server, repository);
  server->register_initial_reference("InterfaceRepository", object);
  EXPECT_TRUE(note->_get_value_def()->_is_equivalent(object));
  EXPECT_EQ(repository->asked, Streams::Note::_static_id);
}

/// The place of the fixed that is refused; 99: none.
std::uint32_t bad_fixed(const std::function<void()>& code) {
  try {
    code();
  } catch (const CORBA::BadFixedValue& exception) {
    return exception.offset();
  }
  return 99;
}

TEST(Streams, SayWhichFixedIsNone) {
  cdr::Writer out;
  const auto os = CORBA::make_reference<CORBA::DataOutputStream>(out);
  EXPECT_EQ(bad_fixed([&] { os->write_fixed(any_of(1)); }), 0u);
  EXPECT_EQ(bad_fixed([&] { os->write_fixed_array({any_of(1), any_of_price("1.00"), any_of(2)}, 1, 2); }),
            2u);
  EXPECT_EQ(out.size(), 0u);
  EXPECT_THROW(os->write_fixed_array({any_of_price("1.00")}, 0, 2), CORBA::BAD_PARAM);

  const std::vector<std::uint8_t> octets{0x00, 0x12, 0x34, 0x5D, 0xFF};
  cdr::Reader in(octets, cdr::WireFormat{});
  const auto is = CORBA::make_reference<CORBA::DataInputStream>(in);
  EXPECT_EQ(bad_fixed([&] { is->read_fixed(32, 2); }), 0u);
  EXPECT_EQ(bad_fixed([&] { is->read_fixed(2, 3); }), 0u);
  EXPECT_EQ(price_in(is->read_fixed(7, 2)), "-123.45");
  EXPECT_THROW(is->read_fixed(1, 0), CORBA::MARSHAL);
}

}  // namespace
}  // namespace tenon::standard
