// SPDX-License-Identifier: Apache-2.0
//
// Parameters of interpreted operations (src/marshal/parameters.hpp): a word each, and what they have in common.
#include <algorithm>
#include <vector>

#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/tables.hpp"
#include "idl/backends/cpp/types.hpp"

namespace tenon::idl::cpp {

using model::Direction;
using model::Type;
using model::TypeKind;

namespace {

// What the words of parameters can say.
constexpr std::size_t largest_operand = 0x1FFFFF;
constexpr std::uint64_t largest_fixed = 0x3FFF;
constexpr std::size_t most_alike = 8;

// The op of a parameter that needs no type of its own; empty for others.
std::string direct_op(const Type& type) {
  if (const char* op = simple_op(type)) {
    const std::string_view name = op;
    const bool known = name.starts_with("copy") || name == "boolean" || name == "character";
    return known ? std::string(name) : "";
  }
  if (const model::Enum* decl = plain_enum(type))
    return decl->enumerators.size() <= largest_operand ? "enumeration" : "";
  return type.kind == TypeKind::String && type.bound == 0 ? "string" : "";
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

  // False when it has no fixed place, or is not memory there.
  bool add(const Type& type) {
    if (const auto* record = type.kind == TypeKind::Named ? model::as<model::Struct>(type.decl) : nullptr) {
      const BlockLayout* block = context_.blocks.of(*record);
      if (block == nullptr || !context_.kinds.interpreted(*record)) return false;
      place(block->first_align, block->end);
      return (octets_ - block->end) % block->align == 0 && octets_ <= largest_fixed;
    }
    const std::string op = direct_op(type);
    if (op.empty() || op == "string") return false;
    const std::uint64_t size = model::minimum_wire_size(&type);
    place(size, size);
    return octets_ <= largest_fixed;
  }
  std::uint64_t octets() const { return octets_; }

 private:
  void place(std::uint64_t align, std::uint64_t size) {
    octets_ = (octets_ + align - 1) / align * align + size;
  }

  const Context& context_;
  std::uint64_t octets_ = 0;
};

// "numbers4" or "strings" where all are that; empty where they are not.
std::string alike(const std::vector<Parameter>& all) {
  if (all.empty() || all.size() > most_alike) return "";
  const std::string op = direct_op(*all.front().type);
  if (!op.starts_with("copy") && op != "string") return "";
  for (const Parameter& one : all) {
    if (direct_op(*one.type) != op) return "";
  }
  return op == "string" ? "strings" : "numbers" + op.substr(4);
}

}  // namespace

Tables::Item Tables::parameter(const std::string& direction, const Type& alias) {
  const Type& type = *model::resolve_aliases(&alias);
  const std::string op = direct_op(type);
  if (op == "enumeration") {
    return direction + "(Op::enumeration, " + std::to_string(plain_enum(type)->enumerators.size()) + ")";
  }
  if (!op.empty()) return direction + "(Op::" + op + ")";
  Item item(type_run(type));
  finish_types();
  item.text = direction + (blocks_.contains(item.run) ? "(Op::block, " : "(Op::call, ");
  return item;
}

// What the parameters have in common.
std::string Tables::plan(const Call& call) const {
  const std::vector<Parameter> all = parameters_of(call);
  if (all.empty()) return "plan(Plan::nothing)";
  if (const std::string kind = alike(all); !kind.empty()) {
    unsigned sent = 0;
    unsigned received = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].sent) sent |= 1U << i;
      if (all[i].received) received |= 1U << i;
    }
    return "alike_plan(Plan::" + kind + ", " + std::to_string(sent) + ", " + std::to_string(received) + ")";
  }
  Layout request(context_);
  Layout reply(context_);
  for (const Parameter& one : all) {
    if ((one.sent && !request.add(*one.type)) || (one.received && !reply.add(*one.type)))
      return "plan(Plan::each)";
  }
  return "fixed_plan(" + std::to_string(request.octets()) + ", " + std::to_string(reply.octets()) + ")";
}

}  // namespace tenon::idl::cpp
