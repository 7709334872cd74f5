// SPDX-License-Identifier: Apache-2.0
//
// Parameters that the IDL file marks with @tenon::view: a servant sees the elements of a sequence where they lie in the request, and a stub
// takes them from memory of any kind. On the wire it is the sequence.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "cdr/view.hpp"
#include "mapping/cpp11/types/codec.hpp"

namespace tenon::gen {

/// The parameter in the frame of its upcall. C and Bound as in Sequence; C is the codec of a primitive. The elements lie in the request if
/// they can be used there (cdr::view()), else in memory of this object. So they are there until the upcall has returned, on whichever
/// thread they are read. Code that takes the call out of its upcall (IncomingCall::take()) reads the arguments of the call that it has
/// taken, by a View of its own: they are there as long as both, until the reply is sent if need be.
template <typename C, std::uint32_t Bound = 0>
class View {
 public:
  using element = typename C::value_type;

  static void put(cdr::Writer& out, std::span<const element> elements) noexcept {
    static_assert(!std::is_same_v<element, bool>, "stubs take booleans as std::vector<bool>");
    if (Bound != 0 && elements.size() > Bound) return out.fail_over_bound(elements.size(), Bound);
    out.put_length(elements.size());
    out.put_array(elements.data(), elements.size());
  }

  /// Reads the parameter. What is wrong with it stays in the reader, and it has no elements then.
  explicit View(cdr::Reader& in) noexcept {
    const std::size_t count = in.get_length(C::smallest, Bound);
    if (count == 0) return;
    const element* first = cdr::view<element>(in, count);
    if (first == nullptr) [[unlikely]] {
      if constexpr (std::is_same_v<element, bool>) {
        first = cdr::copy_booleans(in, count, copy_);
      } else {
        in.get_vector(copy_, count);
        first = copy_.data();
      }
      if (!in.good()) return;
    }
    elements_ = {first, count};
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  std::span<const element> elements() const noexcept { return elements_; }

 private:
  std::span<const element> elements_;
  std::vector<std::conditional_t<std::is_same_v<element, bool>, std::uint8_t, element>> copy_;
};

/// The same for a sequence of structs whose first member is aligned to `First`; C is the struct's codec. They are seen in the request if
/// they are a cdr::Block, and if no padding is missing behind the last one.
template <std::uint32_t First, typename C, std::uint32_t Bound = 0>
class StructView {
 public:
  using element = typename C::value_type;

  static void put(cdr::Writer& out, std::span<const element> elements) noexcept {
    if (Bound != 0 && elements.size() > Bound) return out.fail_over_bound(elements.size(), Bound);
    out.put_length(elements.size());
    if constexpr (BlockCodec<C>) {
      BlockRun<C>::put(out, elements.data(), elements.size());
    } else {
      for (const element& one : elements) C::put(out, one);
    }
  }

  explicit StructView(cdr::Reader& in) {
    const std::size_t count = in.get_length(C::smallest, Bound);
    if constexpr (BlockCodec<C>) {
      if (const std::uint8_t* first = cdr::view_blocks(in, C::block, First, count)) {
        elements_ = {reinterpret_cast<const element*>(first), count};
        return;
      }
      BlockRun<C>::get_vector(in, copy_, count);
    } else {
      for (std::size_t i = 0; i < count && in.good(); ++i) C::get(in, copy_.emplace_back());
    }
    if (in.good()) elements_ = copy_;
  }
  StructView(const StructView&) = delete;
  StructView& operator=(const StructView&) = delete;

  std::span<const element> elements() const noexcept { return elements_; }

 private:
  std::span<const element> elements_;
  std::vector<element> copy_;
};

}  // namespace tenon::gen
