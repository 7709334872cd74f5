// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: up to four anys from a message of any format, phase and fragmentation. What is accepted must survive being written
// for another format, by itself, and read again: the same type, a value that prints alike.
#include <cstdlib>

#include "base/minor_codes.hpp"
#include "types/any.hpp"
#include "types/compare.hpp"
#include "types/typecode_cdr.hpp"
#include "types/walker.hpp"

namespace {

using namespace tenon;

void require(bool condition) {
  if (!condition) std::abort();
}

// Byte 0: order, GIOP minor, code set; low bits of byte 1: phase. Byte 2, if not 0: where GIOP 1.1 cuts.
cdr::WireFormat format_of(std::uint8_t bits) {
  cdr::WireFormat format;
  format.order = (bits & 1) != 0 ? ByteOrder::little : ByteOrder::big;
  format.giop_minor = static_cast<std::uint8_t>((bits >> 1) % 3);
  format.chars = (bits & 0x10) != 0 ? cdr::CodeSet::iso8859_1 : cdr::CodeSet::utf8;
  return format;
}

/// How many parts without octets are accepted depends on the octets that follow, and those are fewer when a value is written alone.
bool read_whole(const cdr::Reader& in) {
  return in.good() ? in.remaining() == 0 : in.error() == errors::length_beyond_data;
}

void check_type(const types::TypeRef& type) {
  const types::TypeRef small = types::compact(type);
  require(types::equivalent(*small, *type));
  require(!types::text(*type).empty());
  cdr::Writer out({.order = ByteOrder::big}, 3);
  types::write(out, *type);
  if (!out.good()) return;  // written by itself, the type may be nested too deeply
  cdr::Reader in(out.bytes(), {.order = ByteOrder::big}, 3);
  const types::TypeRef again = types::read(in);
  require(static_cast<bool>(again) && in.remaining() == 0 && types::equal(*again, *type));
}

/// The first writing may change octets but not the meaning; further writings must not change them.
void check_any(const types::Any& any) {
  cdr::Writer first({.order = ByteOrder::big}, 1);
  types::write(first, any);
  if (!first.good()) return;  // say, a character that UTF-8 does not have
  cdr::Reader first_in(first.bytes(), {.order = ByteOrder::big}, 1);
  const types::Any once = types::read_any(first_in);
  require(read_whole(first_in));
  if (!first_in.good()) return;
  cdr::Writer second({.order = ByteOrder::little}, 6);
  types::write(second, once);
  if (!second.good()) return;  // malformed text that has not been checked before
  cdr::Reader second_in(second.bytes(), {.order = ByteOrder::little}, 6);
  const types::Any twice = types::read_any(second_in);
  require(read_whole(second_in));
  if (!second_in.good()) return;
  require(types::text(once) == types::text(twice));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const cdr::WireFormat format = format_of(data[0]);
  const ByteView body(data + 3, size - 3);
  const cdr::Restart cut[] = {{data[2], std::size_t{data[1]} >> 3 & 7}};
  const bool cuts = format.giop_minor == 1 && data[2] != 0;
  cdr::Reader in(body, format, data[1] & 7,
                 cuts ? std::span<const cdr::Restart>(cut) : std::span<const cdr::Restart>());
  // Several, since offsets may lead from one to another.
  for (int left = 4; left != 0 && (left == 4 || in.remaining() != 0); --left) {
    const types::Any any = types::read_any(in);
    if (!in.good()) return 0;
    check_type(any.type());
    check_any(any);
  }
  return 0;
}
