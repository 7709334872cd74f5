// SPDX-License-Identifier: Apache-2.0
//
// struct, exception, union, enum, bitmask, bitset.
#include "idl/parse/parser.hpp"

namespace tenon::idl {

// struct S; struct S { ... }; struct S : B { ... };
ast::DefinitionPtr Parser::struct_definition() {
  take();
  auto node = std::make_unique<ast::Struct>();
  if (!name(node->name, "the name of the struct")) return nullptr;
  if (at(Punct::Semicolon)) {
    node->forward = true;
    return node;
  }
  if (accept(Punct::Colon)) {
    node->base.emplace();
    if (!scoped_name(*node->base, "the base struct")) return nullptr;
  }
  if (!expect(Punct::LeftBrace, "after the name of the struct")) return nullptr;
  if (!members(node->members, node->damaged, "the struct")) return nullptr;
  return node;
}

ast::DefinitionPtr Parser::exception() {
  take();
  auto node = std::make_unique<ast::Exception>();
  if (!name(node->name, "the name of the exception")) return nullptr;
  if (!expect(Punct::LeftBrace, "after the name of the exception")) return nullptr;
  bool damaged = false;
  if (!members(node->members, damaged, "the exception")) return nullptr;
  if (!expect_semicolon("the exception")) return nullptr;
  return node;
}

// Members up to the closing brace, which is taken.
bool Parser::members(std::vector<ast::Member>& out, bool& damaged, const char* what) {
  const Span open = last_.span;
  if (!enter()) return false;
  while (!at(Punct::RightBrace)) {
    if (peek().kind == TokenKind::End) {
      diagnostics_.error(peek().span,
                         std::string("expected '}' to close ") + what + ", found the end of the file");
      diagnostics_.note(open, "it was opened here");
      leave();
      return false;
    }
    ast::Member one;
    const int level = braces_;
    if (member(one)) {
      out.push_back(std::move(one));
    } else {
      damaged = true;
      recover(level);
    }
  }
  leave();
  take();
  return true;
}

bool Parser::member(ast::Member& out) {
  if (!annotations(out.annotations)) return false;
  out.type = type();
  if (!out.type) return false;
  if (!declarators(out.declarators)) return false;
  return expect_semicolon("the member");
}

ast::DefinitionPtr Parser::union_definition() {
  take();
  auto node = std::make_unique<ast::Union>();
  if (!name(node->name, "the name of the union")) return nullptr;
  if (at(Punct::Semicolon)) {
    node->forward = true;
    return node;
  }
  if (!accept(Keyword::Switch)) {
    unexpected("'switch (type)' after the name of the union");
    return nullptr;
  }
  if (!expect(Punct::LeftParen, "after 'switch'")) return nullptr;
  if (!annotations(node->discriminator_annotations)) return nullptr;
  node->discriminator = type();
  if (!node->discriminator) return nullptr;
  if (!expect(Punct::RightParen, "after the type of the discriminator")) return nullptr;
  if (!expect(Punct::LeftBrace, "to open the union") || !enter()) return nullptr;
  while (!at(Punct::RightBrace) && peek().kind != TokenKind::End) {
    ast::UnionCase one;
    const int level = braces_;
    if (union_case(one)) {
      node->cases.push_back(std::move(one));
    } else {
      node->damaged = true;
      recover(level);
    }
  }
  leave();
  if (!expect(Punct::RightBrace, "to close the union")) return nullptr;
  return node;
}

bool Parser::union_case(ast::UnionCase& out) {
  while (at(Keyword::Case) || at(Keyword::Default)) {
    ast::CaseLabel label;
    label.span = peek().span;
    if (take().keyword == Keyword::Case) {
      label.value = expression();
      if (!label.value) return false;
      label.span = label.value->span;
    }
    if (!expect(Punct::Colon, "after the label")) return false;
    out.labels.push_back(std::move(label));
  }
  if (out.labels.empty()) {
    unexpected("'case' or 'default'");
    return false;
  }
  if (!annotations(out.member.annotations)) return false;
  out.member.type = type();
  if (!out.member.type) return false;
  out.member.declarators.emplace_back();
  if (!declarator(out.member.declarators.front())) return false;
  if (at(Punct::Comma)) {
    diagnostics_.error(peek().span, "a case of a union has exactly one member",
                       "put the members into a struct");
    return false;
  }
  return expect_semicolon("the member");
}

bool Parser::enumerators(std::vector<ast::Enumerator>& out, const char* what) {
  while (true) {
    ast::Enumerator one;
    if (!annotations(one.annotations) || !name(one.name, what)) return false;
    out.push_back(std::move(one));
    if (at(Punct::Equals)) {
      diagnostics_.error(peek().span, "IDL enumerators have no '='",
                         "use the annotation @value(n) before the name");
      return false;
    }
    if (!accept(Punct::Comma)) return true;
    if (at(Punct::RightBrace)) {
      diagnostics_.warning(last_.span, "a ',' before '}' is not portable");
      return true;
    }
  }
}

ast::DefinitionPtr Parser::enumeration() {
  take();
  auto node = std::make_unique<ast::Enum>();
  if (!name(node->name, "the name of the enum")) return nullptr;
  if (!expect(Punct::LeftBrace, "after the name of the enum")) return nullptr;
  if (at(Punct::RightBrace)) {
    diagnostics_.error(peek().span, "an enum needs at least one enumerator");
    take();
    return nullptr;
  }
  if (!enumerators(node->enumerators, "an enumerator")) return nullptr;
  if (!expect(Punct::RightBrace, "or ',' after the enumerator")) return nullptr;
  return node;
}

ast::DefinitionPtr Parser::bitmask() {
  take();
  auto node = std::make_unique<ast::Bitmask>();
  if (!name(node->name, "the name of the bitmask")) return nullptr;
  if (!expect(Punct::LeftBrace, "after the name of the bitmask")) return nullptr;
  if (!enumerators(node->flags, "a flag")) return nullptr;
  if (!expect(Punct::RightBrace, "or ',' after the flag")) return nullptr;
  if (!expect_semicolon("the bitmask")) return nullptr;
  return node;
}

ast::DefinitionPtr Parser::bitset() {
  take();
  auto node = std::make_unique<ast::Bitset>();
  if (!name(node->name, "the name of the bitset")) return nullptr;
  if (accept(Punct::Colon)) {
    node->base.emplace();
    if (!scoped_name(*node->base, "the base bitset")) return nullptr;
  }
  if (!expect(Punct::LeftBrace, "after the name of the bitset") || !enter()) return nullptr;
  while (!at(Punct::RightBrace) && peek().kind != TokenKind::End) {
    ast::BitField one;
    const int level = braces_;
    if (bit_field(one)) {
      node->fields.push_back(std::move(one));
    } else {
      recover(level);
    }
  }
  leave();
  if (!expect(Punct::RightBrace, "to close the bitset")) return nullptr;
  if (!expect_semicolon("the bitset")) return nullptr;
  return node;
}

// bitfield<3> a; bitfield<10, short> b; bitfield<4>;
bool Parser::bit_field(ast::BitField& out) {
  if (!annotations(out.annotations)) return false;
  out.span = peek().span;
  if (!accept(Keyword::Bitfield)) {
    unexpected("'bitfield'");
    return false;
  }
  if (!expect(Punct::Less, "after 'bitfield'")) return false;
  const bool outer = in_angles_;
  in_angles_ = true;
  out.width = expression();
  bool good = out.width != nullptr;
  if (good && accept(Punct::Comma)) {
    out.type = type();
    good = out.type != nullptr;
  }
  in_angles_ = outer;
  if (!good || !expect_close_angle("to close 'bitfield<'")) return false;
  while (!at(Punct::Semicolon)) {
    ast::Name one;
    if (!name(one, "the name of the bit field")) return false;
    out.names.push_back(std::move(one));
    if (!accept(Punct::Comma)) break;
  }
  return expect_semicolon("the bit field");
}

}  // namespace tenon::idl
