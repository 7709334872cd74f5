// SPDX-License-Identifier: Apache-2.0
//
// A reference to something callable: two words, no heap, owns nothing. For parameters only: what it refers to
// must outlive it. Generated code includes this, so it does not include <memory>.
#pragma once

#include <type_traits>
#include <utility>

namespace tenon {

template <typename Signature>
class FunctionRef;

template <typename R, typename... Args>
class FunctionRef<R(Args...)> {
 public:
  /// A lambda or another function object, which must outlive this.
  template <typename F>
    requires(std::is_class_v<std::remove_reference_t<F>> &&
             !std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
  FunctionRef(F&& callable) noexcept
      : target_{.object = const_cast<void*>(static_cast<const void*>(__builtin_addressof(callable)))},
        // NOLINTNEXTLINE(performance-unnecessary-value-param): as the type says
        call_([](Target target, Args... args) -> R {
          auto& object = *static_cast<std::remove_reference_t<F>*>(target.object);
          if constexpr (std::is_void_v<R>) {
            object(std::forward<Args>(args)...);
          } else {
            return object(std::forward<Args>(args)...);
          }
        }) {}
  FunctionRef(R (*function)(Args...)) noexcept
      : target_{.function = reinterpret_cast<void (*)()>(function)},
        call_([](Target target, Args... args) -> R {
          return reinterpret_cast<R (*)(Args...)>(target.function)(std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(target_, std::forward<Args>(args)...); }

 private:
  union Target {
    void* object;
    void (*function)();
  };
  Target target_;
  R (*call_)(Target, Args...);
};

}  // namespace tenon
