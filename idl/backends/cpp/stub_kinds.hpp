// SPDX-License-Identifier: Apache-2.0
//
// Which operations and types are compiled and which are interpreted (docs/stubs.md). The nearest annotation around a declaration decides,
// else the option; if that is `auto`, the operations that a run of the program has used.
// Immutable once made.
#pragma once

#include <map>
#include <set>
#include <string_view>

#include "idl/backends/backend.hpp"
#include "idl/model/model.hpp"

namespace tenon::idl::cpp {

struct Call;

class StubKinds {
 public:
  StubKinds(const model::Model& program, const BackendOptions& options);

  /// Only of operations and attributes of this file; `call` says which of an attribute's two.
  bool interpreted(const Call& call) const;
  /// Structs, unions and exceptions; false for those of other files, whose kind is unknown here.
  bool interpreted(const model::Decl& type) const;
  /// Whether any declaration of this file is interpreted.
  bool any() const { return any_; }

 private:
  bool hot(const Call& call) const;
  void compile_types(const model::Type& type);

  const BackendOptions& options_;
  std::map<std::string_view, const model::Interface*> by_id_;  // of this file
  std::set<const model::Decl*> hot_types_;
  bool any_ = false;
};

}  // namespace tenon::idl::cpp
