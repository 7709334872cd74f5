// SPDX-License-Identifier: Apache-2.0
//
// Room for one object whose code only its maker links: everybody else destroys it by its virtual destructor, which must be defined in
// the file of its class, and the class must not be final (then a compiler may call its functions directly). No locks.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace tenon {

template <typename T>
class RoomFor {
  static_assert(std::has_virtual_destructor_v<T> && !std::is_final_v<T>);

 public:
  RoomFor() noexcept {}  // the bytes stay as they are
  ~RoomFor() { reset(); }
  RoomFor(const RoomFor&) = delete;
  RoomFor& operator=(const RoomFor&) = delete;

  /// For the maker. What was there before goes.
  template <typename... Arguments>
  T& emplace(Arguments&&... arguments) {
    reset();
    object_ = new (bytes_) T(std::forward<Arguments>(arguments)...);
    return *object_;
  }
  /// As emplace(), where there is nothing.
  template <typename... Arguments>
  T& fill(Arguments&&... arguments) {
    return *(object_ = new (bytes_) T(std::forward<Arguments>(arguments)...));
  }
  void reset() noexcept {
    if (T* const object = std::exchange(object_, nullptr)) std::destroy_at(object);
  }
  T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

 private:
  alignas(T) std::byte bytes_[sizeof(T)];
  T* object_ = nullptr;
};

}  // namespace tenon
