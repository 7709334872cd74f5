// SPDX-License-Identifier: Apache-2.0
//
// Parameters of interpreted operations (src/marshal/parameters.hpp): one word for each, and their plan (what they have in common).
#include <algorithm>
#include <vector>

#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/tables.hpp"
#include "idl/backends/cpp/types.hpp"

namespace tenon::idl::cpp {

using marshal::Op;
using model::Direction;
using model::Type;
using model::TypeKind;

namespace {

// The op of a parameter that needs no type of its own; nothing for others.
std::optional<Op> direct_op(const Type& type) {
  if (const model::Enum* decl = plain_enum(type))
    return decl->enumerators.size() <= marshal::largest_operand ? std::optional(Op::enumeration)
                                                                : std::nullopt;
  const auto op = simple_op(type);
  return op == Op::wide_character || op == Op::long_double ? std::nullopt : op;
}

struct Parameter {
  const Type* type;
  bool sent;
  bool received;
};

std::vector<Parameter> parameters_of(const Call& call) {
  std::vector<Parameter> all;
  if (call.result != nullptr) all.push_back({model::resolve_aliases(call.result), false, true});
  for (const model::Parameter& one : call.parameters) {
    all.push_back(
        {model::resolve_aliases(one.type), one.direction != Direction::Out, one.direction != Direction::In});
  }
  return all;
}

// Where parameters of fixed size stand in a message, from a multiple of 8 on.
class Layout {
 public:
  explicit Layout(const Context& context) : context_(context) {}

  // False: it has no fixed place, or its memory does not look like its CDR.
  bool add(const Type& type) {
    if (const auto* record = type.kind == TypeKind::Named ? model::as<model::Struct>(type.decl) : nullptr) {
      const BlockLayout* block = context_.blocks.of(*record);
      if (block == nullptr || !context_.kinds.interpreted(*record)) return false;
      place(block->first_align, block->end);
      return (octets_ - block->end) % block->align == 0 && octets_ <= marshal::largest_fixed;
    }
    const auto op = direct_op(type);
    if (!op || op == Op::string) return false;
    const std::uint64_t size = model::minimum_wire_size(&type);
    place(size, size);
    return octets_ <= marshal::largest_fixed;
  }
  std::uint64_t octets() const { return octets_; }

 private:
  void place(std::uint64_t align, std::uint64_t size) {
    octets_ = (octets_ + align - 1) / align * align + size;
  }

  const Context& context_;
  std::uint64_t octets_ = 0;
};

// The plan of parameters that are all numbers of one size, or all strings; null for others.
const char* alike(const std::vector<Parameter>& all) {
  if (all.empty() || all.size() > marshal::most_alike) return nullptr;
  const auto op = direct_op(*all.front().type);
  for (const Parameter& one : all) {
    if (direct_op(*one.type) != op) return nullptr;
  }
  switch (op.value_or(Op::end)) {
    case Op::copy1: return "numbers1";
    case Op::copy2: return "numbers2";
    case Op::copy4: return "numbers4";
    case Op::copy8: return "numbers8";
    case Op::string: return "strings";
    default: return nullptr;
  }
}

// "{.request = 0b110, .reply = 0b1}": a bit for each parameter that travels.
std::string travel(const std::vector<Parameter>& all, bool Parameter::* way) {
  std::string bits;
  for (const Parameter& one : all) bits.insert(0, one.*way ? "1" : "0");
  return bits.find('1') == std::string::npos ? "0" : "0b" + bits;
}

}  // namespace

Tables::Item Tables::parameter(const std::string& direction, const Type& alias) {
  const Type& type = *model::resolve_aliases(&alias);
  if (const auto op = direct_op(type)) {
    const std::string name = direction + "(Op::" + std::string(marshal::form_of(*op).name);
    if (op != Op::enumeration) return name + ")";
    return name + ", enumerators(" + std::to_string(plain_enum(type)->enumerators.size()) + "))";
  }
  Item item(type_run(type));
  finish_types();
  item.text = direction + (blocks_.contains(item.run) ? "(Op::block, type(" : "(Op::call, type(");
  item.tail = ")";
  return item;
}

// What the parameters have in common.
std::string Tables::plan(const Call& call) const {
  const std::vector<Parameter> all = parameters_of(call);
  if (all.empty()) return "plan(Plan::nothing)";
  if (const char* kind = alike(all)) {
    return "alike_plan(Plan::" + std::string(kind) + ", {.request = " + travel(all, &Parameter::sent) +
           ", .reply = " + travel(all, &Parameter::received) + "})";
  }
  Layout request(context_);
  Layout reply(context_);
  for (const Parameter& one : all) {
    if ((one.sent && !request.add(*one.type)) || (one.received && !reply.add(*one.type)))
      return "plan(Plan::each)";
  }
  return "fixed_plan({.request = " + std::to_string(request.octets()) +
         ", .reply = " + std::to_string(reply.octets()) + "})";
}

}  // namespace tenon::idl::cpp
