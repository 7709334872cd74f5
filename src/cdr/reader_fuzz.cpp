// SPDX-License-Identifier: Apache-2.0
//
// Drives the reader with a program that is part of the input: a header (format, phase, fragments), then
// opcodes, then the body. For every input, nothing outside it is read, memory stays in proportion, and the
// first error stays.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/fixed.hpp"
#include "cdr/code_sets.hpp"
#include "cdr/reader.hpp"

namespace tenon::cdr {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

WireFormat format_from(std::uint8_t a, std::uint8_t b) {
  constexpr CodeSet chars[] = {CodeSet::utf8, CodeSet::iso8859_1};
  constexpr CodeSet wchars[] = {CodeSet::utf16, CodeSet::ucs2, CodeSet::none, CodeSet{77}};
  return {.giop_minor = static_cast<std::uint8_t>(a % 3),
          .order = (a & 4) != 0 ? ByteOrder::big : ByteOrder::little,
          .chars = chars[(a >> 3) & 1],
          .wchars = wchars[b & 3],
          .native = {.chars = chars[(a >> 4) & 1]}};
}

class Driver {
 public:
  Driver(Reader reader, std::size_t size, unsigned depth)
      : reader_(std::move(reader)), size_(size), depth_(depth) {}

  void run(ByteView program) {
    for (const std::uint8_t opcode : program) {
      const Error before = reader_.error();
      step(opcode);
      require(reader_.position() <= size_ && reader_.remaining() <= size_);
      if (before) require(reader_.error() == before);
    }
  }

 private:
  void step(std::uint8_t opcode) {
    const std::size_t operand = opcode >> 5;
    switch (opcode & 31) {
      case 0: reader_.get<std::uint8_t>(); break;
      case 1: reader_.get<std::int16_t>(); break;
      case 2: reader_.get<std::uint32_t>(); break;
      case 3: reader_.get<double>(); break;
      case 4: reader_.get<bool>(); break;
      case 5: reader_.get<char>(); break;
      case 6: reader_.get_wchar(); break;
      case 7: reader_.get_long_double(); break;
      case 8: reader_.align(std::size_t{1} << (operand % 4)); break;
      case 9: string(operand); break;
      case 10: wide_string(operand); break;
      case 11: reader_.get_raw_string(); break;
      case 12: reader_.get_octets(operand); break;
      case 13: vector<std::uint8_t>(operand); break;
      case 14: vector<std::int16_t>(operand); break;
      case 15: vector<float>(operand); break;
      case 16: vector<std::int64_t>(operand); break;
      case 17: vector<char>(operand); break;
      case 18: booleans(operand); break;
      case 19: {
        double array[8];
        reader_.get_array(array, operand);
        break;
      }
      case 20:
        if (reader_.block_readable()) reader_.get_block(operand * 24, 8);
        break;
      case 21: {
        Fixed fixed;
        const auto digits = static_cast<unsigned>(operand * 4 + 3);
        reader_.get_fixed(fixed, digits, digits / 2);
        break;
      }
      case 22: nested(operand); break;
      case 23: static_cast<void>(get_code_set_component(reader_)); break;
      case 24:
        if (reader_.enter()) reader_.leave();
        break;
      case 25: reader_.get_length(operand); break;
      default: reader_.get<std::uint64_t>(); break;
    }
  }

  void string(std::size_t bound) {
    std::string text;
    reader_.get_string(text, bound);
    require(text.size() <= 2 * size_ && (reader_.good() || text.empty()));
  }
  void wide_string(std::size_t bound) {
    std::wstring text;
    reader_.get_wstring(text, bound);
    require(text.size() <= size_ && (bound == 0 || text.size() <= bound));
  }
  template <typename T>
  void vector(std::size_t old) {
    std::vector<T> values(old);
    reader_.get_vector(values, reader_.get_length(sizeof(T)));
    require(values.size() * sizeof(T) <= size_ && (reader_.good() || values.empty()));
  }
  void booleans(std::size_t old) {
    std::vector<bool> values(old);
    reader_.get_booleans(values, reader_.get_length(1));
    require(values.size() <= size_);
  }
  void nested(std::size_t operand) {
    const ByteView octets = reader_.get_octet_sequence();
    if (depth_ >= 3 || octets.empty()) return;
    const std::uint8_t program[] = {static_cast<std::uint8_t>(operand * 3), 9, 22, 2, 16,
                                    static_cast<std::uint8_t>(operand),     13};
    Driver(Reader::encapsulation(octets, reader_.format()), octets.size(), depth_ + 1).run(program);
  }

  Reader reader_;
  std::size_t size_;
  unsigned depth_;
};

}  // namespace
}  // namespace tenon::cdr

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  constexpr std::size_t header = 8;
  if (size < header) return 0;
  const cdr::WireFormat format = cdr::format_from(data[0], data[1]);
  const std::size_t opcodes = std::min<std::size_t>(data[2], size - header);
  const ByteView program(data + header, opcodes);
  const ByteView body(data + header + opcodes, size - header - opcodes);
  const cdr::Restart restarts[] = {{data[3], data[4]}, {std::size_t{data[3]} + data[5], data[6]}};
  const std::size_t count = format.giop_minor == 1 ? data[7] >> 4 : 0;
  const std::span<const cdr::Restart> used(restarts, std::min<std::size_t>(count, 2));
  cdr::Driver(cdr::Reader(body, format, data[7] & 7, used), body.size(), 0).run(program);
  return 0;
}
