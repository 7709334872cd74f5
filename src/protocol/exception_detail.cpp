// SPDX-License-Identifier: Apache-2.0
#include "protocol/exception_detail.hpp"

#include "base/heap_room.hpp"
#include "base/joined.hpp"
#include "cdr/code_sets.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::protocol {
namespace {

constexpr wchar_t replacement = 0xFFFD;

/// The character of a UTF-8 sequence, and its length; each octet of malformed text becomes a replacement character.
wchar_t decode_one(std::string_view text, std::size_t& length) noexcept {
  const auto octet = [text](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t first = octet(0);
  length = 1;
  if (first < 0x80) return static_cast<wchar_t>(first);
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return replacement;
  std::uint32_t value = first & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((octet(i) & 0xC0) != 0x80) return replacement;
    value = value << 6 | (octet(i) & 0x3F);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < least[size] || surrogate || value > 0x10FFFF) return replacement;
  length = size;
  return static_cast<wchar_t>(value);
}

void append(std::string& out, wchar_t letter) {
  const std::uint32_t value = cdr::scalar_of(letter);
  const auto put = [&out](std::uint32_t octet) { out += static_cast<char>(octet); };
  if (value < 0x20 || (value >= 0x7F && value < 0xA0)) {
    put(' ');
  } else if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0 | value >> 6);
    put(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    put(0xE0 | value >> 12);
    put(0x80 | (value >> 6 & 0x3F));
    put(0x80 | (value & 0x3F));
  } else {
    put(0xF0 | value >> 18);
    put(0x80 | (value >> 12 & 0x3F));
    put(0x80 | (value >> 6 & 0x3F));
    put(0x80 | (value & 0x3F));
  }
}

}  // namespace

std::vector<std::uint8_t> encode_exception_detail(std::string_view text) {
  text = beginning(text, longest_exception_detail);
  std::wstring wide;
  for (std::size_t length = 0; !text.empty(); text.remove_prefix(length)) {
    const wchar_t letter = decode_one(text, length);
    wide += letter == 0 ? L' ' : letter;
  }
  cdr::Encapsulation made;
  made.content().put_wstring(wide);
  const ByteView bytes = made.bytes();
  return {bytes.begin(), bytes.end()};
}

std::string decode_exception_detail(ByteView data) {
  std::string text;
  // As wide text it takes twice as much, and each of the two grows by doubling.
  if (data.size() > longest_received_detail || !heap_has(8 * data.size())) return text;
  cdr::Reader in = cdr::Reader::encapsulation(data);
  std::wstring wide;
  in.get_wstring(wide);
  if (!in.good()) return text;
  for (const wchar_t letter : wide) append(text, letter);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

namespace {
constexpr ExceptionDetails both_ways{.encode = encode_exception_detail, .decode = decode_exception_detail};
}

constinit std::atomic<const ExceptionDetails*> known_exception_details{nullptr};

void use_exception_details() noexcept {
  known_exception_details.store(&both_ways, std::memory_order_relaxed);
}

}  // namespace tenon::protocol
