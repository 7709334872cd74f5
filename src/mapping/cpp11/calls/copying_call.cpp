// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/copying_call.hpp"

#include "tenon/corba/call_policies.hpp"

namespace tenon::gen {

namespace {

bool call_copying(CORBA::Object& self, const Operation& operation, Put put, Get get) {
  if (operation.copying) return false;
  const std::optional<std::uint32_t> below = copy_below_of(self);
  if (!below) return false;
  Operation once = operation;
  once.copying = true;
  once.numbered = false;  // the copy is no NumberedOperation, and goes by its name
  call(
      self, once,
      [&](cdr::Writer& out) {
        const cdr::LendingScope lending(out, *below);
        put(out);
      },
      get);
  return true;
}

}  // namespace

void link_copying_calls() noexcept { copying_call.store(&call_copying, std::memory_order_release); }

std::optional<std::uint32_t> copy_below_of(const CORBA::Object& object) {
  if (copying_call.load(std::memory_order_acquire) == nullptr) return {};
  return policies_of_call(object).copy_below;
}

}  // namespace tenon::gen
