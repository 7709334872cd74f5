// SPDX-License-Identifier: Apache-2.0
//
// The reader's bulk paths: whole arrays and vectors at the price of one pass, and the primitives that are not
// plain words.
#include <algorithm>
#include <cstring>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "cdr/binary128.hpp"
#include "cdr/byte_ops.hpp"
#include "cdr/reader.hpp"

namespace tenon::cdr {
namespace {

/// Fresh memory is filled in pieces that stay in the first-level cache, so that it is touched once.
constexpr std::size_t piece_bytes = 4096;

}  // namespace

/// Segment by segment; whole elements only, because an element never splits.
void Reader::get_elements(std::uint8_t* into, std::size_t count, std::size_t size) noexcept {
  while (count > 0) {
    const std::size_t pad = padding(size);
    const auto left = static_cast<std::size_t>(end_ - cur_);
    if (left < pad + size) {
      if (next_segment()) continue;
      fail(errors::out_of_data);
      std::memset(into, 0, count * size);
      return;
    }
    const std::size_t here = std::min(count, (left - pad) / size);
    cur_ += pad;
    if (swap_ && size > 1) {
      copy_swapped(into, cur_, here, size);
    } else {
      std::memcpy(into, cur_, here * size);
    }
    cur_ += here * size;
    into += here * size;
    count -= here;
  }
}

void Reader::get_chars(char* into, std::size_t count) noexcept {
  const ByteView octets = get_octets(count);
  if (octets.empty()) {
    if (count != 0) std::memset(into, 0, count);
    return;
  }
  auto* to = reinterpret_cast<std::uint8_t*>(into);
  if (plain_chars_) {
    std::memcpy(to, octets.data(), count);
  } else if (!copy_ascii(to, octets.data(), count)) {
    std::memset(into, 0, count);
    fail(errors::char_not_in_code_set);
  }
}

/// Appends elements through a small aligned piece: of swapped bytes, or of bytes at an address that T may not
/// have.
template <typename T>
void Reader::append_swapped(std::vector<T>& into, std::size_t count) {
  alignas(64) T piece[piece_bytes / sizeof(T)];
  while (count > 0) {
    const std::size_t now = std::min(count, std::size(piece));
    get_elements(reinterpret_cast<std::uint8_t*>(piece), now, sizeof(T));
    if (!good()) return;
    into.insert(into.end(), piece, piece + now);
    count -= now;
  }
}

template <typename T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, wchar_t> &&
           !std::is_same_v<T, long double>)
void Reader::get_vector(std::vector<T>& into, std::size_t count) noexcept {
  // Never allocate for what is not there, whatever the caller did with get_length().
  if (count > ahead() / sizeof(T)) fail(errors::out_of_data);
  if (!good() || count == 0) {
    into.clear();
    return;
  }
  try {
    if (into.size() >= count) {
      into.resize(count);
      get_array(into.data(), count);
    } else if constexpr (std::is_same_v<T, char>) {
      const std::uint8_t* octets = get_octets(count).data();
      if (!plain_chars_ && !is_ascii(octets, count)) {
        fail(errors::char_not_in_code_set);
      } else {
        const auto* values =
            reinterpret_cast<const char*>(octets);  // assign is a block copy only of the same type
        into.assign(values, values + count);
      }
    } else {
      align(sizeof(T));
      const bool whole = static_cast<std::size_t>(end_ - cur_) / sizeof(T) >= count;
      if (whole && (!swap_ || sizeof(T) == 1) && reinterpret_cast<std::uintptr_t>(cur_) % alignof(T) == 0) {
        const auto* values = reinterpret_cast<const T*>(cur_);
        cur_ += count * sizeof(T);
        into.assign(values, values + count);
      } else {
        into.clear();
        into.reserve(count);
        append_swapped(into, count);
      }
    }
  } catch (...) {
    fail(errors::out_of_memory);
  }
  if (!good()) into.clear();
}

template void Reader::get_vector(std::vector<char>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<signed char>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<unsigned char>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<short>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<unsigned short>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<int>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<unsigned int>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<long>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<unsigned long>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<long long>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<unsigned long long>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<float>&, std::size_t) noexcept;
template void Reader::get_vector(std::vector<double>&, std::size_t) noexcept;

void Reader::get_boolean_array(bool* into, std::size_t count) noexcept {
  static_assert(sizeof(bool) == 1);
  const ByteView octets = get_octets(count);
  if (!octets.empty() && !are_booleans(octets.data(), count)) fail(errors::bad_boolean);
  if (count == 0) return;
  if (good()) {
    std::memcpy(into, octets.data(), count);
  } else {
    std::memset(into, 0, count);
  }
}

void Reader::get_booleans(std::vector<bool>& into, std::size_t count) noexcept {
  const ByteView octets = get_octets(count);
  if (!octets.empty() && !are_booleans(octets.data(), count)) fail(errors::bad_boolean);
  try {
    into.clear();
    if (!good()) return;
    into.resize(count);
  } catch (...) {
    fail(errors::out_of_memory);
    return;
  }
  std::size_t done = 0;
#if defined(__GLIBCXX__)
  // As in Writer::put_booleans: whole words of the library's own representation.
  auto* word = into.begin()._M_p;
  constexpr std::size_t per_word = sizeof(*word) * 8;
  for (; count - done >= per_word; done += per_word, ++word) {
    std::uint64_t bits = 0;
    for (std::size_t octet = 0; octet < per_word / 8; ++octet) {
      bits |= std::uint64_t{pack_booleans(octets.data() + done + octet * 8)} << (octet * 8);
    }
    *word = static_cast<std::remove_reference_t<decltype(*word)>>(bits);
  }
#endif
  for (; done < count; ++done) into[done] = octets[done] != 0;
}

long double Reader::get_long_double() noexcept {
  // CDR §9.3.1.3: 16 octets, aligned to 8. GIOP 1.1 fragments may break what is larger than 8 octets (§9.4.9).
  align(8);
  const ByteView octets = get_octets(16);
  if (octets.size() != 16) return 0;
  const auto first = load<std::uint64_t>(octets.data(), swap_);
  const auto second = load<std::uint64_t>(octets.data() + 8, swap_);
  const bool big = format_.order == ByteOrder::big;
  return from_binary128(big ? Binary128{first, second} : Binary128{second, first});
}

void Reader::get_fixed(Fixed& into, unsigned digits, unsigned scale) noexcept {
  const ByteView octets = get_octets(Fixed::octets(digits));
  into = Fixed();
  if (!good()) return;
  const Result<Fixed> value = Fixed::from_bcd(octets.data(), digits, scale);
  if (value) {
    into = *value;
  } else {
    fail(value.error());
  }
}

}  // namespace tenon::cdr
