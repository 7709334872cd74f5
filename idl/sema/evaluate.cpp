// SPDX-License-Identifier: Apache-2.0
#include "idl/sema/evaluate.hpp"

#include "idl/lex/literal.hpp"
#include "idl/model/query.hpp"

namespace tenon::idl {

using model::TypeKind;
using model::Value;
using model::ValueKind;

namespace {

struct IntegerRange {
  Int128 least;
  Int128 most;
};

int width_of(TypeKind kind) {
  return kind == TypeKind::Octet ? 8 : static_cast<int>(model::primitive_size(kind)) * 8;
}

IntegerRange range_of(TypeKind kind) {
  const int width = width_of(kind);
  if (model::is_signed(kind)) return {-(Int128{1} << (width - 1)), (Int128{1} << (width - 1)) - 1};
  return {0, (Int128{1} << width) - 1};
}

std::string decimal(Int128 value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string out;
  while (value != 0) {
    const int digit = static_cast<int>(value % 10);
    out.insert(out.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  }
  return negative ? "-" + out : out;
}

const char* literal_noun(TokenKind kind) {
  switch (kind) {
    case TokenKind::Integer: return "an integer";
    case TokenKind::Floating: return "a floating-point number";
    case TokenKind::FixedPoint: return "a fixed-point number";
    case TokenKind::Char: return "a character";
    case TokenKind::WChar: return "a wide character";
    case TokenKind::String: return "a string";
    case TokenKind::WString: return "a wide string";
    case TokenKind::Keyword: return "a boolean";
    default: return "something else";
  }
}

}  // namespace

void Evaluator::mismatch(const ast::Expr& expr, const char* wanted) {
  std::string got = "an expression";
  if (expr.kind == ast::ExprKind::Literal) got = literal_noun(expr.literal.kind);
  std::string hint;
  if (expr.kind == ast::ExprKind::Literal && expr.literal.kind == TokenKind::Integer) {
    if (std::string_view(wanted).starts_with("a floating"))
      hint = "write '" + std::string(expr.literal.text) + ".0'";
    if (std::string_view(wanted).starts_with("a fixed"))
      hint = "write '" + std::string(expr.literal.text) + "d'";
    if (std::string_view(wanted) == "a boolean") hint = "write TRUE or FALSE";
  }
  if (expr.kind == ast::ExprKind::Literal && expr.literal.kind == TokenKind::String &&
      std::string_view(wanted) == "a character") {
    hint = "characters stand in single quotes";
  }
  diagnostics_.error(expr.span, std::string("expected ") + wanted + ", found " + got, std::move(hint));
}

// The value that a name in an expression stands for; null: reported.
const Value* Evaluator::constant(const ast::Expr& expr, Scope& scope, const char* what) {
  const Entry* entry = scopes_.look_up(scope, expr.name, what);
  if (entry == nullptr) return nullptr;
  if (entry->kind == Entry::Kind::Declaration) {
    if (const auto* c = model::as<model::Constant>(entry->decl)) {
      // A constant whose own value was wrong has been reported; its uses are not reported again.
      return c->value.kind == ValueKind::None ? nullptr : &c->value;
    }
  }
  diagnostics_.error(expr.span, "'" + expr.name.text() + "' is not a constant; expected " + what);
  diagnostics_.note(entry->span, "declared here");
  return nullptr;
}

std::optional<Int128> Evaluator::integer(const ast::Expr& expr, Scope& scope, IntegerTarget target) {
  switch (expr.kind) {
    case ast::ExprKind::Literal:
      if (expr.literal.kind != TokenKind::Integer) {
        mismatch(expr, "an integer");
        return std::nullopt;
      }
      return static_cast<Int128>(decode_integer(expr.literal, diagnostics_));
    case ast::ExprKind::Name: {
      const Entry* entry = scopes_.find(scope, expr.name);
      if (entry != nullptr && entry->kind == Entry::Kind::Flag) {
        scopes_.look_up(scope, expr.name, "an integer");
        return static_cast<Int128>(entry->flag);
      }
      const Value* value = constant(expr, scope, "an integer");
      if (value == nullptr) return std::nullopt;
      if (value->kind == ValueKind::Integer) return static_cast<Int128>(value->integer);
      if (value->kind == ValueKind::Unsigned) return static_cast<Int128>(value->unsigned_integer);
      diagnostics_.error(expr.span,
                         "expected an integer, but '" + expr.name.text() + "' is " + value_noun(value->kind));
      return std::nullopt;
    }
    case ast::ExprKind::Unary: {
      const auto operand = integer(*expr.left, scope, target);
      if (!operand) return std::nullopt;
      if (expr.op == Punct::Minus) return -*operand;
      if (expr.op == Punct::Plus) return operand;
      if (target.is_signed) return -(*operand + 1);
      return ((Int128{1} << target.width) - 1) - *operand;
    }
    case ast::ExprKind::Binary: {
      const auto a = integer(*expr.left, scope, target);
      const auto b = integer(*expr.right, scope, target);
      if (!a || !b) return std::nullopt;
      return integer_binary(expr, *a, *b);
    }
  }
  return std::nullopt;
}

std::optional<Int128> Evaluator::integer_binary(const ast::Expr& expr, Int128 a, Int128 b) {
  Int128 out = 0;
  bool overflow = false;
  switch (expr.op) {
    case Punct::Pipe: out = a | b; break;
    case Punct::Caret: out = a ^ b; break;
    case Punct::Ampersand: out = a & b; break;
    case Punct::ShiftLeft:
    case Punct::ShiftRight:
      if (b < 0 || b >= 64) {
        diagnostics_.error(expr.right->span, "a shift must be by 0 to 63 bits, not by " + decimal(b));
        return std::nullopt;
      }
      if (expr.op == Punct::ShiftRight) {
        out = a >> static_cast<int>(b);
      } else {
        overflow = __builtin_mul_overflow(a, Int128{1} << static_cast<int>(b), &out);
      }
      break;
    case Punct::Plus: overflow = __builtin_add_overflow(a, b, &out); break;
    case Punct::Minus: overflow = __builtin_sub_overflow(a, b, &out); break;
    case Punct::Star: overflow = __builtin_mul_overflow(a, b, &out); break;
    case Punct::Slash:
    case Punct::Percent:
      if (b == 0) {
        diagnostics_.error(expr.span, "division by zero");
        return std::nullopt;
      }
      out = expr.op == Punct::Slash ? a / b : a % b;
      break;
    default: return std::nullopt;
  }
  // Nothing in IDL is wider than 64 bits: an intermediate value that does not fit in 65 signed bits is an error, too.
  if (overflow || out > (Int128{1} << 64) || out < -(Int128{1} << 64)) {
    diagnostics_.error(expr.span, "the value of this expression does not fit in 64 bits");
    return std::nullopt;
  }
  return out;
}

std::optional<Value> Evaluator::ranged_integer(const ast::Expr& expr, TypeKind kind, Scope& scope) {
  const auto computed = integer(expr, scope, {width_of(kind), model::is_signed(kind)});
  if (!computed) return std::nullopt;
  const IntegerRange range = range_of(kind);
  if (*computed < range.least || *computed > range.most) {
    diagnostics_.error(expr.span, "the value " + decimal(*computed) + " is out of range for " +
                                      model::to_string(kind) + " (" + decimal(range.least) + " to " +
                                      decimal(range.most) + ")");
    return std::nullopt;
  }
  Value out;
  if (model::is_signed(kind)) {
    out.kind = ValueKind::Integer;
    out.integer = static_cast<std::int64_t>(*computed);
  } else {
    out.kind = ValueKind::Unsigned;
    out.unsigned_integer = static_cast<std::uint64_t>(*computed);
  }
  return out;
}

std::optional<Value> Evaluator::enumerator(const ast::Expr& expr, const model::Enum& wanted, Scope& scope) {
  if (expr.kind != ast::ExprKind::Name) {
    mismatch(expr, ("an enumerator of '" + wanted.name + "'").c_str());
    return std::nullopt;
  }
  const Entry* entry = scopes_.find(scope, expr.name);
  if (entry == nullptr && expr.name.parts.size() == 1) {
    for (const model::Enumerator* one : wanted.enumerators) {
      if (one->name != expr.name.parts.front().text) continue;
      diagnostics_.error(expr.span, "'" + one->name + "' is not visible here",
                         "write '" + one->scoped_name.substr(2) + "'");
      return std::nullopt;
    }
  }
  entry = scopes_.look_up(scope, expr.name, "an enumerator");
  if (entry == nullptr) return std::nullopt;
  Value out;
  out.kind = ValueKind::Enumerator;
  if (entry->kind == Entry::Kind::Declaration) {
    out.enumerator = model::as<model::Enumerator>(entry->decl);
    if (const auto* c = model::as<model::Constant>(entry->decl)) {
      if (c->value.kind == ValueKind::None) return std::nullopt;
      out.enumerator = c->value.enumerator;
    }
  }
  if (out.enumerator == nullptr || out.enumerator->parent != &wanted) {
    diagnostics_.error(expr.span, "'" + expr.name.text() + "' is not an enumerator of '" + wanted.name + "'");
    diagnostics_.note(entry->span, "declared here");
    return std::nullopt;
  }
  return out;
}

std::optional<Value> Evaluator::bitmask(const ast::Expr& expr, const model::Bitmask& wanted, Scope& scope) {
  const auto computed = integer(expr, scope, {wanted.bit_bound, false});
  if (!computed) return std::nullopt;
  if (*computed < 0 || *computed >= (Int128{1} << wanted.bit_bound)) {
    diagnostics_.error(expr.span, "this value does not fit in the " + std::to_string(wanted.bit_bound) +
                                      " bits of '" + wanted.name + "'");
    return std::nullopt;
  }
  Value out;
  out.kind = ValueKind::Unsigned;
  out.unsigned_integer = static_cast<std::uint64_t>(*computed);
  return out;
}

// Booleans, characters and strings: a literal or a name, no operators.
std::optional<Value> Evaluator::plain(const ast::Expr& expr, const model::Type& type, Scope& scope) {
  struct Plain {
    TypeKind type;
    TokenKind token;
    ValueKind value;
  };
  static constexpr Plain plains[] = {
      {TypeKind::Boolean, TokenKind::Keyword, ValueKind::Boolean},
      {TypeKind::Char, TokenKind::Char, ValueKind::Char},
      {TypeKind::WChar, TokenKind::WChar, ValueKind::WChar},
      {TypeKind::String, TokenKind::String, ValueKind::String},
      {TypeKind::WString, TokenKind::WString, ValueKind::WString},
  };
  const Plain* row = nullptr;
  for (const Plain& plain : plains) {
    if (plain.type == type.kind) row = &plain;
  }
  if (row == nullptr) {
    diagnostics_.error(expr.span,
                       std::string("a constant cannot have the type ") + model::to_string(type.kind));
    return std::nullopt;
  }
  Value out;
  if (expr.kind == ast::ExprKind::Name) {
    const Value* value = constant(expr, scope, value_noun(row->value));
    if (value == nullptr) return std::nullopt;
    if (value->kind != row->value) {
      diagnostics_.error(expr.span, std::string("expected ") + value_noun(row->value) + ", but '" +
                                        expr.name.text() + "' is " + value_noun(value->kind));
      return std::nullopt;
    }
    out = *value;
  } else if (expr.kind != ast::ExprKind::Literal) {
    diagnostics_.error(
        expr.span, std::string("expected ") + value_noun(row->value) + "; operators work on numbers only");
    return std::nullopt;
  } else if (expr.literal.kind != row->token) {
    mismatch(expr, value_noun(row->value));
    return std::nullopt;
  } else {
    out.kind = row->value;
    if (type.kind == TypeKind::Boolean) out.boolean = expr.literal.keyword == Keyword::True;
    if (type.kind == TypeKind::Char || type.kind == TypeKind::WChar) {
      out.character = decode_char(expr.literal, diagnostics_);
    }
    if (type.kind == TypeKind::String) out.text = decode_string(expr.literal, diagnostics_);
    if (type.kind == TypeKind::WString) out.wide = decode_wide_string(expr.literal, diagnostics_);
    for (const Token& more : expr.more) {
      if (more.kind != row->token) {
        diagnostics_.error(more.span, "strings and wide strings cannot be joined");
        return std::nullopt;
      }
      if (type.kind == TypeKind::String) out.text += decode_string(more, diagnostics_);
      if (type.kind == TypeKind::WString) out.wide += decode_wide_string(more, diagnostics_);
    }
  }
  const std::size_t length = type.kind == TypeKind::WString ? out.wide.size() : out.text.size();
  if (type.bound != 0 && length > type.bound) {
    diagnostics_.error(expr.span, "this string has " + std::to_string(length) +
                                      " characters, its type allows " + std::to_string(type.bound));
    return std::nullopt;
  }
  return out;
}

std::optional<Value> Evaluator::evaluate(const ast::Expr& expr, const model::Type* type, Scope& scope) {
  const model::Type* real = model::resolve_aliases(type);
  if (real == nullptr) return std::nullopt;
  if (model::is_integer(real->kind) || real->kind == TypeKind::Octet)
    return ranged_integer(expr, real->kind, scope);
  switch (real->kind) {
    case TypeKind::Float:
    case TypeKind::Double:
    case TypeKind::LongDouble: return ranged_floating(expr, real->kind, scope);
    case TypeKind::Fixed: return ranged_fixed(expr, *real, scope);
    case TypeKind::Named:
      if (const auto* e = model::as<model::Enum>(real->decl)) return enumerator(expr, *e, scope);
      if (const auto* b = model::as<model::Bitmask>(real->decl)) return bitmask(expr, *b, scope);
      diagnostics_.error(expr.span, "'" + real->decl->name + "' has no constants");
      return std::nullopt;
    default: return plain(expr, *real, scope);
  }
}

std::optional<Value> Evaluator::evaluate_free(const ast::Expr& expr, Scope& scope) {
  const ast::Expr* leaf = &expr;
  while (leaf->left) leaf = leaf->left.get();
  model::Type type;
  if (leaf->kind == ast::ExprKind::Name) {
    const Entry* entry = scopes_.look_up(scope, leaf->name, "a constant");
    if (entry == nullptr) return std::nullopt;
    if (entry->kind == Entry::Kind::Declaration) {
      if (const auto* c = model::as<model::Constant>(entry->decl)) {
        if (leaf == &expr) return c->value.kind == ValueKind::None ? std::nullopt : std::optional(c->value);
        return evaluate(expr, c->type, scope);
      }
      if (const auto* e = model::as<model::Enumerator>(entry->decl); e != nullptr && leaf == &expr) {
        Value out;
        out.kind = ValueKind::Enumerator;
        out.enumerator = e;
        return out;
      }
    }
    diagnostics_.error(expr.span, "'" + leaf->name.text() + "' is not a constant");
    return std::nullopt;
  }
  switch (leaf->literal.kind) {
    case TokenKind::Integer: type.kind = TypeKind::LongLong; break;
    case TokenKind::Floating: type.kind = TypeKind::Double; break;
    case TokenKind::FixedPoint: type.kind = TypeKind::Fixed; break;
    case TokenKind::Char: type.kind = TypeKind::Char; break;
    case TokenKind::WChar: type.kind = TypeKind::WChar; break;
    case TokenKind::String: type.kind = TypeKind::String; break;
    case TokenKind::WString: type.kind = TypeKind::WString; break;
    default: type.kind = TypeKind::Boolean; break;
  }
  if (leaf == &expr && type.kind == TypeKind::LongLong &&
      decode_integer(expr.literal, diagnostics_) > INT64_MAX) {
    type.kind = TypeKind::ULongLong;
  }
  return evaluate(expr, &type, scope);
}

std::optional<std::uint64_t> Evaluator::evaluate_count(const ast::Expr& expr, Scope& scope,
                                                       std::uint64_t least, std::uint64_t most,
                                                       const char* what) {
  const auto computed = integer(expr, scope, {64, true});
  if (!computed) return std::nullopt;
  if (*computed < static_cast<Int128>(least) || *computed > static_cast<Int128>(most)) {
    diagnostics_.error(expr.span, std::string(what) + " must be from " + std::to_string(least) + " to " +
                                      std::to_string(most) + ", not " + decimal(*computed));
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(*computed);
}

}  // namespace tenon::idl
