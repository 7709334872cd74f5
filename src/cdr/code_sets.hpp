// SPDX-License-Identifier: Apache-2.0
//
// Code sets (CORBA 3.4 part 2 §7.10): converting text, choosing the transmission code sets, and the two
// encapsulated structures that carry them. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "cdr/wire_format.hpp"

namespace tenon::cdr {

class Reader;
class Writer;

// --- conversion ---

/// U+FEFF, in front of UTF-16 whose byte order it tells.
inline constexpr std::uint16_t byte_order_mark = 0xFEFF;

/// Converts char data. DATA_CONVERSION if a character has no place in `to`, if `text` is malformed, or if a
/// code set is unknown or of a part that the program does not have (text in ASCII passes between any two). `into` is replaced; NO_MEMORY if it cannot
/// grow.
Status convert_chars(CodeSet from, CodeSet to, std::string_view text, std::string& into) noexcept;

/// One char above ASCII from one code set to another: DATA_CONVERSION unless it is one octet in both.
Result<char> convert_char(CodeSet from, CodeSet to, char octet) noexcept;

/// The number of a wide character, whether wchar_t is signed or not.
constexpr std::uint32_t scalar_of(wchar_t character) noexcept {
  return static_cast<std::make_unsigned_t<wchar_t>>(character);
}

/// Where the native code set is UCS-2, each wchar_t is a unit of it, and surrogates may stand alone, as peers that use UCS-2 send them.
constexpr bool lone_surrogates(NativeCodeSets native) noexcept { return native.wchars == CodeSet::ucs2; }

/// Whether a number is a character of UCS-4 that fits into a wchar_t.
constexpr bool fits_ucs4(std::uint32_t number, NativeCodeSets native) noexcept {
  const bool surrogate = number >= 0xD800 && number <= 0xDFFF;
  const std::uint32_t last = sizeof(wchar_t) == 2 ? 0xFFFF : 0x10FFFF;
  return number <= last && (!surrogate || lone_surrogates(native));
}

/// How many 16-bit units a wide string takes in `set` (utf16 or ucs2). DATA_CONVERSION if a character has no
/// place in it.
Result<std::size_t> count_units(CodeSet set, std::wstring_view text, bool lone_surrogates = false) noexcept;
/// The units of one character: 1, or 2 for a pair of surrogates; 0 if it has no place in `set`.
unsigned encode_units(CodeSet set, wchar_t character, std::uint16_t (&units)[2],
                      bool lone_surrogates = false) noexcept;
/// Puts a unit behind the characters from `begin` to `end` where surrogates may be alone; in UTF-16 two that follow each other become one
/// character. The new end.
wchar_t* append_unit(CodeSet set, std::uint16_t unit, wchar_t* begin, wchar_t* end) noexcept;

/// Puts 16-bit units together into characters, one unit at a time.
class UnitDecoder {
 public:
  explicit UnitDecoder(CodeSet set) noexcept : set_(set) {}
  /// True when `out` holds a character; false if more is needed or the text is malformed (then bad()).
  bool put(std::uint16_t unit, wchar_t& out) noexcept;
  bool bad() const noexcept { return bad_; }
  /// Whether the text may end here.
  bool complete() const noexcept { return !bad_ && high_ == 0; }

 private:
  CodeSet set_;
  std::uint16_t high_ = 0;
  bool bad_ = false;
};

// --- negotiation ---

/// IDL CONV_FRAME::CodeSetComponent: what one kind of text is natively, and what it can be converted to, best
/// first.
struct CodeSetComponent {
  CodeSet native = CodeSet::none;
  std::vector<CodeSet> conversion;
  bool operator==(const CodeSetComponent&) const = default;
};

/// IDL CONV_FRAME::CodeSetComponentInfo, the body of the IOR component TAG_CODE_SETS.
struct CodeSetComponentInfo {
  CodeSetComponent char_data;
  CodeSetComponent wchar_data;
  bool operator==(const CodeSetComponentInfo&) const = default;
};

/// IDL CONV_FRAME::CodeSetContext, the body of the service context CodeSets: the chosen transmission code
/// sets.
struct CodeSetContext {
  CodeSet chars = CodeSet::iso8859_1;
  CodeSet wchars = CodeSet::none;
  bool operator==(const CodeSetContext&) const = default;
};

/// How many code sets of a component are read; there are some 300 in the registry. What a peer lists beyond that is passed over.
inline constexpr std::size_t most_code_sets = 512;

/// What this ORB announces for its native code sets: all others that it converts to and from.
/// A native set of chars that has no number in the registry is announced as UTF-8.
CodeSetComponentInfo announced_code_sets(NativeCodeSets native);

/// The standard's algorithm (§7.10.2.6) for one kind of text: no conversion, else the client converts, else
/// the server, else both by way of a common set, else the fall-back (UTF-8 or UTF-16). CODESET_INCOMPATIBLE
/// if the native sets share no repertoire.
Result<CodeSet> negotiate(const CodeSetComponent& client, const CodeSetComponent& server,
                          CodeSet fallback) noexcept;
/// Negotiates both kinds. For a server without wide characters wchars == none, which is no error until a wide
/// character is sent. `prefer_utf8`: chars go as UTF-8 if both sides know it, whatever their native sets.
Result<CodeSetContext> negotiate(const CodeSetComponentInfo& client, const CodeSetComponentInfo& server,
                                 bool prefer_utf8 = false) noexcept;

/// Whether text in this transmission code set can be read and written here (servers check the client's choice
/// with it).
bool supported_chars(CodeSet set) noexcept;
bool supported_wchars(CodeSet set) noexcept;

/// Whether wide text in this set is of 32-bit units, each of which is a character.
constexpr bool is_ucs4(CodeSet set) noexcept { return set >= CodeSet::ucs4 && set <= CodeSet::ucs4_level3; }

// --- CDR: the content of encapsulations, after the byte-order octet ---

void put(Writer& to, const CodeSetComponentInfo& info) noexcept;
void put(Writer& to, const CodeSetContext& context) noexcept;
Result<CodeSetComponentInfo> get_code_set_component(Reader& from) noexcept;
Result<CodeSetContext> get_code_set_context(Reader& from) noexcept;

}  // namespace tenon::cdr
