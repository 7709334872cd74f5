// SPDX-License-Identifier: Apache-2.0
//
// @tenon::view: which structs can be seen where a message has them, and where they are. Pure functions of the model.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "idl/model/model.hpp"

namespace tenon::idl::java {

// The struct that the type is; null: it is none.
const model::Struct* struct_of(const model::Type& type);
// The struct of the sequence that is seen as views; null: none.
const model::Struct* viewed_struct(const model::Parameter& parameter);
const model::Struct* viewed_result(const model::Decl& operation);

class Views {
 public:
  explicit Views(const model::Model& program);

  // Whether its file makes the struct's views: it has the annotation at the struct, at one that contains it, or at an operation or
  // parameter with a sequence of either.
  bool has(const model::Struct& decl) const;

 private:
  void collect(const std::vector<const model::Decl*>& decls);
  void reach(const model::Struct& decl, std::uint32_t file);

  std::map<const model::Struct*, std::set<std::uint32_t>> reached_from_;
};

// Those that the struct contains, itself included, which all need views.
std::set<const model::Struct*> structs_inside(const model::Struct& decl);

}  // namespace tenon::idl::java
