// SPDX-License-Identifier: Apache-2.0
//
// Module IOP as far as interceptors need it: service contexts, profiles, components, and codecs that encode values as octets
// (CORBA 3.4 part 1 §16.7; part 2 §7.6, §7.7). A program that refers to IOP::CodecFactory finds it as an initial reference.
//
// Structs have the accessors of the IDL to C++11 mapping. Codecs have no state: safe from any thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tenon/corba/iop_types.hpp"
#include "tenon/dynamic/any.hpp"
#include "tenon/portable_server/poa_exceptions.hpp"

namespace IOP {
inline namespace cpp11 {

using EncodingFormat = std::int16_t;
inline constexpr EncodingFormat ENCODING_CDR_ENCAPS = 0;

class Encoding {
 public:
  Encoding() = default;
  Encoding(EncodingFormat format, std::uint8_t major_version, std::uint8_t minor_version) noexcept
      : format_(format), major_version_(major_version), minor_version_(minor_version) {}

  EncodingFormat format() const noexcept { return format_; }
  EncodingFormat& format() noexcept { return format_; }
  void format(EncodingFormat value) noexcept { format_ = value; }
  std::uint8_t major_version() const noexcept { return major_version_; }
  std::uint8_t& major_version() noexcept { return major_version_; }
  void major_version(std::uint8_t value) noexcept { major_version_ = value; }
  std::uint8_t minor_version() const noexcept { return minor_version_; }
  std::uint8_t& minor_version() noexcept { return minor_version_; }
  void minor_version(std::uint8_t value) noexcept { minor_version_ = value; }

  void swap(Encoding& other) noexcept { std::swap(*this, other); }
  bool operator==(const Encoding&) const = default;

 private:
  EncodingFormat format_ = ENCODING_CDR_ENCAPS;
  std::uint8_t major_version_ = 1;
  std::uint8_t minor_version_ = 2;
};

/// An encoding that also says in which code sets text is: numbers of the OSF registry (CONV_FRAME::CodeSetId, part 2 §7.10.5).
class Encoding_1_2 {
 public:
  Encoding_1_2() = default;
  Encoding_1_2(EncodingFormat format, std::uint8_t major_version, std::uint8_t minor_version,
               std::uint32_t char_codeset, std::uint32_t wchar_codeset) noexcept
      : plain_(format, major_version, minor_version),
        char_codeset_(char_codeset),
        wchar_codeset_(wchar_codeset) {}

  EncodingFormat format() const noexcept { return plain_.format(); }
  void format(EncodingFormat value) noexcept { plain_.format(value); }
  std::uint8_t major_version() const noexcept { return plain_.major_version(); }
  void major_version(std::uint8_t value) noexcept { plain_.major_version(value); }
  std::uint8_t minor_version() const noexcept { return plain_.minor_version(); }
  void minor_version(std::uint8_t value) noexcept { plain_.minor_version(value); }
  std::uint32_t char_codeset() const noexcept { return char_codeset_; }
  void char_codeset(std::uint32_t value) noexcept { char_codeset_ = value; }
  std::uint32_t wchar_codeset() const noexcept { return wchar_codeset_; }
  void wchar_codeset(std::uint32_t value) noexcept { wchar_codeset_ = value; }

 private:
  Encoding plain_;
  std::uint32_t char_codeset_ = 0x05010001;   // UTF-8
  std::uint32_t wchar_codeset_ = 0x00010109;  // UTF-16
};

/// Encodes values as CDR encapsulations. Text is encoded as between two ORBs of this kind, UTF-8 and UTF-16, unless other code sets were
/// asked for. Text that has no place in them raises DATA_CONVERSION.
class Codec : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/IOP/Codec:1.0";

  /// The encoding has no way to carry the value: wide text in GIOP 1.0.
  class InvalidTypeForEncoding final : public tenon::gen::PlainException {
   public:
    InvalidTypeForEncoding() noexcept : PlainException(tenon::gen::plain_class<InvalidTypeForEncoding>) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/IOP/Codec/InvalidTypeForEncoding:1.0";
  };
  /// The octets are no value.
  class FormatMismatch final : public tenon::gen::PlainException {
   public:
    FormatMismatch() noexcept : PlainException(tenon::gen::plain_class<FormatMismatch>) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/IOP/Codec/FormatMismatch:1.0";
  };
  /// The octets are no value of that type.
  class TypeMismatch final : public tenon::gen::PlainException {
   public:
    TypeMismatch() noexcept : PlainException(tenon::gen::plain_class<TypeMismatch>) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/IOP/Codec/TypeMismatch:1.0";
  };

  explicit Codec(const tenon::cdr::WireFormat& format) noexcept : format_(format) {}
  ~Codec() override;

  /// Encodes and decodes TypeCode and value.
  CORBA::OctetSeq encode(const CORBA::Any& data);
  CORBA::Any decode(const CORBA::OctetSeq& data);
  /// Encode and decode the value alone.
  CORBA::OctetSeq encode_value(const CORBA::Any& data);
  CORBA::Any decode_value(const CORBA::OctetSeq& data, const CORBA::TypeCodeRef& type);

 private:
  const tenon::cdr::WireFormat format_;
  tenon::gen::OwnId<Codec> own_id_{*this};
};

class CodecFactory : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/IOP/CodecFactory:1.0";

  class UnknownEncoding final : public tenon::gen::PlainException {
   public:
    UnknownEncoding() noexcept : PlainException(tenon::gen::plain_class<UnknownEncoding>) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/IOP/CodecFactory/UnknownEncoding:1.0";
  };

  class UnsupportedCodeset final : public tenon::gen::PlainException {
   public:
    static constexpr std::string_view _static_id = "IDL:omg.org/IOP/CodecFactory/UnsupportedCodeset:1.0";
    UnsupportedCodeset() noexcept : PlainException(tenon::gen::class_with_members<UnsupportedCodeset>) {}
    explicit UnsupportedCodeset(std::uint32_t codeset) noexcept
        : PlainException(tenon::gen::class_with_members<UnsupportedCodeset>), codeset_(codeset) {}
    std::uint32_t codeset() const noexcept { return codeset_; }
    [[noreturn]] void _raise() const override { throw *this; }
    void _put(tenon::cdr::Writer& out) const override { out.put(codeset_); }
    void _get(tenon::cdr::Reader& in) { codeset_ = in.get<std::uint32_t>(); }
    const char* _members() const noexcept override { return "codeset:L"; }

   private:
    std::uint32_t codeset_ = 0;
  };

  ~CodecFactory() override;
  /// ENCODING_CDR_ENCAPS 1.0, 1.1 or 1.2.
  CORBA::object_reference<Codec> create_codec(const Encoding& enc);
  /// The same. Text is ISO 8859-1 or UTF-8, wide text UTF-16 or UCS-2; UnsupportedCodeset for others.
  CORBA::object_reference<Codec> create_codec_with_codesets(const Encoding_1_2& enc);

 private:
  tenon::gen::OwnId<CodecFactory> own_id_{*this};
};

}  // namespace cpp11
}  // namespace IOP

namespace tenon::gen {

template <>
struct Codec<IOP::Encoding> {
  using value_type = IOP::Encoding;
  static constexpr std::size_t smallest = 4;
  static void put(cdr::Writer& out, const value_type& value) noexcept {
    out.put(value.format());
    out.put(value.major_version());
    out.put(value.minor_version());
  }
  static void get(cdr::Reader& in, value_type& value) noexcept {
    value.format() = in.get<IOP::EncodingFormat>();
    value.major_version() = in.get<std::uint8_t>();
    value.minor_version() = in.get<std::uint8_t>();
  }
};

}  // namespace tenon::gen

template <>
struct IDL::traits<IOP::Codec> : tenon::gen::LocalInterfaceTraits<IOP::Codec> {};
template <>
struct IDL::traits<IOP::CodecFactory> : tenon::gen::LocalInterfaceTraits<IOP::CodecFactory> {};
