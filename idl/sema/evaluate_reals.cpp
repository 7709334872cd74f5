// SPDX-License-Identifier: Apache-2.0
//
// Floating-point and fixed-point constant expressions.
#include <cfloat>
#include <cmath>

#include "idl/lex/literal.hpp"
#include "idl/model/query.hpp"
#include "idl/sema/evaluate.hpp"

namespace tenon::idl {

using model::TypeKind;
using model::Value;
using model::ValueKind;

std::optional<long double> Evaluator::floating(const ast::Expr& expr, Scope& scope) {
  switch (expr.kind) {
    case ast::ExprKind::Literal:
      if (expr.literal.kind != TokenKind::Floating) {
        mismatch(expr, "a floating-point number");
        return std::nullopt;
      }
      return decode_float(expr.literal, diagnostics_);
    case ast::ExprKind::Name: {
      const Value* value = constant(expr, scope, "a floating-point number");
      if (value == nullptr) return std::nullopt;
      if (value->kind == ValueKind::Float || value->kind == ValueKind::Double ||
          value->kind == ValueKind::LongDouble) {
        return value->floating;
      }
      diagnostics_.error(expr.span, "expected a floating-point number, but '" + expr.name.text() + "' is " +
                                        value_noun(value->kind));
      return std::nullopt;
    }
    case ast::ExprKind::Unary: {
      const auto operand = floating(*expr.left, scope);
      if (!operand) return std::nullopt;
      if (expr.op == Punct::Minus) return -*operand;
      if (expr.op == Punct::Plus) return operand;
      break;
    }
    case ast::ExprKind::Binary: {
      const auto a = floating(*expr.left, scope);
      const auto b = floating(*expr.right, scope);
      if (!a || !b) return std::nullopt;
      if (expr.op == Punct::Plus) return *a + *b;
      if (expr.op == Punct::Minus) return *a - *b;
      if (expr.op == Punct::Star) return *a * *b;
      if (expr.op == Punct::Slash) {
        if (*b != 0) return *a / *b;
        diagnostics_.error(expr.span, "division by zero");
        return std::nullopt;
      }
      break;
    }
  }
  diagnostics_.error(expr.span, std::string("'") + spelling(expr.op) + "' needs integers");
  return std::nullopt;
}

std::optional<Value> Evaluator::ranged_floating(const ast::Expr& expr, TypeKind kind, Scope& scope) {
  const auto computed = floating(expr, scope);
  if (!computed) return std::nullopt;
  const long double most = kind == TypeKind::Float    ? static_cast<long double>(FLT_MAX)
                           : kind == TypeKind::Double ? static_cast<long double>(DBL_MAX)
                                                      : LDBL_MAX;
  Value out;
  out.floating = *computed;
  if (std::isnan(*computed) || std::fabs(*computed) > most) {
    diagnostics_.error(expr.span, std::string("this value is out of range for ") + model::to_string(kind));
    return std::nullopt;
  }
  out.kind = ValueKind::LongDouble;
  if (kind == TypeKind::Float) {
    out.kind = ValueKind::Float;
    out.floating = static_cast<long double>(static_cast<float>(*computed));
  } else if (kind == TypeKind::Double) {
    out.kind = ValueKind::Double;
    out.floating = static_cast<long double>(static_cast<double>(*computed));
  }
  return out;
}

std::optional<Decimal> Evaluator::fixed(const ast::Expr& expr, Scope& scope) {
  std::optional<Decimal> out;
  switch (expr.kind) {
    case ast::ExprKind::Literal:
      if (expr.literal.kind != TokenKind::FixedPoint) {
        mismatch(expr, "a fixed-point number");
        return std::nullopt;
      }
      out = Decimal::parse(expr.literal.text);
      if (!out) diagnostics_.error(expr.span, "a fixed-point number has at most 31 digits");
      return out;
    case ast::ExprKind::Name: {
      const Value* value = constant(expr, scope, "a fixed-point number");
      if (value == nullptr) return std::nullopt;
      if (value->kind == ValueKind::Fixed) {
        out = Decimal::parse(value->text);
        if (out && value->text.starts_with('-')) out = out->negated();
        return out;
      }
      diagnostics_.error(expr.span, "expected a fixed-point number, but '" + expr.name.text() + "' is " +
                                        value_noun(value->kind));
      return std::nullopt;
    }
    case ast::ExprKind::Unary: {
      out = fixed(*expr.left, scope);
      if (!out) return std::nullopt;
      if (expr.op == Punct::Minus) return out->negated();
      if (expr.op == Punct::Plus) return out;
      break;
    }
    case ast::ExprKind::Binary: {
      const auto a = fixed(*expr.left, scope);
      const auto b = fixed(*expr.right, scope);
      if (!a || !b) return std::nullopt;
      if (expr.op == Punct::Slash && b->is_zero()) {
        diagnostics_.error(expr.span, "division by zero");
        return std::nullopt;
      }
      bool arithmetic = true;
      if (expr.op == Punct::Plus)
        out = Decimal::add(*a, *b);
      else if (expr.op == Punct::Minus)
        out = Decimal::subtract(*a, *b);
      else if (expr.op == Punct::Star)
        out = Decimal::multiply(*a, *b);
      else if (expr.op == Punct::Slash)
        out = Decimal::divide(*a, *b);
      else
        arithmetic = false;
      if (!arithmetic) break;
      if (!out) diagnostics_.error(expr.span, "this value needs more than 31 digits");
      return out;
    }
  }
  diagnostics_.error(expr.span, std::string("'") + spelling(expr.op) + "' needs integers");
  return std::nullopt;
}

std::optional<Value> Evaluator::ranged_fixed(const ast::Expr& expr, const model::Type& type, Scope& scope) {
  auto computed = fixed(expr, scope);
  if (!computed) return std::nullopt;
  if (type.digits != 0) {
    computed = computed->fitted(type.digits, type.scale);
    if (!computed) {
      diagnostics_.error(expr.span, "this value does not fit in fixed<" + std::to_string(type.digits) + "," +
                                        std::to_string(type.scale) + ">");
      return std::nullopt;
    }
  }
  Value out;
  out.kind = ValueKind::Fixed;
  out.text = computed->text();
  out.digits = static_cast<std::uint16_t>(computed->digits());
  out.scale = static_cast<std::uint16_t>(computed->scale());
  return out;
}

}  // namespace tenon::idl
