// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: a marshal program of a random type, or of a TypeCode from the input, on bytes of the input. What it accepts, the walker
// must accept, and the other way round; both must write the same bytes again. Copies must be equal, skipping must end where
// decoding does. Values of value types: whatever there is, it may be read, copied and written, and nothing stays behind.
//
// Octets 0 to 7: GIOP minor and order; phase; where GIOP 1.1 cuts (0: nowhere); 0 for a TypeCode in what follows; seed of the type.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/minor_codes.hpp"
#include "marshal/typecodes/compile.hpp"
#include "marshal/typecodes/transcode.hpp"
#include "tests/equality/random_type.hpp"
#include "types/any.hpp"
#include "types/typecode_cdr.hpp"
#include "types/walker.hpp"

namespace {

using namespace tenon;

void require(bool condition, const types::TypeRef& type, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s: %s\n", types::text(*type).c_str(), what);
  std::abort();
}

/// Limits of depth and of what empty elements may claim are counted differently by each.
bool is_limit(const Error& error) {
  return error == errors::nested_too_deep || error == errors::length_beyond_data;
}

struct Input {
  types::TypeRef type;
  /// Whether every part goes through memory and comes out as it went in: not long double, which has more bits on the wire; not any,
  /// whose text nobody looks into.
  bool exact = false;
  cdr::Reader value;
};

Input read_input(const std::uint8_t* data, ByteView rest, cdr::WireFormat format,
                 std::span<const cdr::Restart> cuts) {
  cdr::Reader in(rest, format, data[1] & 7, cuts);
  if (data[3] == 0) {
    types::TypeRef type = types::read(in);
    return {std::move(type), false, in};
  }
  std::uint32_t seed = 0;
  std::memcpy(&seed, data + 4, sizeof seed);
  equality::Random random(seed % 4096);  // so that one type is met again with other octets
  // of a value whose type is another than expected the program may know more than the walker
  const bool values = data[3] % 4 == 2;
  const bool exact = data[3] % 4 != 1 && !values;
  const equality::TypeChoice choice{.depth = 3, .anys = !exact, .long_doubles = !exact, .values = values};
  return {equality::random_type(random, choice), exact, in};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 8) return 0;
  const cdr::WireFormat format{.giop_minor = static_cast<std::uint8_t>(data[0] >> 1 & 1 ? 1 : 2),
                               .order = (data[0] & 1) != 0 ? ByteOrder::little : ByteOrder::big};
  const cdr::Restart cut[] = {{data[2], 4}};
  const bool cuts = format.giop_minor == 1 && data[2] != 0;
  const Input input = read_input(data, ByteView(data + 8, size - 8), format,
                                 cuts ? std::span<const cdr::Restart>(cut) : std::span<const cdr::Restart>());
  if (!input.type) return 0;
  const Result<Ref<const marshal::Program>> program = marshal::compile(input.type);
  if (!program) return 0;  // too large, or a kind that has no values

  cdr::Reader walked = input.value;
  cdr::Writer by_walker({.order = ByteOrder::big}, 3);
  types::copy(walked, by_walker, *input.type);

  marshal::Value value(*program);
  cdr::Reader in = input.value;
  value.decode(in);
  const marshal::Value copy(value);  // also of what was left half read
  if (!in.good()) {
    require(!input.exact || !walked.good() || is_limit(in.error()), input.type, "only the walker reads it");
    return 0;
  }
  require(!input.exact || walked.good() || is_limit(walked.error()), input.type, "only the program reads it");
  cdr::Reader skipped = input.value;
  marshal::skip((*program)->unit(), (*program)->root(), skipped);
  require(skipped.good() && skipped.remaining() == in.remaining(), input.type, "skipped differently");

  cdr::Writer out({.order = ByteOrder::big}, 3);
  copy.encode(out);
  cdr::Reader source = input.value;
  cdr::Writer passed({.order = ByteOrder::big}, 3);
  marshal::transcode((*program)->unit(), (*program)->root(), source, passed);
  require(!input.exact || (passed.good() && source.remaining() == in.remaining()), input.type,
          "passed on differently");
  if (!input.exact || !walked.good()) return 0;
  require(walked.remaining() == in.remaining(), input.type, "read differently");
  require(out.good() == by_walker.good(), input.type, "only one of them writes it");
  require(!out.good() || out.copy() == by_walker.copy(), input.type, "written differently");
  require(!out.good() || out.copy() == passed.copy(), input.type, "passed on differently");
  return 0;
}
