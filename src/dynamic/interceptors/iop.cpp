// SPDX-License-Identifier: Apache-2.0
#include "tenon/interceptors/iop.hpp"

#include "base/minor_codes.hpp"
#include "cdr/code_sets.hpp"
#include "tenon/corba/orb.hpp"

namespace tenon::gen {

CORBA::object_reference<CORBA::Object> codec_factory() { return CORBA::make_reference<IOP::CodecFactory>(); }

}  // namespace tenon::gen

namespace IOP {
inline namespace cpp11 {

Codec::~Codec() = default;
CodecFactory::~CodecFactory() = default;

namespace {

using namespace tenon;

cdr::WireFormat with_order(cdr::WireFormat format, ByteOrder order) noexcept {
  format.order = order;
  return format;
}

void check(EncodingFormat format, std::uint8_t major_version, std::uint8_t minor_version) {
  if (format != ENCODING_CDR_ENCAPS || major_version != 1 || minor_version > 2)
    throw CodecFactory::UnknownEncoding();
}

/// An encapsulation: its byte order, then the value (part 2 §9.3.3).
template <typename PutValue>
CORBA::OctetSeq encapsulate(const cdr::WireFormat& format, PutValue put) {
  cdr::Writer out(with_order(format, native_order));
  out.put(static_cast<std::uint8_t>(native_order == ByteOrder::little ? 1 : 0));
  put(out);
  if (!out.good()) {
    if (out.error().minor == errors::wchar_sent_in_giop_1_0.minor) throw Codec::InvalidTypeForEncoding();
    gen::raise(out.error());
  }
  const ByteView bytes = out.bytes();
  return {bytes.begin(), bytes.end()};
}

cdr::Reader open(const cdr::WireFormat& format, const CORBA::OctetSeq& data) {
  if (data.empty() || data[0] > 1) throw Codec::FormatMismatch();
  cdr::Reader in(data, with_order(format, data[0] == 1 ? ByteOrder::little : ByteOrder::big));
  static_cast<void>(in.get<std::uint8_t>());
  return in;
}

}  // namespace

CORBA::OctetSeq Codec::encode(const CORBA::Any& data) {
  return encapsulate(format_, [&](cdr::Writer& out) { types::write(out, data._value(), gen::passing_on); });
}

CORBA::OctetSeq Codec::encode_value(const CORBA::Any& data) {
  return encapsulate(format_,
                     [&](cdr::Writer& out) { types::write_value(out, data._value(), gen::passing_on); });
}

CORBA::Any Codec::decode(const CORBA::OctetSeq& data) {
  cdr::Reader in = open(format_, data);
  CORBA::Any any;
  any._value(types::read_any(in, gen::passing_on));
  if (!in.good()) throw FormatMismatch();
  return any;
}

CORBA::Any Codec::decode_value(const CORBA::OctetSeq& data, const CORBA::TypeCodeRef& type) {
  if (!type) gen::raise(errors::bad_typecode_argument);
  cdr::Reader in = open(format_, data);
  CORBA::Any any;
  any._value(types::read_value(in, type._type(), gen::passing_on));
  if (!in.good()) throw TypeMismatch();
  return any;
}

CORBA::object_reference<Codec> CodecFactory::create_codec(const Encoding& enc) {
  check(enc.format(), enc.major_version(), enc.minor_version());
  return CORBA::make_reference<Codec>(cdr::WireFormat{.giop_minor = enc.minor_version()});
}

CORBA::object_reference<Codec> CodecFactory::create_codec_with_codesets(const Encoding_1_2& enc) {
  check(enc.format(), enc.major_version(), enc.minor_version());
  const cdr::WireFormat format{.giop_minor = enc.minor_version(),
                               .chars = static_cast<cdr::CodeSet>(enc.char_codeset()),
                               .wchars = static_cast<cdr::CodeSet>(enc.wchar_codeset())};
  if (!cdr::supported_chars(format.chars)) throw UnsupportedCodeset(enc.char_codeset());
  if (!cdr::supported_wchars(format.wchars)) throw UnsupportedCodeset(enc.wchar_codeset());
  return CORBA::make_reference<Codec>(format);
}

}  // namespace cpp11
}  // namespace IOP
