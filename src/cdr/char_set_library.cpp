// SPDX-License-Identifier: Apache-2.0
//
// What use_char_sets() switches on: all other sets, by iconv of the C library (decision 39). Only sets of which every ASCII octet by itself
// is that character, since text in ASCII passes unconverted everywhere.
//
// Threads: any; each has its own open converters.
#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/minor_codes.hpp"
#include "cdr/char_sets.hpp"
#include "cdr/value_memory.hpp"

namespace tenon::cdr {
namespace {

constexpr CodeSet ours(std::uint32_t number) { return CodeSet{not_registered_sets | number}; }

// Numbers are those of the OSF Character and Code Set Registry 1.2g. EBCDIC and stateful sets (ISO-2022) are left out: see the header.
constexpr CharSet sets[] = {
    {CodeSet{0x00010002}, "ISO-8859-2", true, "iso88592 latin2 l2"},
    {CodeSet{0x00010003}, "ISO-8859-3", true, "iso88593 latin3 l3"},
    {CodeSet{0x00010004}, "ISO-8859-4", true, "iso88594 latin4 l4"},
    {CodeSet{0x00010005}, "ISO-8859-5", true, "iso88595 cyrillic"},
    {CodeSet{0x00010006}, "ISO-8859-6", true, "iso88596 arabic"},
    {CodeSet{0x00010007}, "ISO-8859-7", true, "iso88597 greek"},
    {CodeSet{0x00010008}, "ISO-8859-8", true, "iso88598 hebrew"},
    {CodeSet{0x00010009}, "ISO-8859-9", true, "iso88599 latin5 l5"},
    {CodeSet{0x0001000A}, "ISO-8859-10", true, "iso885910 latin6 l6"},
    {ours(13), "ISO-8859-13", true, "iso885913 latin7 l7"},
    {ours(14), "ISO-8859-14", true, "iso885914 latin8 l8"},
    {CodeSet{0x0001000F}, "ISO-8859-15", true, "iso885915 latin9 l9"},
    {ours(16), "ISO-8859-16", true, "iso885916 latin10 l10"},
    {CodeSet{0x100204E2}, "CP1250", true, "windows1250 win1250 cp1250 ibm1250 1250"},
    {CodeSet{0x100204E3}, "CP1251", true, "windows1251 win1251 cp1251 ibm1251 1251"},
    {CodeSet{0x100204E4}, "CP1252", true, "windows1252 win1252 cp1252 ibm1252 1252"},
    {CodeSet{0x100204E5}, "CP1253", true, "windows1253 win1253 cp1253 ibm1253 1253"},
    {CodeSet{0x100204E6}, "CP1254", true, "windows1254 win1254 cp1254 ibm1254 1254"},
    {CodeSet{0x100204E7}, "CP1255", true, "windows1255 win1255 cp1255 ibm1255 1255"},
    {CodeSet{0x100204E8}, "CP1256", true, "windows1256 win1256 cp1256 ibm1256 1256"},
    {CodeSet{0x100204E9}, "CP1257", true, "windows1257 win1257 cp1257 ibm1257 1257"},
    {ours(1258), "CP1258", true, "windows1258 win1258 cp1258 1258"},
    {CodeSet{0x100201B5}, "IBM437", true, "ibm437 cp437 437"},
    {CodeSet{0x10020352}, "IBM850", true, "ibm850 cp850 850"},
    {CodeSet{0x10020354}, "IBM852", true, "ibm852 cp852 852"},
    {CodeSet{0x10020357}, "IBM855", true, "ibm855 cp855 855"},
    {CodeSet{0x10020359}, "IBM857", true, "ibm857 cp857 857"},
    {CodeSet{0x10020362}, "IBM866", true, "ibm866 cp866 866"},
    {ours(1), "KOI8-R", true, "koi8r koi8"},
    {ours(2), "KOI8-U", true, "koi8u"},
    {CodeSet{0x000B0001}, "TIS-620", true, "tis620 tis6202529"},
    {CodeSet{0x00030010}, "EUC-JP", false, "eucjp ujis"},
    {CodeSet{0x05000011}, "SHIFT_JIS", false, "shiftjis sjis mskanji"},
    {CodeSet{0x0004000A}, "EUC-KR", false, "euckr"},
    {CodeSet{0x00050010}, "EUC-TW", false, "euctw"},
    {CodeSet{0x10020567}, "EUC-CN", false, "euccn gb2312"},
    {ours(3), "BIG5", false, "big5"},
    {ours(4), "GBK", false, "gbk cp936"},
    {ours(5), "GB18030", false, "gb18030"},
};

bool is_letter_or_digit(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether `name`, without punctuation and in lower case, is the word.
bool is_called(std::string_view name, std::string_view word) noexcept {
  for (const char c : name) {
    if (!is_letter_or_digit(c)) continue;
    if (word.empty() || word.front() != lower(c)) return false;
    word.remove_prefix(1);
  }
  return word.empty();
}

const CharSet* named(std::span<const CharSet> among, std::string_view name) noexcept {
  for (const CharSet& set : among) {
    std::string_view left = set.aliases;
    while (!left.empty()) {
      const std::size_t end = std::min(left.find(' '), left.size());
      if (is_called(name, left.substr(0, end))) return &set;
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
  return nullptr;
}

/// An open converter; one thread at a time.
class Converter {
 public:
  Converter() noexcept = default;
  Converter(const char* from, const char* to) noexcept : made_(iconv_open(to, from)) {}
  Converter(Converter&& other) noexcept : made_(std::exchange(other.made_, none())) {}
  Converter& operator=(Converter&& other) noexcept {
    std::swap(made_, other.made_);
    return *this;
  }
  ~Converter() {
    if (is_open()) iconv_close(made_);
  }
  bool is_open() const noexcept { return made_ != none(); }

  enum class End : std::uint8_t {
    all,  ///< is converted
    bad,  ///< it is malformed, or a character has no place
    no_memory,
  };
  /// Appends `text`.
  End run(std::string_view text, std::string& into) noexcept {
    iconv(made_, nullptr, nullptr, nullptr, nullptr);
    // iconv does not write to what it reads.
    char* from = const_cast<char*>(text.data());
    std::size_t left = text.size();
    while (left != 0) {
      std::array<char, 1024> part{};
      char* to = part.data();
      std::size_t room = part.size();
      const std::size_t done = iconv(made_, &from, &left, &to, &room);
      const bool more = done == static_cast<std::size_t>(-1) && errno == E2BIG;
      if (!append(into, {part.data(), static_cast<std::size_t>(to - part.data())})) return End::no_memory;
      // More than 0: characters were replaced by others that are similar.
      if (!more && done != 0) return End::bad;
    }
    return End::all;
  }

 private:
  static iconv_t none() noexcept {
    return reinterpret_cast<iconv_t>(std::intptr_t{-1});
  }  // NOLINT(performance-no-int-to-ptr)
  iconv_t made_ = none();
};

/// A thread's converters: opening one takes longer than converting some text.
class Converters {
 public:
  Converter& get(const char* from, const char* to) {
    for (One& one : ones_) {
      if (one.from == from && one.to == to && one.converter.is_open()) return one.converter;
    }
    One& next = ones_[next_++ % ones_.size()];
    next = {from, to, Converter(from, to)};
    return next.converter;
  }

 private:
  struct One {
    const char* from = nullptr;
    const char* to = nullptr;
    Converter converter;
  };
  std::array<One, 8> ones_;
  std::size_t next_ = 0;
};

}  // namespace

const CharSet* find_char_set(std::string_view name) noexcept {
  const CharSet* found = named(own_char_sets(), name);
  return found != nullptr ? found : named(sets, name);
}

bool can_convert(const CharSet& set) noexcept {
  if (set.id == CodeSet::utf8 || set.id == CodeSet::iso8859_1) return true;  // by our own code
  return Converter(set.name, "UTF-8").is_open() && Converter("UTF-8", set.name).is_open();
}

namespace {

const CharSet* library_set(CodeSet id) noexcept {
  const auto* const found =
      std::find_if(std::begin(sets), std::end(sets), [id](const CharSet& set) { return set.id == id; });
  return found != std::end(sets) ? found : nullptr;
}

Status convert_by_library(CodeSet from, CodeSet to, std::string_view text, std::string& into) noexcept {
  const CharSet* const from_set = char_set(from);
  const CharSet* const to_set = char_set(to);
  if (from_set == nullptr || to_set == nullptr) return errors::char_not_in_code_set;
  thread_local Converters converters;
  Converter& converter = converters.get(from_set->name, to_set->name);
  if (!converter.is_open()) return errno == ENOMEM ? errors::out_of_memory : errors::code_set_not_supported;
  using End = Converter::End;
  End end = converter.run(text, into);
  if (end == End::all) return {};
  // Which of the two it was, iconv does not say: text that becomes UTF-8 was well formed.
  std::string unicode;
  Converter check(from_set->name, "UTF-8");
  const bool checks = end == End::bad && to != CodeSet::utf8 && check.is_open();
  if (checks) end = check.run(text, unicode);
  if (end == End::no_memory) return errors::out_of_memory;
  return checks && end == End::all ? errors::char_not_in_code_set : errors::malformed_chars;
}

constexpr MoreCharSets char_set_library{.find = library_set, .convert = convert_by_library};

}  // namespace

void use_char_sets() noexcept { more_char_sets.store(&char_set_library, std::memory_order_relaxed); }

}  // namespace tenon::cdr
