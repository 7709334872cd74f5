// SPDX-License-Identifier: Apache-2.0
//
// Intrusive reference counting. Counting is safe from any thread; a Ref itself belongs to one thread at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "base/shared_word.hpp"

namespace tenon {

/// Base of shared objects. Born with one reference, which Ref<T>::adopt takes over.
class RefCounted {
 public:
  RefCounted() noexcept = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  void add_ref() const noexcept { count_.add_relaxed(1); }
  void remove_ref() const noexcept {
    // The thread that drops the last reference must see all that the others did to the object before they dropped theirs.
    if (count_.subtract(1) == 1) delete this;
  }
  /// Takes a reference unless the last one is gone already: for tables that hold no reference of their own.
  bool try_add_ref() const noexcept {
    std::uint32_t seen = count_.relaxed();
    while (seen != 0) {
      if (count_.replace_weak(seen, seen + 1)) return true;
    }
    return false;
  }
  /// True: the caller's reference is the only one. It stays the only one unless another thread can get one meanwhile.
  bool has_one_ref() const noexcept { return count_.relaxed() == 1; }
  /// For tests and logs: out of date as soon as it is read.
  std::uint32_t ref_count() const noexcept { return count_.relaxed(); }

 protected:
  virtual ~RefCounted() = default;

 private:
  mutable SharedWord<std::uint32_t> count_{1};
};

/// A counted pointer to a RefCounted; may be null.
template <typename T>
class Ref {
 public:
  using element_type = T;

  constexpr Ref() noexcept = default;
  constexpr Ref(std::nullptr_t) noexcept {}
  /// Adds a reference.
  explicit Ref(T* object) noexcept : object_(object) {
    if (object_ != nullptr) object_->add_ref();
  }
  /// Takes over a reference that the caller owns, such as that of a new object.
  static Ref adopt(T* object) noexcept {
    Ref ref;
    ref.object_ = object;
    return ref;
  }

  Ref(const Ref& other) noexcept
      : Ref(other.object_) {}  // NOLINT(clang-analyzer-cplusplus.NewDelete): counts
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <typename U>
    requires std::is_convertible_v<U*, T*>
  Ref(const Ref<U>& other) noexcept : Ref(other.get()) {}
  template <typename U>
    requires std::is_convertible_v<U*, T*>
  Ref(Ref<U>&& other) noexcept : object_(other.detach()) {}

  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  /// constexpr: a constant that holds no object has nothing to destroy, and is usable until the process ends.
  constexpr ~Ref() {
    if (object_ != nullptr) object_->remove_ref();  // NOLINT(clang-analyzer-cplusplus.NewDelete): counts
  }

  T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }  // NOLINT(clang-analyzer-cplusplus.NewDelete): counts
  T* operator->() const noexcept { return object_; }  // NOLINT(clang-analyzer-cplusplus.NewDelete): counts
  explicit operator bool() const noexcept { return object_ != nullptr; }
  void reset() noexcept { *this = Ref(); }
  /// Gives the reference to the caller, which then owns it.
  [[nodiscard]] T* detach() noexcept { return std::exchange(object_, nullptr); }

  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.object_ == b.object_; }
  friend bool operator==(const Ref& a, std::nullptr_t) noexcept { return a.object_ == nullptr; }

 private:
  T* object_ = nullptr;
};

template <typename T, typename... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

}  // namespace tenon
