// SPDX-License-Identifier: Apache-2.0
#include "tenon/interceptors/iop.hpp"

#include "base/minor_codes.hpp"
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

cdr::WireFormat format_of(std::uint8_t minor, ByteOrder order) noexcept {
  return {.giop_minor = minor, .order = order};
}

/// An encapsulation: its byte order, then the value (part 2 §9.3.3).
template <typename PutValue>
CORBA::OctetSeq encapsulate(std::uint8_t minor, PutValue put) {
  cdr::Writer out(format_of(minor, native_order));
  out.put(static_cast<std::uint8_t>(native_order == ByteOrder::little ? 1 : 0));
  put(out);
  if (!out.good()) {
    if (out.error().minor == errors::wchar_sent_in_giop_1_0.minor) throw Codec::InvalidTypeForEncoding();
    gen::raise(out.error());
  }
  const ByteView bytes = out.bytes();
  return {bytes.begin(), bytes.end()};
}

cdr::Reader open(std::uint8_t minor, const CORBA::OctetSeq& data) {
  if (data.empty() || data[0] > 1) throw Codec::FormatMismatch();
  cdr::Reader in(data, format_of(minor, data[0] == 1 ? ByteOrder::little : ByteOrder::big));
  static_cast<void>(in.get<std::uint8_t>());
  return in;
}

}  // namespace

CORBA::OctetSeq Codec::encode(const CORBA::Any& data) {
  return encapsulate(minor_, [&](cdr::Writer& out) { types::write(out, data._value(), gen::passing_on); });
}

CORBA::OctetSeq Codec::encode_value(const CORBA::Any& data) {
  return encapsulate(minor_,
                     [&](cdr::Writer& out) { types::write_value(out, data._value(), gen::passing_on); });
}

CORBA::Any Codec::decode(const CORBA::OctetSeq& data) {
  cdr::Reader in = open(minor_, data);
  CORBA::Any any;
  any._value(types::read_any(in, gen::passing_on));
  if (!in.good()) throw FormatMismatch();
  return any;
}

CORBA::Any Codec::decode_value(const CORBA::OctetSeq& data, const CORBA::TypeCodeRef& type) {
  if (!type) gen::raise(errors::bad_typecode_argument);
  cdr::Reader in = open(minor_, data);
  CORBA::Any any;
  any._value(types::read_value(in, type._type(), gen::passing_on));
  if (!in.good()) throw TypeMismatch();
  return any;
}

CORBA::object_reference<Codec> CodecFactory::create_codec(const Encoding& enc) {
  if (enc.format() != ENCODING_CDR_ENCAPS || enc.major_version() != 1 || enc.minor_version() > 2)
    throw UnknownEncoding();
  return CORBA::make_reference<Codec>(enc.minor_version());
}

}  // namespace cpp11
}  // namespace IOP
