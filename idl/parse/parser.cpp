// SPDX-License-Identifier: Apache-2.0
//
// The basic parts of the parser: tokens, names, recovery, pragmas.
#include "idl/parse/parser.hpp"

#include "idl/lex/literal.hpp"

namespace tenon::idl {

Parser::Parser(Lexer& lexer, SourceFiles& sources, Diagnostics& diagnostics)
    : lexer_(lexer), sources_(sources), diagnostics_(diagnostics) {}

ast::Specification Parser::parse() {
  ast::Specification out;
  while (peek().kind != TokenKind::End && !diagnostics_.exhausted()) {
    flush_pragmas(out.body);
    if (at(Punct::RightBrace)) {
      diagnostics_.error(peek().span, "this '}' closes nothing");
      take();
      accept(Punct::Semicolon);
      continue;
    }
    if (auto node = definition(Scope::File)) out.body.push_back(std::move(node));
  }
  flush_pragmas(out.body);
  out.skipped_names = std::move(skipped_names_);
  return out;
}

const Token& Parser::peek(std::size_t ahead) {
  while (ahead_.size() <= ahead) {
    Token token = diagnostics_.exhausted() ? Token{} : lexer_.next();
    if (token.kind == TokenKind::Pragma) {
      pragma(token);
    } else if (token.kind == TokenKind::FileEnter || token.kind == TokenKind::FileLeave) {
      auto node = std::make_unique<ast::FileChange>();
      node->enter = token.kind == TokenKind::FileEnter;
      node->file = token.span.where.file;
      pending_.push_back(std::move(node));
    } else if (token.kind != TokenKind::Bad) {
      ahead_.push_back(token);
    }
  }
  return ahead_[ahead];
}

Token Parser::take() {
  peek();
  last_ = ahead_.front();
  if (last_.kind != TokenKind::End) ahead_.pop_front();
  if (last_.punct == Punct::LeftBrace) ++braces_;
  if (last_.punct == Punct::RightBrace && braces_ > 0) --braces_;
  return last_;
}

bool Parser::at(Keyword keyword, std::size_t ahead) {
  const Token& token = peek(ahead);
  return token.keyword == keyword && !token.escaped;
}

bool Parser::accept(Punct punct) {
  if (!at(punct)) return false;
  take();
  return true;
}

bool Parser::accept(Keyword keyword) {
  if (!at(keyword)) return false;
  take();
  return true;
}

std::string Parser::found() {
  const Token& token = peek();
  if (token.kind == TokenKind::End) return "the end of the file";
  std::string text(token.text.substr(0, 40));
  if (token.text.size() > 40) text += "...";
  if (token.kind == TokenKind::Keyword) return "the keyword '" + text + "'";
  return "'" + text + "'";
}

void Parser::unexpected(const std::string& wanted) {
  diagnostics_.error(peek().span, "expected " + wanted + ", found " + found());
}

bool Parser::expect(Punct punct, const char* context) {
  if (accept(punct)) return true;
  unexpected(std::string("'") + spelling(punct) + "' " + context);
  return false;
}

// A missing ';' is reported where it belongs, and nothing is skipped if something new begins there.
bool Parser::expect_semicolon(const char* what) {
  if (accept(Punct::Semicolon)) return true;
  Span place = last_.span;
  place.where.column += place.length;
  place.length = 1;
  const Token& next = peek();
  const bool harmless = next.span.where.line != last_.span.where.line || starts_definition(next) ||
                        next.punct == Punct::RightBrace || next.kind == TokenKind::End;
  if (next.kind == TokenKind::End && diagnostics_.has_errors()) return true;
  if (harmless) {
    diagnostics_.error(place, std::string("expected ';' after ") + what, "add ';' here");
    return true;
  }
  unexpected(std::string("';' after ") + what);
  return false;
}

bool Parser::expect_close_angle(const char* context) {
  if (accept(Punct::Greater)) return true;
  if (at(Punct::ShiftRight)) {  // split `>>`
    Token& token = ahead_.front();
    token.punct = Punct::Greater;
    token.text = token.text.substr(1);
    token.span.where.column += 1;
    token.span.length = 1;
    return true;
  }
  unexpected(std::string("'>' ") + context);
  return false;
}

bool Parser::name(ast::Name& out, const char* what) {
  const Token& token = peek();
  if (token.kind == TokenKind::Keyword) {
    diagnostics_.error(token.span, "'" + std::string(token.text) + "' is a keyword and cannot be " + what,
                       "escape it: '_" + std::string(token.text) + "'");
  } else if (token.kind != TokenKind::Identifier) {
    unexpected(what);
    return false;
  } else if (token.collides_with != Keyword::None) {
    // IDL 4.2 §7.2.4. Only declarations are checked: published IDL that escapes them still uses them
    // unescaped.
    diagnostics_.error(token.span,
                       "'" + std::string(token.text) + "' collides with the keyword '" +
                           std::string(find_keyword(token.text)->text) + "'",
                       "escape it: '_" + std::string(token.text) + "'");
  } else if (token.resembles_new) {
    diagnostics_.warning(token.span,
                         "'" + std::string(token.text) + "' differs from the keyword '" +
                             std::string(find_keyword(token.text)->text) + "' of IDL 4 in case only",
                         "'_" + std::string(token.text) + "' is portable");
  } else if (token.keyword != Keyword::None) {
    diagnostics_.warning(token.span, "'" + std::string(token.text) + "' is a keyword of IDL 4",
                         "'_" + std::string(token.text) + "' is portable");
  }
  out.text = std::string(token.text);
  out.span = token.span;
  take();
  return true;
}

bool Parser::scoped_name(ast::ScopedName& out, const char* what) {
  out.absolute = accept(Punct::Scope);
  while (true) {
    const Token& token = peek();
    if (token.kind != TokenKind::Identifier) {
      if (token.keyword == Keyword::Object && !out.parts.empty()) {
        diagnostics_.error(token.span, "the keyword 'Object' must stand without a scope",
                           "write 'Object' instead of '" + out.text() + "::Object'");
      } else {
        unexpected(what);
      }
      return false;
    }
    out.parts.push_back({std::string(token.text), token.span});
    take();
    if (!at(Punct::Scope)) return true;
    if (out.parts.size() == most_names) {
      diagnostics_.error(peek().span, "this name has too many parts");
      return false;
    }
    take();
  }
}

bool Parser::scoped_name_list(std::vector<ast::ScopedName>& out, const char* what) {
  do {
    ast::ScopedName one;
    if (!scoped_name(one, what)) return false;
    out.push_back(std::move(one));
  } while (accept(Punct::Comma));
  return true;
}

bool Parser::string_literal(std::string& out, Span& span, const char* what) {
  if (peek().kind != TokenKind::String) {
    unexpected(what);
    return false;
  }
  span = peek().span;
  while (peek().kind == TokenKind::String) out += decode_string(take(), diagnostics_);
  return true;
}

bool Parser::enter() {
  if (depth_ == deepest_nesting) {
    diagnostics_.error(peek().span,
                       "nested too deeply (more than " + std::to_string(deepest_nesting) + " levels)");
    return false;
  }
  ++depth_;
  return true;
}

// Skips to behind the next ';' or '}' at this depth of braces, or before the '}' that closes this depth.
void Parser::recover(int level) {
  while (peek().kind != TokenKind::End) {
    if (at(Punct::RightBrace) && braces_ <= level) return;
    const Token token = take();
    if (token.kind == TokenKind::Identifier && skipped_names_.size() < 100'000) {
      skipped_names_.insert(std::string(token.text));
    }
    if (braces_ > level) continue;
    if (token.punct == Punct::Semicolon) return;
    if (token.punct == Punct::RightBrace) {
      accept(Punct::Semicolon);
      return;
    }
  }
}

void Parser::skip_construct(const std::string& message, const std::string& hint) {
  diagnostics_.error(peek().span, message, hint);
  recover(braces_);
  recovered_ = true;
}

void Parser::flush_pragmas(ast::Body& body) {
  for (auto& node : pending_) body.push_back(std::move(node));
  pending_.clear();
}

// CORBA 3.4 part 1, "Pragma Directives for RepositoryId". Pragmas that we do not know are for other tools.
void Parser::pragma(const Token& token) {
  Lexer inner(token.text, token.span.where, sources_, diagnostics_);
  const Token first = inner.next();
  auto node = std::make_unique<ast::Pragma>();
  node->span = first.span;
  if (first.kind != TokenKind::Identifier) return;
  if (first.text == "prefix") {
    node->what = ast::PragmaKind::Prefix;
  } else if (first.text == "ID" || first.text == "id") {
    node->what = ast::PragmaKind::Id;
  } else if (first.text == "version") {
    node->what = ast::PragmaKind::Version;
  } else {
    return;
  }
  Token next = inner.next();
  if (node->what != ast::PragmaKind::Prefix) {
    node->target.absolute = next.punct == Punct::Scope;
    if (node->target.absolute) next = inner.next();
    while (next.kind == TokenKind::Identifier && node->target.parts.size() < most_names) {
      node->target.parts.push_back({std::string(next.text), next.span});
      next = inner.next();
      if (next.punct != Punct::Scope) break;
      next = inner.next();
    }
    if (node->target.parts.empty()) {
      diagnostics_.error(next.span, "expected a name after '#pragma " + std::string(first.text) + "'");
      return;
    }
  }
  const bool version = node->what == ast::PragmaKind::Version;
  if (next.kind != (version ? TokenKind::Floating : TokenKind::String)) {
    diagnostics_.error(next.span, version ? "expected a version such as 1.2" : "expected a string in quotes");
    return;
  }
  node->span = next.span;
  node->text = version ? std::string(next.text) : decode_string(next, diagnostics_);
  if (inner.next().kind != TokenKind::End) {
    diagnostics_.warning(next.span, "text after the end of this pragma is ignored");
  }
  pending_.push_back(std::move(node));
}

}  // namespace tenon::idl
