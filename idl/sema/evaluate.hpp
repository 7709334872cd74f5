// SPDX-License-Identifier: Apache-2.0
//
// Constant expressions: from syntax to a Value of a given type, with range checks.
//
// IDL 4.2 §7.4.1.4.3: an expression is computed in the kind of its target (integer, floating, fixed); kinds
// do not mix. Integers are computed in 128 bits and checked once against the target's range; `~` complements
// within the target's width, as the standard's table says.
#pragma once

#include <optional>

#include "idl/ast/ast.hpp"
#include "idl/model/model.hpp"
#include "idl/sema/scope.hpp"
#include "idl/support/decimal.hpp"
#include "idl/support/diagnostics.hpp"

namespace tenon::idl {

__extension__ using Int128 = __int128;

class Evaluator {
 public:
  Evaluator(Scopes& scopes, Diagnostics& diagnostics) : scopes_(scopes), diagnostics_(diagnostics) {}

  // The value converted to the type (aliases are looked through); nothing: reported.
  std::optional<model::Value> evaluate(const ast::Expr& expr, const model::Type* type, Scope& scope);
  // For annotations without a declared type: the value has the expression's own type.
  std::optional<model::Value> evaluate_free(const ast::Expr& expr, Scope& scope);
  // A bound, dimension, digit count ...: an integer from least to most.
  std::optional<std::uint64_t> evaluate_count(const ast::Expr& expr, Scope& scope, std::uint64_t least,
                                              std::uint64_t most, const char* what);

 private:
  struct IntegerTarget {
    int width = 64;
    bool is_signed = true;
  };
  std::optional<Int128> integer(const ast::Expr& expr, Scope& scope, IntegerTarget target);
  std::optional<Int128> integer_binary(const ast::Expr& expr, Int128 a, Int128 b);
  std::optional<long double> floating(const ast::Expr& expr, Scope& scope);
  std::optional<Decimal> fixed(const ast::Expr& expr, Scope& scope);
  std::optional<model::Value> ranged_integer(const ast::Expr& expr, model::TypeKind kind, Scope& scope);
  std::optional<model::Value> ranged_floating(const ast::Expr& expr, model::TypeKind kind, Scope& scope);
  std::optional<model::Value> ranged_fixed(const ast::Expr& expr, const model::Type& type, Scope& scope);
  std::optional<model::Value> plain(const ast::Expr& expr, const model::Type& type, Scope& scope);
  std::optional<model::Value> enumerator(const ast::Expr& expr, const model::Enum& wanted, Scope& scope);
  std::optional<model::Value> bitmask(const ast::Expr& expr, const model::Bitmask& wanted, Scope& scope);
  const model::Value* constant(const ast::Expr& expr, Scope& scope, const char* what);
  void mismatch(const ast::Expr& expr, const char* wanted);

  Scopes& scopes_;
  Diagnostics& diagnostics_;
};

// "an integer", "a string", ...
const char* value_noun(model::ValueKind kind);
// The text of a value for messages and dumps: 12, 'a', "text", TRUE, RED.
std::string to_text(const model::Value& value);
// Whether two values of one type are equal (union labels).
bool equal(const model::Value& a, const model::Value& b);

}  // namespace tenon::idl
