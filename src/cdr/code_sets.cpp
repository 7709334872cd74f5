// SPDX-License-Identifier: Apache-2.0
//
// Conversion between ISO 8859-1, UTF-8, UTF-16 and UCS-2, and the choice of transmission code sets. Other sets: char_set_library.cpp.
#include "cdr/code_sets.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"
#include "cdr/byte_ops.hpp"
#include "cdr/char_sets.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

constexpr std::uint32_t last_scalar = 0x10FFFF;

constexpr bool is_surrogate(std::uint32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

Status latin1_to_utf8(std::string_view text, std::string& into) noexcept {
  const auto above = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
  if (!make_room(into, text.size() + static_cast<std::size_t>(above))) return errors::out_of_memory;
  char* to = into.data();
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (octet < 0x80) {
      *to++ = c;
    } else {
      *to++ = static_cast<char>(0xC0 | octet >> 6);
      *to++ = static_cast<char>(0x80 | (octet & 0x3F));
    }
  }
  return {};
}

/// One octet, or the two-octet sequences C2 80 to C3 BF; anything else is outside ISO 8859-1 or malformed.
Status utf8_to_latin1(std::string_view text, std::string& into) noexcept {
  if (!make_room(into, text.size())) return errors::out_of_memory;
  char* to = into.data();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octet = static_cast<unsigned char>(text[i]);
    if (octet < 0x80) {
      *to++ = text[i];
      continue;
    }
    const bool lead = octet >= 0xC2 && octet <= 0xF4;
    if (!lead || i + 1 == text.size()) return errors::malformed_chars;
    const auto next = static_cast<unsigned char>(text[i + 1]);
    if ((next & 0xC0) != 0x80) return errors::malformed_chars;
    if (octet > 0xC3) return errors::char_not_in_code_set;
    *to++ = static_cast<char>((octet & 3) << 6 | (next & 0x3F));
    ++i;
  }
  into.erase(static_cast<std::size_t>(to - into.data()));
  return {};
}

bool contains(const std::vector<CodeSet>& sets, CodeSet wanted) {
  return std::find(sets.begin(), sets.end(), wanted) != sets.end();
}

bool knows(const CodeSetComponent& side, CodeSet set) {
  return side.native == set || contains(side.conversion, set);
}

/// The OSF registry numbers the families of ISO 646, ISO 8859 and ISO 10646 as 0x0001xxxx; UTF-8 stands
/// apart. Their repertoires overlap, or are contained in the fall-back; of other code sets nothing is known.
bool shares_repertoire(CodeSet set) {
  return static_cast<std::uint32_t>(set) >> 16 == 0x0001 || set == CodeSet::utf8;
}

void put_component(Writer& to, const CodeSetComponent& component) noexcept {
  to.put(static_cast<std::uint32_t>(component.native));
  to.put_length(component.conversion.size());
  for (const CodeSet set : component.conversion) to.put(static_cast<std::uint32_t>(set));
}

void get_component(Reader& from, CodeSetComponent& into) noexcept {
  into.native = static_cast<CodeSet>(from.get<std::uint32_t>());
  const std::size_t count = from.get_length(sizeof(std::uint32_t));
  for (std::size_t i = 0; i < count; ++i) {
    const auto set = static_cast<CodeSet>(from.get<std::uint32_t>());
    if (i < most_code_sets && !append(into.conversion, set)) return from.fail(errors::out_of_memory);
  }
}

}  // namespace

Status convert_chars(CodeSet from, CodeSet to, std::string_view text, std::string& into) noexcept {
  if (from == to || is_ascii(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())) {
    if (!assign(into, text)) return errors::out_of_memory;
    return {};
  }
  if (from == CodeSet::iso8859_1 && to == CodeSet::utf8) return latin1_to_utf8(text, into);
  if (from == CodeSet::utf8 && to == CodeSet::iso8859_1) return utf8_to_latin1(text, into);
  into.clear();
  const MoreCharSets* more = more_char_sets.load(std::memory_order_relaxed);
  return more != nullptr ? more->convert(from, to, text, into) : errors::char_not_in_code_set;
}

Result<char> convert_char(CodeSet from, CodeSet to, char octet) noexcept {
  if (!has_one_octet_each(from) || !has_one_octet_each(to)) return errors::char_not_in_code_set;
  std::string one;  // no memory is needed
  if (const Status status = convert_chars(from, to, {&octet, 1}, one); !status) return status.error();
  return one.size() == 1 ? Result<char>(one.front()) : Result<char>(errors::char_not_in_code_set);
}

unsigned encode_units(CodeSet set, wchar_t character, std::uint16_t (&units)[2],
                      bool lone_surrogates) noexcept {
  const std::uint32_t scalar = scalar_of(character);
  if constexpr (sizeof(wchar_t) == 2) {
    // Here wide text is UTF-16 already; the units of a pair are encoded one by one.
    units[0] = static_cast<std::uint16_t>(scalar);
    return set == CodeSet::utf16 || lone_surrogates || !is_surrogate(scalar & 0xFFFF) ? 1 : 0;
  }
  if (scalar > last_scalar || (is_surrogate(scalar) && !lone_surrogates)) return 0;
  if (scalar < 0x10000) {
    units[0] = static_cast<std::uint16_t>(scalar);
    return 1;
  }
  if (set != CodeSet::utf16) return 0;
  units[0] = static_cast<std::uint16_t>(0xD800 + ((scalar - 0x10000) >> 10));
  units[1] = static_cast<std::uint16_t>(0xDC00 + ((scalar - 0x10000) & 0x3FF));
  return 2;
}

wchar_t* append_unit(CodeSet set, std::uint16_t unit, wchar_t* begin, wchar_t* end) noexcept {
  if constexpr (sizeof(wchar_t) > 2) {
    const bool low = unit >= 0xDC00 && unit <= 0xDFFF;
    if (set == CodeSet::utf16 && low && begin != end && scalar_of(end[-1]) >> 10 == 0xD800 >> 10) {
      const std::uint32_t upper = scalar_of(end[-1]) - 0xD800;
      end[-1] = static_cast<wchar_t>(0x10000 + (upper << 10) + (unit - 0xDC00u));
      return end;
    }
  }
  *end = static_cast<wchar_t>(unit);
  return end + 1;
}

Result<std::size_t> count_units(CodeSet set, std::wstring_view text, bool lone_surrogates) noexcept {
  std::size_t count = 0;
  for (const wchar_t character : text) {
    std::uint16_t units[2];
    const unsigned more = encode_units(set, character, units, lone_surrogates);
    if (more == 0) return errors::char_not_in_code_set;
    count += more;
  }
  return count;
}

bool UnitDecoder::put(std::uint16_t unit, wchar_t& out) noexcept {
  if (bad_) return false;
  if (high_ != 0) {
    if (unit < 0xDC00 || unit > 0xDFFF) {
      bad_ = true;
      return false;
    }
    const std::uint32_t upper = high_ - 0xD800u;
    out = static_cast<wchar_t>(0x10000 + (upper << 10) + (unit - 0xDC00u));
    high_ = 0;
    return true;
  }
  if constexpr (sizeof(wchar_t) == 2) {
    if (set_ == CodeSet::utf16) {
      out = static_cast<wchar_t>(unit);
      return true;
    }
  }
  if (!is_surrogate(unit)) {
    out = static_cast<wchar_t>(unit);
    return true;
  }
  if (set_ == CodeSet::utf16 && unit < 0xDC00) {
    high_ = unit;
  } else {
    bad_ = true;
  }
  return false;
}

CodeSetComponentInfo announced_code_sets(NativeCodeSets native) {
  CodeSetComponentInfo info;
  info.char_data.native = announced(native.chars);
  for (const CodeSet set : {CodeSet::utf8, CodeSet::iso8859_1}) {
    if (set != info.char_data.native) static_cast<void>(append(info.char_data.conversion, set));
  }
  if (native.wchars == CodeSet::none) return info;
  info.wchar_data.native = native.wchars;
  for (const CodeSet set :
       {CodeSet::utf16, CodeSet::ucs2, CodeSet::ucs2_level3, CodeSet::ucs4, CodeSet::ucs4_level3}) {
    if (set != native.wchars) static_cast<void>(append(info.wchar_data.conversion, set));
  }
  return info;
}

Result<CodeSet> negotiate(const CodeSetComponent& client, const CodeSetComponent& server,
                          CodeSet fallback) noexcept {
  if (client.native == server.native) return client.native;
  if (contains(client.conversion, server.native)) return server.native;
  if (contains(server.conversion, client.native)) return client.native;
  for (const CodeSet set : server.conversion) {
    if (contains(client.conversion, set)) return set;
  }
  if (shares_repertoire(client.native) && shares_repertoire(server.native)) return fallback;
  return errors::code_sets_incompatible;
}

Result<CodeSetContext> negotiate(const CodeSetComponentInfo& client, const CodeSetComponentInfo& server,
                                 bool prefer_utf8) noexcept {
  CodeSetContext chosen;
  if (prefer_utf8 && knows(client.char_data, CodeSet::utf8) && knows(server.char_data, CodeSet::utf8)) {
    chosen.chars = CodeSet::utf8;
  } else {
    const Result<CodeSet> chars = negotiate(client.char_data, server.char_data, CodeSet::utf8);
    if (!chars) return chars.error();
    chosen.chars = *chars;
  }
  if (client.wchar_data.native == CodeSet::none || server.wchar_data.native == CodeSet::none) return chosen;
  const Result<CodeSet> wchars = negotiate(client.wchar_data, server.wchar_data, CodeSet::utf16);
  if (!wchars) return wchars.error();
  chosen.wchars = *wchars;
  return chosen;
}

bool supported_chars(CodeSet set) noexcept { return char_set(set) != nullptr && announced(set) == set; }
bool supported_wchars(CodeSet set) noexcept {
  return set == CodeSet::utf16 || set == CodeSet::ucs2 || set == CodeSet::ucs2_level3 || is_ucs4(set);
}

void put(Writer& to, const CodeSetComponentInfo& info) noexcept {
  put_component(to, info.char_data);
  put_component(to, info.wchar_data);
}

void put(Writer& to, const CodeSetContext& context) noexcept {
  to.put(static_cast<std::uint32_t>(context.chars));
  to.put(static_cast<std::uint32_t>(context.wchars));
}

Result<CodeSetComponentInfo> get_code_set_component(Reader& from) noexcept {
  CodeSetComponentInfo info;
  get_component(from, info.char_data);
  get_component(from, info.wchar_data);
  if (!from.good()) return from.error();
  return info;
}

Result<CodeSetContext> get_code_set_context(Reader& from) noexcept {
  CodeSetContext context;
  context.chars = static_cast<CodeSet>(from.get<std::uint32_t>());
  context.wchars = static_cast<CodeSet>(from.get<std::uint32_t>());
  if (!from.good()) return from.error();
  return context;
}

}  // namespace tenon::cdr
