// SPDX-License-Identifier: Apache-2.0
//
// In and inout parameters that a skeleton keeps when the upcall is over, so that the next one of their type reads into memory that is
// there already: a value of a hundred strings costs a hundred allocations once, not per call. Only values whose number of blocks
// grows with their contents are kept (tenon-idl chooses), and none that refer to objects. Interpreted skeletons keep the texts of a call
// that has no other parameters as one value.
//
// Each thread has a list of its own (its shelf), newest first; no locks. A shelf holds at most kept_bytes_most() bytes and kept_values_most
// values; the least recently used one goes first. An upcall inside an upcall does not find what the outer one uses.
//
// Invariant: a value is on the shelf or in use by one upcall. What it holds when it is taken has no meaning; the codec overwrites all
// of it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "mapping/cpp11/types/bounded.hpp"

namespace tenon::gen {

/// Lies in front of each kept value.
struct KeptBlock {
  KeptBlock* next = nullptr;
  const void* key = nullptr;  ///< which type; never equal for two types
  std::size_t bytes = 0;      ///< memory, set before give_kept()
  void (*destroy)(KeptBlock* block) noexcept = nullptr;
};

/// Takes the newest value of that type from this thread's shelf; nullptr: there is none.
KeptBlock* take_kept(const void* key) noexcept;
/// Puts the value on this thread's shelf, or destroys it if it is too large or the thread ends.
void give_kept(KeptBlock* block) noexcept;

/// For a block and its value, from where the engine's memory comes; memory::release() gives it back. Raises std::bad_alloc.
void* memory_for_kept(std::size_t bytes);

/// Bytes on this thread's shelf now.
std::size_t kept_bytes() noexcept;

inline constexpr unsigned kept_values_most = 16;
/// How many bytes each thread may keep; 0: none. A setting of the process (-ORBKeepArguments).
std::size_t kept_bytes_most() noexcept;
void set_kept_bytes_most(std::size_t bytes) noexcept;

/// Memory that a value holds beside its own. Generated code specialises it for structs.
template <typename T>
struct Held {
  static constexpr bool any = false;
  static std::size_t bytes(const T&) noexcept { return 0; }
};

template <typename T>
std::size_t held(const T& value) noexcept {
  return Held<T>::bytes(value);
}

template <typename Char>
struct Held<std::basic_string<Char>> {
  static constexpr bool any = true;
  static std::size_t bytes(const std::basic_string<Char>& value) noexcept {
    return value.capacity() * sizeof(Char);
  }
};

template <typename T>
struct Held<std::vector<T>> {
  static constexpr bool any = true;
  static std::size_t bytes(const std::vector<T>& values) noexcept {
    std::size_t sum = values.capacity() * sizeof(T);
    if constexpr (Held<T>::any) {
      for (const T& value : values) sum += held(value);
    }
    return sum;
  }
};

template <typename T, std::uint32_t Bound>
struct Held<IDL::bounded_vector<T, Bound>> : Held<std::vector<T>> {};
template <typename Char, std::uint32_t Bound>
struct Held<IDL::bounded_basic_string<Char, Bound>> : Held<std::basic_string<Char>> {};

template <typename T, std::size_t Size>
struct Held<std::array<T, Size>> {
  static constexpr bool any = Held<T>::any;
  static std::size_t bytes(const std::array<T, Size>& values) noexcept {
    std::size_t sum = 0;
    for (const T& value : values) sum += held(value);
    return sum;
  }
};

template <typename T>
struct KeptValue : KeptBlock {
  T value{};

  static KeptValue* take() {
    if (KeptBlock* block = take_kept(&type)) return static_cast<KeptValue*>(block);
    auto* made = new (memory_for_kept(sizeof(KeptValue))) KeptValue;
    made->key = &type;
    made->destroy = [](KeptBlock* block) noexcept {
      std::destroy_at(static_cast<KeptValue*>(block));
      memory::release(block);
    };
    return made;
  }
  static void give(KeptValue* value) noexcept {
    value->bytes = sizeof(KeptValue) + held(value->value);
    give_kept(value);
  }

 private:
  static inline const char type = 0;  // whose address is the key
};

/// A parameter of an upcall: a kept value, or a new one, which is kept after the upcall.
template <typename T>
class Kept {
 public:
  Kept() : kept_(KeptValue<T>::take()) {}
  ~Kept() { KeptValue<T>::give(kept_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  T& value() const noexcept { return kept_->value; }

 private:
  KeptValue<T>* kept_;
};

}  // namespace tenon::gen
