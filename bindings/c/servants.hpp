// SPDX-License-Identifier: Apache-2.0
//
// Interfaces and servants of other languages, as the adapter knows them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bindings/c/handles.hpp"
#include "poa/servant.hpp"

struct tenon_interface final : tenon::RefCounted {
  /// BAD_PARAM: no id, or a name twice.
  tenon_interface(const char* const* all_ids, std::uint32_t id_count, const char* const* all_operations,
                  std::uint32_t operation_count);

  std::string ids;                 ///< as poa::Implemented has them
  std::vector<std::string> names;  // which `operations` refers to
  std::unordered_map<std::string_view, std::uint32_t> operations;
};

struct tenon_servant final : tenon::poa::Servant, tenon::RefCounted {
  tenon_servant(tenon::Ref<tenon_interface> what, tenon_upcall how, tenon_release end,
                void* given_context) noexcept
      : interface(std::move(what)), run(how), release(end), context(given_context) {}
  ~tenon_servant() override {
    if (release != nullptr) release(context);
  }

  void upcall(tenon::protocol::IncomingCall& call) override;
  tenon::poa::Implemented _implemented() const noexcept override { return {interface->ids.c_str()}; }
  void _hold() noexcept override { RefCounted::add_ref(); }
  void _drop() noexcept override { RefCounted::remove_ref(); }

  const tenon::Ref<tenon_interface> interface;
  const tenon_upcall run;
  const tenon_release release;
  void* const context;
};
