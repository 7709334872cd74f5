// SPDX-License-Identifier: Apache-2.0
//
// Sentences for people. The layers return numbers; what these mean is text that only a program with tenon::parts::texts has.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace tenon {

class Trail;
struct Try;

/// describe() and text() say from now on what minor codes mean, and exceptions how far something was over its bound and what a call tried.
/// For good, in the whole process; any thread.
void use_texts() noexcept;

/// What use_texts() sets.
struct Texts {
  std::string_view (*meaning)(
      const Error& error) noexcept;           ///< of a minor code; static text, empty if it is not known
  std::string (*excess)(const Error& error);  ///< take_over_bound()
  std::string (*attempt)(const Try& each);    ///< text() of trail.hpp
  std::string (*trail)(const Trail& trail);   ///< text() of trail.hpp
};

namespace texts_detail {
extern std::atomic<const Texts*> texts;
}

/// Null: this program has none.
inline const Texts* texts() noexcept { return texts_detail::texts.load(std::memory_order_relaxed); }

}  // namespace tenon
