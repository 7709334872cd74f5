// SPDX-License-Identifier: Apache-2.0
//
// What minor codes mean, packed, since it is a tenth of a small program's octets otherwise. The rows as data are minor_codes.cpp's, which
// only tools and tests link.
#include "base/texts.hpp"

#include <iterator>

#include "base/minor_codes.hpp"
#include "base/over_bound.hpp"
#include "base/packed_text.hpp"
#include "base/trail.hpp"

namespace tenon {
namespace {

constexpr std::uint16_t of_tenon = 0x8000;

/// The number of a minor code and whose it is; 0xFFFF: neither the standard's nor ours.
constexpr std::uint16_t short_code(std::uint32_t minor) noexcept {
  const std::uint32_t vendor = minor & 0xFFFFF000;
  const auto number = static_cast<std::uint16_t>(minor & 0xFFF);
  if (vendor == tenon_vmcid) return number | of_tenon;
  return vendor == omg_vmcid ? number : std::uint16_t{0xFFFF};
}

#define TENON_OMG_CODE(constant, exception, code, text, clause) short_code(omg_vmcid | (code)),
#define TENON_VENDOR_CODE(constant, exception, code, text, clause) short_code(tenon_vmcid | (code)),
#define TENON_EXCEPTION(constant, exception, code, text, clause) SystemException::exception,
#define TENON_TEXT(constant, exception, code, text, clause) text,
// NOLINTNEXTLINE(bugprone-macro-parentheses): a term of a sum
#define TENON_TEXT_SIZE(constant, exception, code, text, clause) +sizeof(text)

constexpr std::uint16_t codes[] = {TENON_OMG_MINOR_CODES(TENON_OMG_CODE)
                                       TENON_VENDOR_MINOR_CODES(TENON_VENDOR_CODE)};
constexpr SystemException exceptions[] = {TENON_OMG_MINOR_CODES(TENON_EXCEPTION)
                                              TENON_VENDOR_MINOR_CODES(TENON_EXCEPTION)};
// NOLINTBEGIN(bugprone-suspicious-missing-comma): long texts are of several literals
constexpr std::string_view written_meanings[] = {TENON_OMG_MINOR_CODES(TENON_TEXT)
                                                     TENON_VENDOR_MINOR_CODES(TENON_TEXT)};
// NOLINTEND(bugprone-suspicious-missing-comma)
constexpr auto packed_meanings = pack_all<written_meanings>();
constexpr std::size_t meanings_size =
    0 TENON_OMG_MINOR_CODES(TENON_TEXT_SIZE) TENON_VENDOR_MINOR_CODES(TENON_TEXT_SIZE);

#undef TENON_OMG_CODE
#undef TENON_VENDOR_CODE
#undef TENON_EXCEPTION
#undef TENON_TEXT
#undef TENON_TEXT_SIZE

/// All of them, each with a NUL behind it: unpacked when one is asked for the first time, without the heap.
const char* all_meanings() noexcept {
  static char meanings[meanings_size];
  static const bool done = [] {
    char* end = meanings;
    const char* from = packed_meanings.octets;
    for (std::size_t i = 0; i < std::size(codes); ++i, from = packed_at(from, 1)) end = unpack(from, end) + 1;
    return true;
  }();
  static_cast<void>(done);
  return meanings;
}

std::string_view meaning(const Error& error) noexcept {
  const std::uint16_t code = short_code(error.minor);
  for (std::size_t i = 0; i < std::size(codes); ++i) {
    if (codes[i] == code && exceptions[i] == error.id) return packed_at(all_meanings(), i);
  }
  return {};
}

constexpr Texts all_texts{.meaning = meaning, .excess = take_over_bound, .attempt = text, .trail = text};

}  // namespace

void use_texts() noexcept { texts_detail::texts.store(&all_texts, std::memory_order_relaxed); }

}  // namespace tenon
