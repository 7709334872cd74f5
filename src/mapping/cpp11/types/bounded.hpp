// SPDX-License-Identifier: Apache-2.0
//
// Bounded sequences and strings (IDL to C++11 1.6 §6.9, §6.13): types of their own, so that a bound can be told from the type and an Any
// gets the right TypeCode. They are std::vector and std::string with another name, and convert from and to them, moving where those would.
// The bound is not looked at before a value is sent: BAD_PARAM then.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace IDL {
inline namespace cpp11 {

template <typename T, std::uint32_t Bound>
class bounded_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  using std::vector<T>::operator=;
  bounded_vector() = default;
  bounded_vector(const std::vector<T>& values) : std::vector<T>(values) {}
  bounded_vector(std::vector<T>&& values) noexcept : std::vector<T>(std::move(values)) {}
};

template <typename Char, std::uint32_t Bound>
class bounded_basic_string : public std::basic_string<Char> {
 public:
  using std::basic_string<Char>::basic_string;
  using std::basic_string<Char>::operator=;
  bounded_basic_string() = default;
  bounded_basic_string(const std::basic_string<Char>& text) : std::basic_string<Char>(text) {}
  bounded_basic_string(std::basic_string<Char>&& text) noexcept : std::basic_string<Char>(std::move(text)) {}
};
template <std::uint32_t Bound>
using bounded_string = bounded_basic_string<char, Bound>;
template <std::uint32_t Bound>
using bounded_wstring = bounded_basic_string<wchar_t, Bound>;

}  // namespace cpp11
}  // namespace IDL
