// SPDX-License-Identifier: Apache-2.0
//
// Service contexts on their way into a message: interceptors and policies say how many there are. One thread.
#pragma once

#include <memory>
#include <span>

#include "base/memory.hpp"
#include "giop/contexts.hpp"

namespace tenon::giop {

class SentContexts {
 public:
  /// Room for so many; false (operator bool) where memory is short.
  explicit SentContexts(std::size_t most) noexcept
      : all_(static_cast<ServiceContext*>(
            memory::allocate(memory::Kind::requests, most * sizeof(ServiceContext)))) {}
  explicit operator bool() const noexcept { return all_ != nullptr; }

  void add(const ServiceContext& context) noexcept { new (all_.get() + count_++) ServiceContext(context); }
  std::span<const ServiceContext> list() const noexcept { return {all_.get(), count_}; }

 private:
  struct Release {
    void operator()(ServiceContext* contexts) const noexcept { memory::release(contexts); }
  };
  std::unique_ptr<ServiceContext, Release> all_;
  std::size_t count_ = 0;
};

}  // namespace tenon::giop
