// SPDX-License-Identifier: Apache-2.0
//
// Lifetimes of values whose type is a program: what construct(), destroy(), copy(), equal() and decoding share.
// One thread at a time per value.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "marshal/forms.hpp"
#include "marshal/program.hpp"

namespace tenon::marshal {

using Strings = std::vector<std::string>;
using Booleans = std::vector<bool>;

template <typename T>
T& as(std::byte* at) noexcept {
  return *std::launder(reinterpret_cast<T*>(at));
}
template <typename T>
const T& as(const std::byte* at) noexcept {
  return *std::launder(reinterpret_cast<const T*>(at));
}

/// The same as construct() and destroy(), for the type whose first word `type` points to.
void construct_at(const Unit& unit, const Word* type, std::byte* memory);
void destroy_at(const Unit& unit, const Word* type, std::byte* memory) noexcept;

/// A union of the engine's own memory, instruction `at`: ends the member that is there and makes the one that the discriminator
/// selects; null when it selects none.
void* select_member(const Unit& unit, const Word* at, std::byte* memory, std::uint64_t label);

/// A temporary value. Its memory is always from the heap, whatever its size.
class Temporary {
 public:
  Temporary(const Unit& unit, const Word* type)
      : unit_(unit), type_(type), memory_(std::make_unique_for_overwrite<std::byte[]>(size_of(*type))) {
    construct_at(unit_, type_, memory_.get());
  }
  ~Temporary() { destroy_at(unit_, type_, memory_.get()); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  std::byte* get() const noexcept { return memory_.get(); }

 private:
  const Unit& unit_;
  const Word* type_;
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace tenon::marshal
