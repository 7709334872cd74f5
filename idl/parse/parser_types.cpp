// SPDX-License-Identifier: Apache-2.0
//
// Types, declarators and constant expressions.
#include "idl/parse/parser.hpp"

#include <algorithm>

namespace tenon::idl {

using model::TypeKind;

namespace {

struct BasicKeyword {
  Keyword keyword;
  TypeKind kind;
};
constexpr BasicKeyword basics[] = {
    {Keyword::Float, TypeKind::Float},
    {Keyword::Double, TypeKind::Double},
    {Keyword::Boolean, TypeKind::Boolean},
    {Keyword::Char, TypeKind::Char},
    {Keyword::WChar, TypeKind::WChar},
    {Keyword::Octet, TypeKind::Octet},
    {Keyword::Any, TypeKind::Any},
    {Keyword::Object, TypeKind::Object},
    {Keyword::ValueBase, TypeKind::ValueBase},
    {Keyword::Short, TypeKind::Short},
    {Keyword::Int8, TypeKind::Int8},
    {Keyword::UInt8, TypeKind::UInt8},
    {Keyword::Int16, TypeKind::Short},
    {Keyword::UInt16, TypeKind::UShort},
    {Keyword::Int32, TypeKind::Long},
    {Keyword::UInt32, TypeKind::ULong},
    {Keyword::Int64, TypeKind::LongLong},
    {Keyword::UInt64, TypeKind::ULongLong},
    {Keyword::Void, TypeKind::Void},
};

// IDL 4.2 §7.4.1.3, rules (5)-(14): loosest binding first.
int level_of(Punct punct) {
  switch (punct) {
    case Punct::Pipe: return 0;
    case Punct::Caret: return 1;
    case Punct::Ampersand: return 2;
    case Punct::ShiftLeft:
    case Punct::ShiftRight: return 3;
    case Punct::Plus:
    case Punct::Minus: return 4;
    case Punct::Star:
    case Punct::Slash:
    case Punct::Percent: return 5;
    default: return -1;
  }
}
constexpr int tightest_level = 5;

}  // namespace

ast::TypePtr Parser::type() {
  if (!enter()) return nullptr;
  ast::TypePtr out;
  const Token& token = peek();
  if (token.keyword == Keyword::Map && at(Punct::Less, 1)) {
    out = template_type(ast::TypeForm::Map);
  } else if (token.kind == TokenKind::Keyword) {
    out = type_of_keyword();
  } else if (token.kind == TokenKind::Identifier || token.punct == Punct::Scope) {
    out = std::make_unique<ast::TypeSpec>();
    out->form = ast::TypeForm::Named;
    if (scoped_name(out->name, "a type")) {
      out->span = out->name.span();
    } else {
      out = nullptr;
    }
  } else {
    unexpected("a type");
  }
  leave();
  return out;
}

ast::TypePtr Parser::type_of_keyword() {
  const Token token = peek();
  switch (token.keyword) {
    case Keyword::String: return template_type(ast::TypeForm::String);
    case Keyword::WString: return template_type(ast::TypeForm::WString);
    case Keyword::Sequence: return template_type(ast::TypeForm::Sequence);
    case Keyword::Fixed: return template_type(ast::TypeForm::Fixed);
    default: break;
  }
  auto out = std::make_unique<ast::TypeSpec>();
  out->span = token.span;
  for (const BasicKeyword& basic : basics) {
    if (basic.keyword != token.keyword) continue;
    take();
    out->basic = basic.kind;
    return out;
  }
  if (accept(Keyword::Long)) {
    if (accept(Keyword::Long)) {
      out->basic = TypeKind::LongLong;
    } else if (accept(Keyword::Double)) {
      out->basic = TypeKind::LongDouble;
    } else {
      out->basic = TypeKind::Long;
    }
    return out;
  }
  if (accept(Keyword::Unsigned)) {
    if (accept(Keyword::Short)) {
      out->basic = TypeKind::UShort;
    } else if (accept(Keyword::Long)) {
      out->basic = accept(Keyword::Long) ? TypeKind::ULongLong : TypeKind::ULong;
    } else {
      diagnostics_.error(token.span, "'unsigned' must be followed by 'short' or 'long', found " + found(),
                         "there is no type 'unsigned' alone");
      return nullptr;
    }
    return out;
  }
  out->form = ast::TypeForm::Inline;
  if (token.keyword == Keyword::Struct) {
    out->definition = struct_definition();
  } else if (token.keyword == Keyword::Union) {
    out->definition = union_definition();
  } else if (token.keyword == Keyword::Enum) {
    out->definition = enumeration();
  } else {
    unexpected("a type");
    return nullptr;
  }
  return out->definition ? std::move(out) : nullptr;
}

// string<n>, wstring<n>, fixed<d,s>, sequence<t,n>, map<k,t,n>
ast::TypePtr Parser::template_type(ast::TypeForm form) {
  auto out = std::make_unique<ast::TypeSpec>();
  out->form = form;
  out->span = take().span;
  const bool plain_allowed = form != ast::TypeForm::Sequence && form != ast::TypeForm::Map;
  if (!at(Punct::Less) && plain_allowed) return out;
  const std::string keyword(last_.text);
  if (!expect(Punct::Less, ("after '" + keyword + "'").c_str())) return nullptr;
  const bool outer = in_angles_;
  in_angles_ = true;
  bool good = true;
  if (form == ast::TypeForm::Map) {
    out->key = type();
    good = out->key && expect(Punct::Comma, "after the key type of the map");
  }
  if (good && !plain_allowed) {
    out->element = type();
    good = out->element != nullptr;
  }
  if (good && (plain_allowed || accept(Punct::Comma))) {
    out->bound = expression();
    good = out->bound != nullptr;
  }
  if (good && form == ast::TypeForm::Fixed) {
    good = expect(Punct::Comma, "between the digits and the scale of 'fixed'");
    if (good) out->scale = expression();
    good = good && out->scale;
  }
  in_angles_ = outer;
  if (!good || !expect_close_angle(("to close '" + keyword + "<'").c_str())) return nullptr;
  return out;
}

bool Parser::declarators(std::vector<ast::Declarator>& out) {
  do {
    ast::Declarator one;
    if (!declarator(one)) return false;
    out.push_back(std::move(one));
  } while (accept(Punct::Comma));
  return true;
}

bool Parser::declarator(ast::Declarator& out) {
  if (!name(out.name, "a name")) return false;
  while (accept(Punct::LeftBracket)) {
    if (out.dimensions.size() == most_names) {
      diagnostics_.error(last_.span, "this array has too many dimensions");
      return false;
    }
    if (at(Punct::RightBracket)) {
      diagnostics_.error(peek().span, "an array needs a size between its brackets",
                         "use a sequence<...> instead?");
      return false;
    }
    ast::ExprPtr size = expression();
    if (!size || !expect(Punct::RightBracket, "after the size of the array")) return false;
    out.dimensions.push_back(std::move(size));
  }
  return true;
}

ast::ExprPtr Parser::expression() {
  if (!enter()) return nullptr;
  ast::ExprPtr out = binary(0);
  leave();
  return out;
}

ast::ExprPtr Parser::binary(int level) {
  if (level > tightest_level) return unary();
  ast::ExprPtr left = binary(level + 1);
  while (left && level_of(peek().punct) == level && !(in_angles_ && at(Punct::ShiftRight))) {
    const Token op = take();
    ast::ExprPtr right = binary(level + 1);
    if (!right) return nullptr;
    auto node = std::make_unique<ast::Expr>();
    node->kind = ast::ExprKind::Binary;
    node->op = op.punct;
    node->span = op.span;
    node->height = std::max(left->height, right->height) + 1;
    node->left = std::move(left);
    node->right = std::move(right);
    left = std::move(node);
    if (left->height > tallest_expression) {
      diagnostics_.error(op.span, "this expression is too long");
      return nullptr;
    }
  }
  return left;
}

ast::ExprPtr Parser::unary() {
  if (!at(Punct::Minus) && !at(Punct::Plus) && !at(Punct::Tilde)) return primary();
  const Token op = take();
  // The grammar has one unary operator at most: IDL 4.2 rule (14).
  ast::ExprPtr operand = primary();
  if (!operand) return nullptr;
  auto node = std::make_unique<ast::Expr>();
  node->kind = ast::ExprKind::Unary;
  node->op = op.punct;
  node->span = op.span;
  node->height = operand->height + 1;
  node->left = std::move(operand);
  return node;
}

ast::ExprPtr Parser::primary() {
  if (accept(Punct::LeftParen)) {
    const bool outer = in_angles_;
    in_angles_ = false;
    ast::ExprPtr inside = expression();
    in_angles_ = outer;
    if (!inside || !expect(Punct::RightParen, "to close the parenthesis")) return nullptr;
    return inside;
  }
  auto node = std::make_unique<ast::Expr>();
  node->span = peek().span;
  switch (peek().kind) {
    case TokenKind::Integer:
    case TokenKind::Floating:
    case TokenKind::FixedPoint:
    case TokenKind::Char:
    case TokenKind::WChar: node->literal = take(); return node;
    case TokenKind::String:
    case TokenKind::WString:
      node->literal = take();
      while (peek().kind == TokenKind::String || peek().kind == TokenKind::WString)
        node->more.push_back(take());
      return node;
    default: break;
  }
  if (at(Keyword::True) || at(Keyword::False)) {
    node->literal = take();
    return node;
  }
  if (peek().kind == TokenKind::Identifier || at(Punct::Scope)) {
    node->kind = ast::ExprKind::Name;
    if (!scoped_name(node->name, "a constant")) return nullptr;
    node->span = node->name.span();
    return node;
  }
  unexpected("a constant expression");
  return nullptr;
}

}  // namespace tenon::idl
