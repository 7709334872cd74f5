// SPDX-License-Identifier: Apache-2.0
//
// CORBA::object_reference and CORBA::weak_object_reference (IDL to C++11 1.6 §6.7.2): counted pointers to interface classes,
// servants and local objects. Null is the nil reference. The pointers are as thread-safe as std::shared_ptr; what they point to
// is safe from any thread unless its class says otherwise.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "base/shared_word.hpp"

namespace IDL {
inline namespace cpp11 {
/// The traits of an IDL type; generated code specialises it (§6.3).
template <typename T>
struct traits;
}  // namespace cpp11
}  // namespace IDL

namespace PortableServer {
inline namespace cpp11 {
class Servant;
}
}  // namespace PortableServer

namespace tenon::gen {
[[noreturn]] void raise_nil_called();

/// Each skeleton names its interface, so that the name is ambiguous in a class of two skeletons of which none inherits from the other.
template <typename T>
concept NotOfTwoInterfaces =
    !std::is_base_of_v<PortableServer::Servant, T> || requires { typename T::_interface; };
}  // namespace tenon::gen

namespace CORBA {
inline namespace cpp11 {

class Counted;

/// The block that weak references to an object share; made for the first one. The lock is held for a few instructions only.
class WeakBlock {
 public:
  explicit WeakBlock(Counted* object) noexcept : object_(object) {}
  void add() noexcept { holders_.add_relaxed(1); }
  void drop() noexcept {
    if (holders_.subtract(1) == 1) delete this;
  }
  bool add_strong() noexcept;   ///< false when the object is destroyed, or about to be
  void object_goes() noexcept;  ///< called once, by the object's last reference
  bool gone() const noexcept { return gone_.acquire(); }

 private:
  tenon::SharedWord<unsigned> holders_{1};  // the object holds one
  tenon::SharedWord<bool> locked_;
  tenon::SharedWord<bool> gone_;
  Counted* object_;
};

/// Base of everything that is counted. Starts with a count of 0; the last reference deletes.
class Counted {
 public:
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  void _add_ref() noexcept { count_.add_relaxed(1); }
  void _remove_ref() noexcept {
    if (count_.subtract(1) == 1) destroy();
  }
  /// Counts up unless the count is 0.
  bool _add_ref_if_alive() noexcept {
    unsigned count = count_.relaxed();
    while (count != 0) {
      if (count_.replace_weak(count, count + 1)) return true;
    }
    return false;
  }
  unsigned _refcount_value() const noexcept { return count_.relaxed(); }
  /// The block that weak references share, with one more holder.
  WeakBlock* _weak_block();

 protected:
  Counted() = default;
  virtual ~Counted() = default;

 private:
  void destroy() noexcept;

  tenon::SharedWord<unsigned> count_;
  tenon::SharedWord<WeakBlock*> weak_;
};

template <typename T>
class weak_object_reference;

template <typename T>
class object_reference {
 public:
  using element_type = T;

  constexpr object_reference() noexcept = default;
  constexpr object_reference(std::nullptr_t) noexcept {}
  /// Shares the ownership of an object made with new; a fresh object has a count of 0.
  explicit object_reference(T* object) noexcept : object_(object) {
    if (object_ != nullptr) object_->_add_ref();
  }
  object_reference(const object_reference& other) noexcept : object_reference(other.object_) {}
  object_reference(object_reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <typename U>
    requires std::is_convertible_v<U*, T*>
  object_reference(const object_reference<U>& other) noexcept
      : object_reference(static_cast<T*>(other.get())) {}
  template <typename U>
    requires std::is_convertible_v<U*, T*>
  object_reference(object_reference<U>&& other) noexcept : object_(other.release()) {}
  ~object_reference() {
    if (object_ != nullptr) object_->_remove_ref();
  }
  object_reference& operator=(object_reference other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  /// INV_OBJREF for nil: references come from peers, and a nil one must not end the process.
  T* operator->() const {
    if (object_ == nullptr) [[unlikely]]
      ::tenon::gen::raise_nil_called();
    return object_;
  }
  T& operator*() const { return *operator->(); }
  T* get() const noexcept { return object_; }
  /// Gives up ownership without counting down.
  T* release() noexcept { return std::exchange(object_, nullptr); }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  void reset() noexcept { *this = nullptr; }

  /// True if both refer to one C++ object, whatever the class of each reference.
  template <typename U>
  bool operator==(const object_reference<U>& other) const noexcept {
    if constexpr (std::is_same_v<T, U>) {
      return object_ == other.get();
    } else {
      return static_cast<const Counted*>(object_) == static_cast<const Counted*>(other.get());
    }
  }
  bool operator==(std::nullptr_t) const noexcept { return object_ == nullptr; }

 private:
  friend class weak_object_reference<T>;

  T* object_ = nullptr;
};

template <typename T>
class weak_object_reference {
 public:
  constexpr weak_object_reference() noexcept = default;
  constexpr weak_object_reference(std::nullptr_t) noexcept {}
  weak_object_reference(const object_reference<T>& strong) : object_(strong.get()) {
    if (object_ != nullptr) block_ = object_->_weak_block();
  }
  weak_object_reference(const weak_object_reference& other) noexcept
      : object_(other.object_), block_(other.block_) {
    if (block_ != nullptr) block_->add();
  }
  weak_object_reference(weak_object_reference&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), block_(std::exchange(other.block_, nullptr)) {}
  weak_object_reference& operator=(weak_object_reference other) noexcept {
    std::swap(object_, other.object_);
    std::swap(block_, other.block_);
    return *this;
  }
  ~weak_object_reference() {
    if (block_ != nullptr) block_->drop();
  }

  /// A strong reference, or nil when the object is gone (§6.7.2).
  object_reference<T> lock() const noexcept {
    object_reference<T> held;
    if (block_ != nullptr && block_->add_strong())
      held.object_ = object_;  // takes over the count of add_strong()
    return held;
  }
  bool expired() const noexcept { return block_ == nullptr || block_->gone(); }

 private:
  T* object_ = nullptr;
  WeakBlock* block_ = nullptr;
};

/// Makes a servant or local object (§6.25.4): CORBA::make_reference<Calculator_impl>(arguments...).
template <typename T, typename... Args>
object_reference<T> make_reference(Args&&... args) {
  static_assert(
      tenon::gen::NotOfTwoInterfaces<T>,
      "a servant is one object: its class has one skeleton, or those of an interface and of its bases");
  return object_reference<T>(new T(std::forward<Args>(args)...));
}

/// Servants are counted as objects are.
template <typename T>
using servant_reference = object_reference<T>;

/// The traits of the servant side of an interface; generated code specialises it (§6.25.2).
template <typename T>
struct servant_traits;

}  // namespace cpp11
}  // namespace CORBA
