// SPDX-License-Identifier: Apache-2.0
//
// The C++ library has std::string compiled, but its headers use that only up to C++17: in C++20 each program gets its own copy of what it
// uses. This says which functions are in the library already (as <bits/basic_string.tcc> says up to C++17), so that a small program calls
// those. They are all exported by libstdc++ since GCC 5. The preset `minimal` has each source include it; nothing else depends on it.
#pragma once

#include <string>

#if defined(__GLIBCXX__) && _GLIBCXX_USE_CXX11_ABI
namespace std {
inline namespace __cxx11 {
#define TENON_IN_LIBRARY(Char)                                                                             \
  extern template basic_string<Char>::basic_string(const basic_string&);                                   \
  extern template basic_string<Char>::basic_string(basic_string&&) noexcept;                               \
  extern template basic_string<Char>::basic_string(const Char*, size_t, const allocator<Char>&);           \
  extern template basic_string<Char>& basic_string<Char>::operator=(basic_string&&);                       \
  extern template basic_string<Char>& basic_string<Char>::operator=(const Char*);                          \
  extern template basic_string<Char>& basic_string<Char>::operator+=(const basic_string&);                 \
  extern template basic_string<Char>& basic_string<Char>::operator+=(const Char*);                         \
  extern template basic_string<Char>& basic_string<Char>::append(const basic_string&);                     \
  extern template basic_string<Char>& basic_string<Char>::append(const Char*);                             \
  extern template basic_string<Char>& basic_string<Char>::append(const Char*, size_t);                     \
  extern template basic_string<Char>& basic_string<Char>::append(size_t, Char);                            \
  extern template basic_string<Char>& basic_string<Char>::replace(size_t, size_t, const Char*, size_t);    \
  extern template void basic_string<Char>::push_back(Char);                                                \
  extern template void basic_string<Char>::resize(size_t);                                                 \
  extern template void basic_string<Char>::reserve(size_t);                                                \
  extern template void basic_string<Char>::swap(basic_string&);                                            \
  extern template size_t basic_string<Char>::find(const Char*, size_t) const;                              \
  extern template size_t basic_string<Char>::find(Char, size_t) const noexcept;                            \
  extern template int basic_string<Char>::compare(const Char*) const;                                      \
  extern template Char* basic_string<Char>::_M_create(size_t&, size_t);                                    \
  extern template void basic_string<Char>::_M_construct(size_t, Char);                                     \
  extern template void basic_string<Char>::_M_construct(const Char*, const Char*, forward_iterator_tag);   \
  extern template void basic_string<Char>::_M_assign(const basic_string&);                                 \
  extern template void basic_string<Char>::_M_mutate(size_t, size_t, const Char*, size_t);                 \
  extern template void basic_string<Char>::_M_erase(size_t, size_t);                                       \
  extern template basic_string<Char>& basic_string<Char>::_M_append(const Char*, size_t);                  \
  extern template basic_string<Char>& basic_string<Char>::_M_replace(size_t, size_t, const Char*, size_t); \
  extern template basic_string<Char>& basic_string<Char>::_M_replace_aux(size_t, size_t, size_t, Char);

TENON_IN_LIBRARY(char)
TENON_IN_LIBRARY(wchar_t)
#undef TENON_IN_LIBRARY
}  // namespace __cxx11

extern template string operator+(const char*, const string&);
extern template string operator+(const string&, const string&);
}  // namespace std
#endif
