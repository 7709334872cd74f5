// SPDX-License-Identifier: Apache-2.0
#include "cdr/view.hpp"

#include "base/minor_codes.hpp"
#include "cdr/byte_ops.hpp"
#include "cdr/enumerations.hpp"
#include "cdr/value_memory.hpp"

namespace tenon::cdr {

namespace {

/// The next octets. A message has them in one piece also where it came in fragments.
ByteView next_octets(const Reader& in, std::size_t count) noexcept {
  return count <= in.remaining() ? in.rest().first(count) : ByteView();
}

}  // namespace

const std::uint8_t* view_numbers(Reader& in, std::size_t count, std::size_t size) noexcept {
  if (count == 0 || count > in.remaining() / size) return nullptr;
  if (size == 1) return in.get_octets(count).data();
  // Fragments of GIOP 1.1 have padding where the next one begins.
  if (!in.block_readable()) return nullptr;
  const std::size_t pad = padding_to(in.phase(), size);
  const std::size_t bytes = count * size;
  if (in.remaining() - bytes < pad) return nullptr;
  const std::uint8_t* const first = in.rest().data() + pad;
  if (reinterpret_cast<std::uintptr_t>(first) % size != 0) return nullptr;
  in.skip(pad + bytes);
  return first;
}

const std::uint8_t* view_characters(Reader& in, std::size_t count) noexcept {
  // As in Reader::set_format: only then is every octet a character.
  const bool plain =
      in.format().chars == CodeSet::iso8859_1 && in.format().native.chars == CodeSet::iso8859_1;
  const ByteView octets = next_octets(in, count);
  if (octets.empty() || (!plain && !is_ascii(octets.data(), count))) return nullptr;
  return in.get_octets(count).data();
}

const std::uint8_t* view_booleans(Reader& in, std::size_t count) noexcept {
  const ByteView octets = next_octets(in, count);
  if (octets.empty() || !are_booleans(octets.data(), count)) return nullptr;
  return in.get_octets(count).data();
}

const std::uint8_t* view_blocks(Reader& in, const Block& block, std::size_t first,
                                std::size_t count) noexcept {
  if (count == 0 || count > in.remaining() / block.size || !in.block_readable()) return nullptr;
  const std::size_t pad = padding_to(in.phase(), first);
  // Elsewhere the first of them is laid out in another way.
  if (padding_to(in.phase() + pad, block.align) != 0) return nullptr;
  const std::size_t bytes = count * block.size;
  if (in.remaining() - bytes < pad) return nullptr;
  const std::uint8_t* const begin = in.rest().data() + pad;
  if (reinterpret_cast<std::uintptr_t>(begin) % block.align != 0 ||
      !check_blocks(block, begin, count, plain_chars(in.format())) ||
      !check_enumerations(block, begin, count)) {
    return nullptr;
  }
  in.skip(pad + bytes);
  return begin;
}

const bool* copy_booleans(Reader& in, std::size_t count, std::vector<std::uint8_t>& into) noexcept {
  if (count > in.ahead()) in.fail(errors::out_of_data);
  if (!in.good() || count == 0) return nullptr;
  auto* const booleans = reinterpret_cast<bool*>(make_room(into, count));
  if (booleans == nullptr) {
    in.fail(errors::out_of_memory);
    return nullptr;
  }
  in.get_boolean_array(booleans, count);
  return in.good() ? booleans : nullptr;
}

}  // namespace tenon::cdr
