// SPDX-License-Identifier: Apache-2.0
//
// Strings and wide characters (CORBA 3.4 part 2 §9.3.1.6, §9.3.2.7): the one place where a reader looks at
// code sets.
#include <algorithm>
#include <cstring>

#include "base/minor_codes.hpp"
#include "cdr/byte_ops.hpp"
#include "cdr/char_sets.hpp"
#include "cdr/code_sets.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"

namespace tenon::cdr {
namespace {

constexpr std::uint16_t swapped_mark = 0xFFFE;

/// UTF-16 or UCS-2 as GIOP 1.2 has it: big-endian, or as a byte order mark says.
class WideOctets {
 public:
  explicit WideOctets(ByteView octets) noexcept : octets_(octets) {
    if (octets_.size() < 2) return;
    const auto first = load<std::uint16_t>(octets_.data(), swap_);
    if (first != byte_order_mark && first != swapped_mark) return;
    if (first == swapped_mark) swap_ = !swap_;
    octets_ = octets_.subspan(2);
  }
  std::size_t units() const noexcept { return octets_.size() / 2; }
  std::uint16_t unit(std::size_t index) const noexcept {
    return load<std::uint16_t>(octets_.data() + index * 2, swap_);
  }

 private:
  ByteView octets_;
  bool swap_ = native_order != ByteOrder::big;
};

/// Assigns text without a NUL to a string, whose memory is used again where it is enough. False: the string's content has no meaning.
bool assign_text(Reader& reader, std::string& into, const std::uint8_t* text, std::size_t size) noexcept {
  const auto* const chars = reinterpret_cast<const char*>(text);
  if (size <= into.capacity()) {
    into.resize(size);
    return copy_text(into.data(), chars, size);
  }
  reader.take_memory();
  return std::memchr(chars, 0, size) == nullptr && assign_longer(into, {chars, size});
}

/// The characters that 16-bit units make, in the memory of a text that has as many characters.
class Joined {
 public:
  Joined(const WireFormat& format, std::wstring& text) noexcept
      : begin_(text.data()),
        end_(begin_),
        set_(format.wchars),
        lone_(lone_surrogates(format.native)),
        decoder_(set_) {}
  void add(std::uint16_t unit) noexcept {
    if (lone_) {
      end_ = append_unit(set_, unit, begin_, end_);
    } else if (decoder_.put(unit, *end_)) {
      ++end_;
    }
  }
  std::size_t size() const noexcept { return static_cast<std::size_t>(end_ - begin_); }
  bool complete() const noexcept { return decoder_.complete(); }

 private:
  wchar_t* const begin_;
  wchar_t* end_;
  const CodeSet set_;
  const bool lone_;
  UnitDecoder decoder_;
};

}  // namespace

char Reader::get_converted_char(std::uint8_t octet) noexcept {
  // Where either code set has characters of several octets, an octet above 0x7F is only a part of a character.
  const Result<char> made = convert_char(format_.chars, format_.native.chars, static_cast<char>(octet));
  if (made) return *made;
  fail(char_without_place(format_.chars, made.error()));
  return 0;
}

std::string_view Reader::get_raw_string() noexcept {
  const std::size_t length = get_length(1);
  if (length == 0) return {};  // an error, or an old ORB's empty string
  const ByteView octets = get_octets(length);
  if (octets.empty()) return {};  // the length is in the message, but not in this chunk of a value
  const std::string_view text(reinterpret_cast<const char*>(octets.data()), length - 1);
  if (octets.back() != 0) {
    fail(errors::string_without_nul);
    return {};
  }
  if (!text.empty() && std::memchr(text.data(), 0, text.size()) != nullptr) {
    fail(errors::nul_in_string);
    return {};
  }
  return text;
}

void Reader::get_string(std::string& into, std::size_t bound) noexcept {
  // The usual case: nothing to convert, and the whole text is in this piece. All other cases and errors are handled below.
  const std::size_t head = padding(sizeof(std::uint32_t)) + sizeof(std::uint32_t);
  const auto left = static_cast<std::size_t>(end_ - cur_);
  if (head < left && format_.chars == format_.native.chars) [[likely]] {
    const std::uint8_t* const text = cur_ + head;
    const std::size_t size = std::size_t{load<std::uint32_t>(text - sizeof(std::uint32_t), swap_)} - 1;
    if (size < left - head && text[size] == 0 && (bound == 0 || size <= bound) &&
        assign_text(*this, into, text, size)) [[likely]] {
      cur_ = text + size + 1;
      return;
    }
  }
  const std::string_view wire = get_raw_string();
  if (!good()) {
    into.clear();
    return;
  }
  get_text(into, wire, bound);
  if (!good()) into.clear();
}

void Reader::get_text(std::string& into, std::string_view wire, std::size_t bound) noexcept {
  take_memory();
  if (format_.chars == format_.native.chars) {
    if (bound != 0 && wire.size() > bound) {
      fail_above_bound(wire.size(), bound);
      return;
    }
    if (!assign(into, wire)) fail(errors::out_of_memory);
    return;
  }
  if (const Status status = convert_chars(format_.chars, format_.native.chars, wire, into); !status) {
    fail(status.error() == errors::char_not_in_code_set ? errors::char_not_in_native_set : status.error());
  } else if (bound != 0 && wire.size() > bound && into.size() > bound) {
    fail_above_bound(wire.size(), bound);
  }
}

/// Whether there can be wide characters in this message; if not, the reader fails.
bool Reader::wide_text_readable() noexcept {
  if (format_.giop_minor == 0) {
    fail(errors::wchar_sent_in_giop_1_0);
  } else if (format_.wchars == CodeSet::none) {
    fail(errors::wchar_not_in_context);
  } else if (!supported_wchars(format_.wchars) || (format_.giop_minor == 1 && is_ucs4(format_.wchars))) {
    // GIOP 1.1 has exactly two octets for a wchar.
    fail(errors::code_set_not_supported);
  }
  return good();
}

wchar_t Reader::get_wchar() noexcept {
  if (!wide_text_readable()) return 0;
  if (is_ucs4(format_.wchars)) return get_ucs4_wchar();
  if (lone_surrogates(format_.native)) return get_lone_wchar();
  wchar_t character = 0;
  UnitDecoder decoder(format_.wchars);
  if (format_.giop_minor == 1) {
    const auto unit = get<std::uint16_t>();
    if (!decoder.put(unit, character)) fail(errors::char_not_in_code_set);
    return good() ? character : L'\0';
  }
  const std::size_t length = get<std::uint8_t>();
  const ByteView octets = get_octets(length);
  if (!good()) return 0;
  // One unit or a pair; a mark alone is the character U+FEFF of a peer that does not know marks.
  const WideOctets wide(octets);
  if (length == 2) {
    const auto unit = load<std::uint16_t>(octets.data(), native_order != ByteOrder::big);
    if (!decoder.put(unit, character)) fail(errors::char_not_in_code_set);
  } else if (length % 2 != 0 || wide.units() == 0 || wide.units() > 2) {
    fail(errors::bad_wide_text);
  } else {
    bool whole = decoder.put(wide.unit(0), character);
    if (!whole && wide.units() == 2) {
      whole = decoder.put(wide.unit(1), character);
    } else if (wide.units() == 2) {
      whole = false;  // two characters
    }
    if (!whole) fail(errors::bad_wide_text);
  }
  return good() ? character : L'\0';
}

/// UCS-4 as GIOP 1.2 has it: big-endian, or as a byte order mark says.
class Ucs4Octets {
 public:
  Ucs4Octets(ByteView octets, const WireFormat& format) noexcept : octets_(octets), format_(format) {
    if (octets_.size() < 8) return;  // a mark alone is the character U+FEFF
    const auto first = load<std::uint32_t>(octets_.data(), swap_);
    if (first != byte_order_mark && first != swapped_mark) return;
    if (first == swapped_mark) swap_ = !swap_;
    octets_ = octets_.subspan(4);
  }
  std::size_t size() const noexcept { return octets_.size() / 4; }
  /// False: there is no such character.
  bool get(std::size_t index, wchar_t& into) const noexcept {
    const auto unit = load<std::uint32_t>(octets_.data() + index * 4, swap_);
    into = static_cast<wchar_t>(unit);
    return fits_ucs4(unit, format_.native);
  }

 private:
  static constexpr std::uint32_t swapped_mark = 0xFFFE0000;
  ByteView octets_;
  const WireFormat& format_;
  bool swap_ = native_order != ByteOrder::big;
};

wchar_t Reader::get_ucs4_wchar() noexcept {
  const ByteView octets = get_octets(get<std::uint8_t>());
  if (!good()) return 0;
  const Ucs4Octets wide(octets, format_);
  wchar_t character = 0;
  if (octets.size() % 4 != 0 || wide.size() != 1) {
    fail(errors::bad_wide_text);
  } else if (!wide.get(0, character)) {
    fail(errors::char_not_in_code_set);
  }
  return good() ? character : L'\0';
}

void Reader::get_ucs4(std::wstring& into) noexcept {
  const ByteView octets = get_octet_sequence();
  if (octets.size() % 4 != 0) return fail(errors::bad_wide_text);
  const Ucs4Octets wide(octets, format_);
  if (!make_room(into, wide.size())) return fail(errors::out_of_memory);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    if (!wide.get(i, into[i])) return fail(errors::char_not_in_code_set);
    if (into[i] == 0) return fail(errors::nul_in_string);
  }
}

/// As get_wchar(), where a surrogate may be alone.
wchar_t Reader::get_lone_wchar() noexcept {
  if (format_.giop_minor == 1) return static_cast<wchar_t>(get<std::uint16_t>());
  const std::size_t length = get<std::uint8_t>();
  const ByteView octets = get_octets(length);
  if (!good()) return 0;
  if (length == 2)
    return static_cast<wchar_t>(load<std::uint16_t>(octets.data(), native_order != ByteOrder::big));
  const WideOctets wide(octets);
  wchar_t text[2] = {};
  wchar_t* end = text;
  for (std::size_t i = 0; i < std::min<std::size_t>(wide.units(), 2); ++i)
    end = append_unit(format_.wchars, wide.unit(i), text, end);
  if (length % 2 == 0 && wide.units() <= 2 && end == text + 1) return text[0];
  fail(errors::bad_wide_text);
  return 0;
}

void Reader::get_wstring(std::wstring& into, std::size_t bound) noexcept {
  take_memory();
  into.clear();
  if (!wide_text_readable()) return;
  if (is_ucs4(format_.wchars)) {
    get_ucs4(into);
  } else if (format_.giop_minor == 1) {
    get_units_1_1(into);
  } else {
    get_units_1_2(into);
  }
  if (bound != 0 && into.size() > bound) fail_above_bound(into.size(), bound);
  if (!good()) into.clear();
}

/// GIOP 1.1: the length counts units and the NUL; units are ushorts of the message's byte order, and
/// fragments may come between.
void Reader::get_units_1_1(std::wstring& into) noexcept {
  const std::size_t count = get_length(sizeof(std::uint16_t));
  if (count == 0) return;
  if (!make_room(into, count - 1)) return fail(errors::out_of_memory);
  Joined text(format_, into);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const auto unit = get<std::uint16_t>();
    if (unit == 0) return fail(errors::nul_in_string);
    text.add(unit);
  }
  into.erase(text.size());
  if (get<std::uint16_t>() != 0) fail(errors::string_without_nul);
  if (!text.complete()) fail(errors::char_not_in_code_set);
}

/// GIOP 1.2: the length counts octets; there is no NUL.
void Reader::get_units_1_2(std::wstring& into) noexcept {
  const std::size_t length = get_length(1);
  const ByteView octets = get_octets(length);
  if (length % 2 != 0) {
    fail(errors::bad_wide_text);
    return;
  }
  const WideOctets wide(octets);
  const std::size_t units = wide.units();
  if (!make_room(into, units)) return fail(errors::out_of_memory);
  Joined text(format_, into);
  for (std::size_t i = 0; i < units; ++i) {
    const std::uint16_t unit = wide.unit(i);
    if (unit == 0) return fail(errors::nul_in_string);
    text.add(unit);
  }
  into.erase(text.size());
  if (!text.complete()) fail(errors::char_not_in_code_set);
}

}  // namespace tenon::cdr
