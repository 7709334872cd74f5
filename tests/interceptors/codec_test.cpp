// SPDX-License-Identifier: Apache-2.0
//
// IOP::Codec against octets made by hand (CORBA 3.4 part 1 §16.7, part 2 §9.3.3).
#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

CORBA::object_reference<IOP::Codec> codec(std::uint8_t minor) {
  const OrbRef orb = CORBA::ORB_init({}, "codecs");
  const auto factory =
      IDL::traits<IOP::CodecFactory>::narrow(orb->resolve_initial_references("CodecFactory"));
  return factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, minor});
}

TEST(Codecs, ReadBothByteOrders) {
  const CORBA::OctetSeq big{0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 42};  // tk_long is 3
  const CORBA::OctetSeq little{1, 0, 0, 0, 3, 0, 0, 0, 42, 0, 0, 0};
  EXPECT_EQ(number_of(codec(2)->decode(big)), 42);
  EXPECT_EQ(number_of(codec(0)->decode(little)), 42);
  EXPECT_EQ(number_of(codec(2)->decode_value({0, 0, 0, 0, 0, 0, 1, 0}, CORBA::_tc_long)), 256);
}

TEST(Codecs, WriteWhatTheyRead) {
  CORBA::Any text;
  text <<= "häuser";
  for (const std::uint8_t minor : CORBA::OctetSeq{0, 1, 2}) {
    const auto one = codec(minor);
    std::string back;
    ASSERT_TRUE(one->decode(one->encode(text)) >>= back);
    EXPECT_EQ(back, "häuser");
    const CORBA::OctetSeq value = one->encode_value(number_in_any(7));
    EXPECT_EQ(value.size(), 8u);
    EXPECT_EQ(number_of(one->decode_value(value, CORBA::_tc_long)), 7);
  }
}

TEST(Codecs, WideTextDependsOnTheVersion) {
  CORBA::Any wide;
  wide <<= L"w\u00e4hle";
  EXPECT_THROW(codec(0)->encode(wide), IOP::Codec::InvalidTypeForEncoding);
  for (const std::uint8_t minor : CORBA::OctetSeq{1, 2}) {
    const auto one = codec(minor);
    std::wstring back;
    ASSERT_TRUE(one->decode(one->encode(wide)) >>= back);
    EXPECT_EQ(back, L"w\u00e4hle");
  }
}

TEST(Codecs, RefuseWhatIsNoEncapsulation) {
  EXPECT_THROW(codec(2)->decode({}), IOP::Codec::FormatMismatch);
  EXPECT_THROW(codec(2)->decode({2, 0, 0, 0}), IOP::Codec::FormatMismatch);
  EXPECT_THROW(codec(2)->decode({1, 0, 0, 0, 3, 0, 0, 0, 42}), IOP::Codec::FormatMismatch);
  EXPECT_THROW(codec(2)->decode_value({1, 0, 0}, CORBA::_tc_long), IOP::Codec::TypeMismatch);
  const auto factory = CORBA::make_reference<IOP::CodecFactory>();
  EXPECT_THROW(factory->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, 3}), IOP::CodecFactory::UnknownEncoding);
  EXPECT_THROW(factory->create_codec({1, 1, 2}), IOP::CodecFactory::UnknownEncoding);
}

}  // namespace
}  // namespace tenon::spied
