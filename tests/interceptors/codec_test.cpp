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

TEST(Codecs, TextIsInTheCodeSetsAskedFor) {
  constexpr std::uint32_t latin1 = 0x00010001, utf8 = 0x05010001, utf16 = 0x00010109, ebcdic = 0x10020025;
  const auto factory = CORBA::make_reference<IOP::CodecFactory>();
  const auto with = [&](std::uint32_t chars, std::uint32_t wchars) {
    return factory->create_codec_with_codesets({IOP::ENCODING_CDR_ENCAPS, 1, 2, chars, wchars});
  };
  CORBA::Any text;
  text <<= "\u00e4";
  const CORBA::OctetSeq in_latin1 = with(latin1, utf16)->encode_value(text);
  const CORBA::OctetSeq in_utf8 = with(utf8, utf16)->encode_value(text);
  ASSERT_EQ(in_latin1.size(), 10u);  // byte order, 3 of padding, length, character, NUL
  EXPECT_EQ(in_latin1[8], 0xe4);
  EXPECT_EQ(in_utf8, codec(2)->encode_value(text));
  EXPECT_EQ(in_utf8.size(), 11u);
  std::string back;
  ASSERT_TRUE(with(latin1, utf16)->decode_value(in_latin1, CORBA::_tc_string) >>= back);
  EXPECT_EQ(back, "\u00e4");
  CORBA::Any euro;
  euro <<= "\u20ac";
  EXPECT_THROW(with(latin1, utf16)->encode_value(euro), CORBA::DATA_CONVERSION);
  CORBA::Any wide;
  wide <<= L"w\u00e4hle";
  std::wstring wide_back;
  const auto in_ucs2 = with(utf8, 0x00010100);
  ASSERT_TRUE(in_ucs2->decode(in_ucs2->encode(wide)) >>= wide_back);
  EXPECT_EQ(wide_back, L"w\u00e4hle");
  try {
    with(ebcdic, utf16);
    ADD_FAILURE() << "took EBCDIC";
  } catch (const IOP::CodecFactory::UnsupportedCodeset& refused) {
    EXPECT_EQ(refused.codeset(), ebcdic);
    EXPECT_NE(std::string(refused.what()).find("codeset = 268566565"), std::string::npos) << refused.what();
  }
  EXPECT_THROW(with(utf8, latin1), IOP::CodecFactory::UnsupportedCodeset);
  EXPECT_THROW(factory->create_codec_with_codesets({IOP::ENCODING_CDR_ENCAPS, 2, 0, utf8, utf16}),
               IOP::CodecFactory::UnknownEncoding);
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
