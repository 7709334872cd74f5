// SPDX-License-Identifier: Apache-2.0
//
// What may stand in a file, module or other scope; annotations; constructs that are recognised and refused.
#include "idl/parse/parser.hpp"

namespace tenon::idl {

bool Parser::starts_definition(const Token& token) {
  if (token.kind != TokenKind::Keyword) return token.punct == Punct::At;
  switch (token.keyword) {
    case Keyword::Module:
    case Keyword::Interface:
    case Keyword::Struct:
    case Keyword::Union:
    case Keyword::Enum:
    case Keyword::Exception:
    case Keyword::Typedef:
    case Keyword::Const:
    case Keyword::ValueType:
    case Keyword::Abstract:
    case Keyword::Local:
    case Keyword::Custom:
    case Keyword::Native:
    case Keyword::Attribute:
    case Keyword::Readonly:
    case Keyword::Oneway: return true;
    default: return false;
  }
}

// Definitions up to the closing brace, which is taken.
bool Parser::body_until(ast::Body& body, Scope scope, const char* what) {
  const Span open = last_.span;
  if (!enter()) return false;
  while (!at(Punct::RightBrace)) {
    flush_pragmas(body);
    if (peek().kind == TokenKind::End) {
      diagnostics_.error(peek().span,
                         std::string("expected '}' to close ") + what + ", found the end of the file");
      diagnostics_.note(open, "it was opened here");
      leave();
      return true;  // what there is may still be checked
    }
    if (auto node = definition(scope)) body.push_back(std::move(node));
  }
  flush_pragmas(body);
  leave();
  take();
  return true;
}

ast::DefinitionPtr Parser::definition(Scope scope) {
  ast::Annotations notes;
  if (!annotations(notes)) {
    recover(braces_);
    return nullptr;
  }
  if (at(Punct::Semicolon)) {  // harmless and common: "};;"
    diagnostics_.warning(peek().span, "superfluous ';'");
    take();
    return nullptr;
  }
  recovered_ = false;
  const int level = braces_;
  ast::DefinitionPtr node = at(Punct::At) ? annotation_declaration() : keyword_definition(scope);
  if (!node) {
    if (!recovered_) recover(level);
    recovered_ = false;
    return nullptr;
  }
  node->annotations = std::move(notes);
  return node;
}

ast::DefinitionPtr Parser::keyword_definition(Scope scope) {
  const bool exports = scope == Scope::Interface || scope == Scope::Value;
  switch (peek().keyword) {
    case Keyword::Const: return constant();
    case Keyword::Typedef:
    case Keyword::Struct:
    case Keyword::Union:
    case Keyword::Enum: return type_definition();
    case Keyword::Native: return native();
    case Keyword::Exception: return exception();
    case Keyword::Attribute:
    case Keyword::Readonly:
      if (exports) return attribute();
      break;
    case Keyword::Oneway:
      if (exports) return operation();
      break;
    case Keyword::Public:
    case Keyword::Private:
      if (scope == Scope::Value) return state_member();
      break;
    case Keyword::Factory:
      if (scope == Scope::Value) return initializer();
      break;
    case Keyword::Module:
    case Keyword::Interface:
    case Keyword::ValueType:
    case Keyword::Abstract:
    case Keyword::Local:
    case Keyword::Custom: {
      if (exports) {
        diagnostics_.error(peek().span, "'" + std::string(peek().text) + "' cannot stand inside " +
                                            (scope == Scope::Value ? "a value type" : "an interface"));
        return nullptr;
      }
      if (at(Keyword::Module)) return module();
      const bool abstract = accept(Keyword::Abstract);
      const bool local = !abstract && accept(Keyword::Local);
      const bool custom = !abstract && !local && accept(Keyword::Custom);
      if (at(Keyword::Interface) && !custom) return interface(local, abstract);
      if (at(Keyword::ValueType) && !local) return value(custom, abstract);
      if (at(Keyword::EventType)) return refused();
      unexpected(local    ? "'interface' after 'local'"
                 : custom ? "'valuetype' after 'custom'"
                          : "'interface' or 'valuetype' after 'abstract'");
      return nullptr;
    }
    default: break;
  }
  if (peek().kind == TokenKind::Identifier && peek().keyword != Keyword::None) {
    if (auto node = soft_definition(scope)) return node;
    if (peek().kind != TokenKind::Identifier || peek().keyword == Keyword::None || !exports) return nullptr;
  }
  if (exports) return operation();
  if (peek().kind == TokenKind::Identifier || peek().kind == TokenKind::Keyword) {
    diagnostics_.error(peek().span, "expected a definition, found " + found(),
                       "module, interface, struct, union, enum, typedef, const, exception, valuetype ...");
  } else {
    unexpected("a definition");
  }
  return nullptr;
}

// A definition that begins with a word which is a keyword only here.
ast::DefinitionPtr Parser::soft_definition(Scope scope) {
  const Token& next = peek(1);
  const bool name_follows = next.kind == TokenKind::Identifier || next.punct == Punct::Scope;
  if (!name_follows && next.kind != TokenKind::String && next.kind != TokenKind::Keyword) {
    if (scope == Scope::File || scope == Scope::Module) unexpected("a definition");
    return nullptr;
  }
  const bool call =
      next.kind == TokenKind::Identifier && at(Punct::LeftParen, 2);  // an operation of that type
  switch (peek().keyword) {
    case Keyword::TypeId: return call ? nullptr : type_id();
    case Keyword::TypePrefix: return call ? nullptr : type_prefix();
    case Keyword::Import: return call ? nullptr : import();
    case Keyword::Bitmask: return call ? nullptr : bitmask();
    case Keyword::Bitset: return call ? nullptr : bitset();
    case Keyword::Component:
    case Keyword::Connector:
    case Keyword::EventType:
    case Keyword::Home:
    case Keyword::PortType:
    case Keyword::Alias: return scope == Scope::Interface || scope == Scope::Value ? nullptr : refused();
    default: return nullptr;
  }
}

// Constructs of the component model, and template modules: they are reported by name and skipped as a whole.
ast::DefinitionPtr Parser::refused() {
  const std::string word(peek().text);
  const bool event = peek().keyword == Keyword::EventType;
  skip_construct("'" + word + "' is not supported: " + (event ? "event types belong" : "it belongs") +
                     " to the CORBA component model",
                 event ? "declare a valuetype instead" : "this construct is skipped");
  return nullptr;
}

ast::DefinitionPtr Parser::module() {
  take();
  auto node = std::make_unique<ast::Module>();
  const std::uint32_t before = diagnostics_.errors();
  if (peek().kind == TokenKind::Identifier && (at(Punct::Less, 1) || at(Punct::Scope, 1))) {
    skip_construct("template modules are not supported", "this construct is skipped");
    return nullptr;
  }
  if (!name(node->name, "the name of the module")) return nullptr;
  if (!expect(Punct::LeftBrace, "after the name of the module")) return nullptr;
  if (!body_until(node->body, Scope::Module, "the module")) return nullptr;
  if (peek().kind == TokenKind::End && diagnostics_.errors() != before) return node;
  if (node->body.empty() && diagnostics_.errors() == before) {
    diagnostics_.warning(node->name.span, "module '" + node->name.text + "' is empty");  // not in the grammar
  }
  expect_semicolon("the module");
  return node;
}

ast::DefinitionPtr Parser::constant() {
  take();
  auto node = std::make_unique<ast::Constant>();
  node->type = type();
  if (!node->type || !name(node->name, "the name of the constant")) return nullptr;
  if (!expect(Punct::Equals, "and a value for the constant")) return nullptr;
  node->value = expression();
  if (!node->value || !expect_semicolon("the constant")) return nullptr;
  return node;
}

// typedef, or one of the types that can stand alone.
ast::DefinitionPtr Parser::type_definition() {
  if (accept(Keyword::Typedef)) {
    auto node = std::make_unique<ast::Typedef>();
    ast::Annotations notes;
    if (!annotations(notes)) return nullptr;
    if (at(Keyword::Native)) {
      diagnostics_.error(peek().span, "'native' declares a type by itself", "leave out 'typedef'");
      return nullptr;
    }
    node->type = type();
    if (!node->type || !declarators(node->declarators)) return nullptr;
    node->name = node->declarators.front().name;
    if (!expect_semicolon("the typedef")) return nullptr;
    return node;
  }
  ast::DefinitionPtr node;
  const char* what = "the enum";
  if (at(Keyword::Struct)) {
    node = struct_definition();
    what = "the struct";
  } else if (at(Keyword::Union)) {
    node = union_definition();
    what = "the union";
  } else {
    node = enumeration();
  }
  if (!node || !expect_semicolon(what)) return nullptr;
  return node;
}

ast::DefinitionPtr Parser::native() {
  take();
  auto node = std::make_unique<ast::Native>();
  if (!name(node->name, "the name of the native type")) return nullptr;
  if (!expect_semicolon("the native type")) return nullptr;
  return node;
}

ast::DefinitionPtr Parser::type_id() {
  take();
  auto node = std::make_unique<ast::TypeId>();
  if (!scoped_name(node->target, "a name after 'typeid'")) return nullptr;
  if (!string_literal(node->id, node->id_span, "a repository id in quotes")) return nullptr;
  if (!expect_semicolon("typeid")) return nullptr;
  return node;
}

ast::DefinitionPtr Parser::type_prefix() {
  take();
  auto node = std::make_unique<ast::TypePrefix>();
  if (!scoped_name(node->target, "a name after 'typeprefix'")) return nullptr;
  if (!string_literal(node->prefix, node->prefix_span, "a prefix in quotes")) return nullptr;
  if (!expect_semicolon("typeprefix")) return nullptr;
  return node;
}

ast::DefinitionPtr Parser::import() {
  auto node = std::make_unique<ast::Import>();
  node->span = take().span;
  if (peek().kind == TokenKind::String) {
    if (!string_literal(node->text, node->span, "a string")) return nullptr;
  } else if (scoped_name(node->scope, "a scope after 'import'")) {
    node->span = node->scope.span();
  } else {
    return nullptr;
  }
  if (!expect_semicolon("import")) return nullptr;
  return node;
}

bool Parser::annotations(ast::Annotations& out) {
  while (at(Punct::At)) {
    if (peek(1).text == "annotation") return true;  // a declaration: definition() is asked for it
    ast::Annotation one;
    if (!annotation(one)) return false;
    out.push_back(std::move(one));
  }
  return true;
}

// @name, @name(value), @name(a = 1, b = "x"): IDL 4.2 §7.4.15
bool Parser::annotation(ast::Annotation& out) {
  take();
  if (peek().kind == TokenKind::Keyword) {  // @default, @oneway
    const Token word = take();
    out.name.parts.push_back({std::string(word.text), word.span});
  } else if (!scoped_name(out.name, "the name of an annotation")) {
    return false;
  }
  if (!accept(Punct::LeftParen)) return true;
  if (accept(Punct::RightParen)) return true;
  do {
    ast::Annotation::Parameter parameter;
    const bool named =
        at(Punct::Equals, 1) && (peek().kind == TokenKind::Identifier || peek().kind == TokenKind::Keyword);
    if (named) {
      const Token word = take();
      take();
      parameter.name = ast::Name{std::string(word.text), word.span};
    }
    parameter.value = expression();
    if (!parameter.value) return false;
    out.parameters.push_back(std::move(parameter));
  } while (accept(Punct::Comma));
  return expect(Punct::RightParen, "after the parameters of the annotation");
}

// @annotation name { type member [default value]; ... };
ast::DefinitionPtr Parser::annotation_declaration() {
  take();
  take();
  auto node = std::make_unique<ast::AnnotationDecl>();
  if (peek().kind == TokenKind::Keyword) {
    const Token word = take();
    node->name = {std::string(word.text), word.span};
  } else if (!name(node->name, "the name of the annotation")) {
    return nullptr;
  }
  if (!expect(Punct::LeftBrace, "after the name of the annotation") || !enter()) return nullptr;
  bool good = true;
  while (good && !at(Punct::RightBrace) && peek().kind != TokenKind::End) {
    if (at(Keyword::Enum) || at(Keyword::Const) || at(Keyword::Typedef)) {
      if (auto inner = definition(Scope::Annotation)) node->body.push_back(std::move(inner));
      continue;
    }
    ast::AnnotationField field;
    if (!accept(Keyword::Any)) {
      field.type = type();
      good = field.type != nullptr;
    }
    good = good && name(field.name, "the name of a parameter");
    if (good && accept(Keyword::Default)) {
      field.default_value = expression();
      good = field.default_value != nullptr;
    }
    good = good && expect_semicolon("the parameter");
    if (good) node->fields.push_back(std::move(field));
  }
  leave();
  if (!good || !expect(Punct::RightBrace, "to close the annotation")) return nullptr;
  if (!expect_semicolon("the annotation")) return nullptr;
  return node;
}

}  // namespace tenon::idl
