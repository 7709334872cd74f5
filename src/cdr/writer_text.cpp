// SPDX-License-Identifier: Apache-2.0
//
// Strings and wide characters (CORBA 3.4 part 2 §9.3.1.6, §9.3.2.7): the one place where a writer looks at
// code sets.
#include <string>

#include "base/minor_codes.hpp"
#include "cdr/byte_ops.hpp"
#include "cdr/code_sets.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

/// Big-endian UTF-16 starts without a mark (§9.3.1.6), unless its first character would be taken for one.
bool needs_mark(wchar_t first) noexcept {
  const std::uint32_t scalar = scalar_of(first);
  return scalar == byte_order_mark || scalar == 0xFFFE;
}

/// Why wide characters cannot be written; no error if they can.
Error wide_text_error(const WireFormat& format) noexcept {
  if (format.giop_minor == 0) return errors::wchar_sent_in_giop_1_0;
  if (format.wchars == CodeSet::none) return errors::wchar_not_supported;
  // GIOP 1.1 has exactly two octets for a wchar.
  if (!supported_wchars(format.wchars) || (format.giop_minor == 1 && is_ucs4(format.wchars)))
    return errors::code_set_not_supported;
  return {};
}

std::uint8_t* store_big_endian(std::uint8_t* to, std::uint16_t unit) noexcept {
  store(to, unit, native_order != ByteOrder::big);
  return to + sizeof unit;
}

}  // namespace

void Writer::put_string(std::string_view text) noexcept {
  // The usual case: nothing to convert, nothing to lend, and there is room for all of it.
  if (text.size() < borrow_from && format_.chars == format_.native.chars) [[likely]] {
    std::uint8_t* const at = room<sizeof(std::uint32_t)>();
    if (end_ - at > static_cast<std::ptrdiff_t>(sizeof(std::uint32_t) + text.size())) [[likely]] {
      std::uint8_t* const to = at + sizeof(std::uint32_t);
      store(at, static_cast<std::uint32_t>(text.size() + 1), swap_);
      if (!copy_text(to, text.data(), text.size())) [[unlikely]]
        return fail(errors::nul_in_argument);
      to[text.size()] = 0;
      cur_ = to + text.size() + 1;
      return;
    }
  }
  if (format_.chars == format_.native.chars ||
      is_ascii(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())) {
    put_text(text);
    return;
  }
  std::string converted;
  if (const Status status = convert_chars(format_.native.chars, format_.chars, text, converted); !status) {
    fail(status.error());
    return;
  }
  // The converted copy does not outlive the call, so it cannot be lent.
  const std::size_t lends_from = std::exchange(lend_from_, never);
  put_text(converted);
  lend_from_ = lends_from;
}

void Writer::put_raw_string(std::string_view text) noexcept {
  const std::size_t lends_from = std::exchange(lend_from_, never);
  put_text(text);
  lend_from_ = lends_from;
}

/// Length with the NUL, the octets as they are, the NUL.
void Writer::put_text(std::string_view text) noexcept {
  if (text.find('\0') != std::string_view::npos) [[unlikely]] {
    fail(errors::nul_in_argument);
    return;
  }
  put_length(text.size() + 1);
  if (text.size() >= borrow_from && lends(text.size())) {
    lend(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    put(std::uint8_t{0});
    return;
  }
  std::uint8_t* to = claim(text.size() + 1);
  if (to == nullptr) return;
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  to[text.size()] = 0;
}

void Writer::put_wchar(wchar_t value) noexcept {
  if (const Error error = wide_text_error(format_)) {
    fail(error);
    return;
  }
  if (is_ucs4(format_.wchars)) {
    put(std::uint8_t{4});
    return put_ucs4({&value, 1});
  }
  std::uint16_t units[2];
  const unsigned count = encode_units(format_.wchars, value, units, lone_surrogates(format_.native));
  // GIOP 1.1 has exactly two octets for a wchar.
  if (count == 0 || (format_.giop_minor == 1 && count > 1)) {
    fail(errors::char_not_in_code_set);
    return;
  }
  if (format_.giop_minor == 1) {
    put(units[0]);
    return;
  }
  const bool mark = needs_mark(value);
  const std::size_t octets = (count + (mark ? 1u : 0u)) * 2;
  std::uint8_t* to = claim(1 + octets);
  if (to == nullptr) return;
  *to++ = static_cast<std::uint8_t>(octets);
  if (mark) to = store_big_endian(to, byte_order_mark);
  for (unsigned i = 0; i < count; ++i) to = store_big_endian(to, units[i]);
}

void Writer::put_wstring(std::wstring_view text) noexcept {
  if (const Error error = wide_text_error(format_)) {
    fail(error);
    return;
  }
  if (text.find(L'\0') != std::wstring_view::npos) {
    fail(errors::nul_in_argument);
    return;
  }
  if (is_ucs4(format_.wchars)) {
    const bool mark = !text.empty() && scalar_of(text.front()) == byte_order_mark;
    put_length((text.size() + (mark ? 1 : 0)) * 4);
    if (mark) put_ucs4(text.substr(0, 1));
    return put_ucs4(text);
  }
  const Result<std::size_t> units = count_units(format_.wchars, text, lone_surrogates(format_.native));
  if (!units) {
    fail(units.error());
  } else if (format_.giop_minor == 1) {
    put_units_1_1(text, *units);
  } else {
    put_units_1_2(text, *units);
  }
}

/// Characters of UCS-4, big-endian.
void Writer::put_ucs4(std::wstring_view text) noexcept {
  std::uint8_t* to = claim(text.size() * 4);
  if (to == nullptr) return;
  for (const wchar_t character : text) {
    if (!fits_ucs4(scalar_of(character), format_.native)) return fail(errors::char_not_in_code_set);
    store(to, scalar_of(character), native_order != ByteOrder::big);
    to += 4;
  }
}

/// GIOP 1.1: the length counts units and the NUL; units are ushorts of the message's byte order.
void Writer::put_units_1_1(std::wstring_view text, std::size_t units) noexcept {
  put_length(units + 1);
  std::uint8_t* to = claim((units + 1) * 2);
  if (to == nullptr) return;
  const bool lone = lone_surrogates(format_.native);
  for (const wchar_t character : text) {
    std::uint16_t pair[2] = {};
    const unsigned count = encode_units(format_.wchars, character, pair, lone);
    for (unsigned i = 0; i < count; ++i, to += 2) store(to, pair[i], swap_);
  }
  store(to, std::uint16_t{0}, false);
}

/// GIOP 1.2: the length counts octets; no NUL; big-endian.
void Writer::put_units_1_2(std::wstring_view text, std::size_t units) noexcept {
  const bool mark = !text.empty() && needs_mark(text.front());
  const std::size_t octets = (units + (mark ? 1 : 0)) * 2;
  put_length(octets);
  std::uint8_t* to = claim(octets);
  if (to == nullptr) return;
  if (mark) to = store_big_endian(to, byte_order_mark);
  const bool lone = lone_surrogates(format_.native);
  for (const wchar_t character : text) {
    std::uint16_t pair[2] = {};
    const unsigned count = encode_units(format_.wchars, character, pair, lone);
    for (unsigned i = 0; i < count; ++i) to = store_big_endian(to, pair[i]);
  }
}

}  // namespace tenon::cdr
