// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "marshal/typecodes/compile.hpp"

namespace tenon::marshal {

const Program::Part* Program::find(const types::TypeCode& part) const noexcept {
  const types::TypeCode* wanted = &types::unaliased(part);
  const auto found =
      std::lower_bound(parts_.begin(), parts_.end(), wanted,
                       [](const Part& one, const auto* type) { return std::less<>()(one.type, type); });
  return found != parts_.end() && found->type == wanted ? &*found : nullptr;
}

TypeIndex Program::index_of(const types::TypeCode& part) const noexcept {
  const Part* found = find(part);
  return found == nullptr ? no_case : found->index;
}

std::size_t Program::member_offset(const types::TypeCode& struct_type, std::size_t index) const noexcept {
  return find(struct_type)->offsets[index];
}

Value::Value(Ref<const Program> program)
    : program_(std::move(program)), memory_(static_cast<std::byte*>(::operator new(program_->size()))) {
  construct(program_->unit(), program_->root(), memory_.get());
}

Value::Value(const Value& other)
    : program_(other.program_), memory_(static_cast<std::byte*>(::operator new(program_->size()))) {
  copy(program_->unit(), program_->root(), memory_.get(), other.memory_.get());
}

Value& Value::operator=(Value other) noexcept {
  std::swap(program_, other.program_);
  std::swap(memory_, other.memory_);
  return *this;
}

Value::~Value() {
  if (memory_) destroy(program_->unit(), program_->root(), memory_.get());
}

}  // namespace tenon::marshal
