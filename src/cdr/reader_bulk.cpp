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
#include "cdr/compatibility.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"

namespace tenon::cdr {
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
      copy_octets(into, cur_, here * size);
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
    copy_octets(to, octets.data(), count);
  } else if (!copy_ascii(to, octets.data(), count)) {
    for (std::size_t i = 0; i < count && good(); ++i)
      into[i] = octets[i] < 0x80 ? static_cast<char>(octets[i]) : get_converted_char(octets[i]);
    if (!good()) std::memset(into, 0, count);
  }
}

template <typename T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, wchar_t> &&
           !std::is_same_v<T, long double>)
void Reader::get_vector(std::vector<T>& into, std::size_t count) noexcept {
  // Never allocate for data that is not there, whether or not the caller has used get_length().
  if (count > ahead() / sizeof(T)) fail(errors::out_of_data);
  if (!good() || count == 0) {
    into.clear();
    return;
  }
  if (T* const values = make_room(into, count)) [[likely]] {
    get_array(values, count);
  } else {
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
  const bool all_good = octets.empty() || are_booleans(octets.data(), count);
  if (count == 0) return;
  if (!all_good && is_on(compatibility().any_octet_is_boolean)) {
    for (std::size_t i = 0; i < count; ++i) into[i] = octets[i] != 0;
    return;
  }
  if (!all_good) fail(errors::bad_boolean);
  if (good()) {
    copy_octets(into, octets.data(), count);
  } else {
    std::memset(into, 0, count);
  }
}

void Reader::get_booleans(std::vector<bool>& into, std::size_t count) noexcept {
  if (count > into.capacity()) take_memory();
  const ByteView octets = get_octets(count);
  if (good() && !make_room(into, count)) fail(errors::out_of_memory);
  if (!good()) return into.clear();
  bool all_good = true;
  std::size_t done = 0;
#if defined(__GLIBCXX__)
  // As in Writer::put_booleans: whole octets of the library's own representation.
  if constexpr (native_order == ByteOrder::little) {
    if (count >= 8) {
      all_good = pack_booleans(reinterpret_cast<std::uint8_t*>(into.begin()._M_p), octets.data(), count / 8);
      done = count / 8 * 8;
    }
  }
#endif
  for (; done < count; ++done) {
    all_good = all_good && octets[done] <= 1;
    into[done] = octets[done] != 0;
  }
  if (!all_good && is_on(compatibility().any_octet_is_boolean)) {
    for (std::size_t i = 0; i < count; ++i) into[i] = octets[i] != 0;
    return;
  }
  if (!all_good) {
    into.clear();
    fail(errors::bad_boolean);
  }
}

long double Reader::get_long_double() noexcept {
  // CDR §9.3.1.3: 16 octets, aligned to 8. GIOP 1.1 fragments may break what is larger than 8 octets (§9.4.9).
  align(8);
  const ByteView octets = get_octets(16);
  if (octets.size() != 16) return 0;
  const auto first = load<std::uint64_t>(octets.data(), swap_);
  const auto second = load<std::uint64_t>(octets.data() + 8, swap_);
  const bool big = format_.order == ByteOrder::big;
  const Binary128 halves = big ? Binary128{first, second} : Binary128{second, first};
  return from_binary128(is_on(compatibility().x87_long_double) ? from_x87(halves) : halves);
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
