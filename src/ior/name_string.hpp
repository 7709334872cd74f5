// SPDX-License-Identifier: Apache-2.0
//
// Stringified names of the Naming Service (Interoperable Naming Service; CORBA 3.4 part 2 §7.6.10, Naming 1.3 §2.4): components
// separated by '/', id and kind by '.', and '\' before any of the three when it is meant literally. No state.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/minor_codes.hpp"

namespace tenon::ior {

struct NameComponent {
  std::string id;
  std::string kind;
  bool operator==(const NameComponent&) const = default;
};

/// Why a text was refused: where (octets from its start), and what would be right. For people.
struct UrlError {
  std::size_t position = 0;
  const char* text = "";   ///< one of the constants of those who read
  bool no_memory = false;  ///< the text may be right, but there is no memory for what it says

  static UrlError without_memory() { return {0, "there is no memory for it", true}; }
  /// The same error in a text that has `by` more characters in front.
  UrlError moved(std::size_t by) const { return {position + by, text, no_memory}; }
  /// What a caller is told: NO_MEMORY, or that the text is refused, as `refused` says.
  Error as(const Error& refused) const noexcept { return no_memory ? errors::out_of_memory : refused; }
};

/// A value or the reason why there is none.
template <typename T>
class [[nodiscard]] Parsed {
 public:
  Parsed(T value) : value_(std::in_place_index<0>, std::move(value)) {}
  Parsed(UrlError error) : value_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const noexcept { return value_.index() == 0; }
  T& operator*() noexcept { return *std::get_if<0>(&value_); }
  const T& operator*() const noexcept { return *std::get_if<0>(&value_); }
  T* operator->() noexcept { return std::get_if<0>(&value_); }
  const T* operator->() const noexcept { return std::get_if<0>(&value_); }
  /// Requires that there is no value.
  const UrlError& error() const noexcept { return *std::get_if<1>(&value_); }

 private:
  std::variant<T, UrlError> value_;
};

/// The empty text is the empty name: the naming context itself. Refused: empty components ("a//b"; "." is one with empty id and
/// kind), a dot that ends a component ("a."), two dots in one, and '\' before anything else.
Parsed<std::vector<NameComponent>> parse_name(std::string_view text);
/// Empty: it is the empty name, or there is no memory.
std::string to_text(const std::vector<NameComponent>& name);

}  // namespace tenon::ior
