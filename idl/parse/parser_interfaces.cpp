// SPDX-License-Identifier: Apache-2.0
//
// Interfaces, value types, and what stands in them.
#include "idl/parse/parser.hpp"

namespace tenon::idl {

ast::DefinitionPtr Parser::interface(bool local, bool abstract) {
  take();
  auto node = std::make_unique<ast::Interface>();
  node->local = local;
  node->abstract = abstract;
  if (!name(node->name, "the name of the interface")) return nullptr;
  if (at(Punct::Semicolon)) {
    node->forward = true;
    take();
    return node;
  }
  if (accept(Punct::Colon) && !scoped_name_list(node->bases, "a base interface")) return nullptr;
  if (!expect(Punct::LeftBrace, "or ';' after the name of the interface")) return nullptr;
  if (!body_until(node->body, Scope::Interface, "the interface")) return nullptr;
  expect_semicolon("the interface");
  return node;
}

// valuetype V; valuetype V type; valuetype V : B supports I { ... };
ast::DefinitionPtr Parser::value(bool custom, bool abstract) {
  take();
  auto node = std::make_unique<ast::Value>();
  node->custom = custom;
  node->abstract = abstract;
  if (!name(node->name, "the name of the value type")) return nullptr;
  if (at(Punct::Semicolon)) {
    if (custom) diagnostics_.error(peek().span, "a forward declaration of a value type cannot say 'custom'");
    node->forward = true;
    take();
    return node;
  }
  if (!at(Punct::Colon) && !at(Keyword::Supports) && !at(Punct::LeftBrace)) {
    node->boxed = type();
    if (!node->boxed || !expect_semicolon("the value box")) return nullptr;
    if (custom || abstract) {
      diagnostics_.error(node->name.span, "a value box cannot be custom or abstract");
    }
    return node;
  }
  if (accept(Punct::Colon)) {
    node->truncatable_span = peek().span;
    node->truncatable = accept(Keyword::Truncatable);
    if (!scoped_name_list(node->bases, "a base value type")) return nullptr;
  }
  if (accept(Keyword::Supports) && !scoped_name_list(node->supports, "a supported interface")) return nullptr;
  if (!expect(Punct::LeftBrace, "to open the value type")) return nullptr;
  if (!body_until(node->body, Scope::Value, "the value type")) return nullptr;
  expect_semicolon("the value type");
  return node;
}

ast::DefinitionPtr Parser::operation() {
  auto node = std::make_unique<ast::Operation>();
  node->oneway = accept(Keyword::Oneway);
  node->result = type();
  if (!node->result) return nullptr;
  if (!name(node->name, "the name of the operation")) return nullptr;
  if (at(Punct::Semicolon) || at(Punct::Comma)) {
    diagnostics_.error(node->name.span, "'" + node->name.text + "' is neither an operation nor an attribute",
                       "add '()' or put 'attribute' in front");
    return nullptr;
  }
  if (!expect(Punct::LeftParen, "after the name of the operation")) return nullptr;
  if (!parameters(node->parameters, false)) return nullptr;
  if (!raises(Keyword::Raises, node->raises)) return nullptr;
  if (accept(Keyword::Context)) {
    if (!expect(Punct::LeftParen, "after 'context'")) return nullptr;
    do {
      if (peek().kind != TokenKind::String) {
        unexpected("the name of a context property in quotes");
        return nullptr;
      }
      node->contexts.push_back(take());
    } while (accept(Punct::Comma));
    if (!expect(Punct::RightParen, "after the context")) return nullptr;
  }
  if (!expect_semicolon("the operation")) return nullptr;
  return node;
}

// Reads up to and including the closing parenthesis.
bool Parser::parameters(std::vector<ast::Parameter>& out, bool only_in) {
  if (accept(Punct::RightParen)) return true;
  if (at(Keyword::Void) && at(Punct::RightParen, 1)) {
    diagnostics_.error(peek().span, "an operation without parameters is written '()'", "leave out 'void'");
    take();
    take();
    return true;
  }
  do {
    ast::Parameter one;
    if (!annotations(one.annotations)) return false;
    if (at(Keyword::In) || at(Keyword::Out) || at(Keyword::InOut)) {
      one.direction = peek().keyword;
      if (only_in && one.direction != Keyword::In) {
        diagnostics_.error(peek().span, "the parameters of a factory can only be 'in'");
      }
      take();
    } else {
      // Say what is missing and go on as if it were `in`.
      diagnostics_.error(peek().span, "expected 'in', 'out' or 'inout' before the type of the parameter",
                         "every parameter says which way it travels");
    }
    ast::Annotations more;
    if (!annotations(more)) return false;
    for (ast::Annotation& annotation : more) one.annotations.push_back(std::move(annotation));
    one.type = type();
    if (!one.type || !name(one.name, "the name of the parameter")) return false;
    if (at(Punct::LeftBracket)) {
      diagnostics_.error(peek().span, "a parameter cannot be an anonymous array",
                         "give the array a name with typedef");
      return false;
    }
    out.push_back(std::move(one));
  } while (accept(Punct::Comma));
  return expect(Punct::RightParen, "or ',' after the parameter");
}

bool Parser::raises(Keyword keyword, std::vector<ast::ScopedName>& out) {
  if (!accept(keyword)) return true;
  if (!expect(Punct::LeftParen, "before the exceptions")) return false;
  if (at(Punct::RightParen)) {
    diagnostics_.error(peek().span, "the list of exceptions is empty", "leave it out");
    take();
    return true;
  }
  return scoped_name_list(out, "an exception") && expect(Punct::RightParen, "after the exceptions");
}

ast::DefinitionPtr Parser::attribute() {
  auto node = std::make_unique<ast::Attribute>();
  node->readonly = accept(Keyword::Readonly);
  if (!accept(Keyword::Attribute)) {
    unexpected("'attribute' after 'readonly'");
    return nullptr;
  }
  node->type = type();
  if (!node->type) return nullptr;
  do {
    ast::Name one;
    if (!name(one, "the name of the attribute")) return nullptr;
    node->names.push_back(std::move(one));
  } while (accept(Punct::Comma));
  node->name = node->names.front();
  if (node->readonly) {
    if (!raises(Keyword::Raises, node->get_raises)) return nullptr;
  } else {
    if (!raises(Keyword::GetRaises, node->get_raises)) return nullptr;
    if (!raises(Keyword::SetRaises, node->set_raises)) return nullptr;
    if (at(Keyword::Raises)) {
      diagnostics_.error(peek().span, "'raises' is for readonly attributes",
                         "use 'getraises' and 'setraises'");
      return nullptr;
    }
  }
  if (!expect_semicolon("the attribute")) return nullptr;
  return node;
}

ast::DefinitionPtr Parser::state_member() {
  auto node = std::make_unique<ast::StateMember>();
  node->is_public = take().keyword == Keyword::Public;
  if (!member(node->member)) return nullptr;
  node->name = node->member.declarators.front().name;
  return node;
}

ast::DefinitionPtr Parser::initializer() {
  take();
  auto node = std::make_unique<ast::Initializer>();
  if (!name(node->name, "the name of the factory")) return nullptr;
  if (!expect(Punct::LeftParen, "after the name of the factory")) return nullptr;
  if (!parameters(node->parameters, true)) return nullptr;
  if (!raises(Keyword::Raises, node->raises)) return nullptr;
  if (!expect_semicolon("the factory")) return nullptr;
  return node;
}

}  // namespace tenon::idl
