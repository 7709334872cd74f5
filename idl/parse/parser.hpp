// SPDX-License-Identifier: Apache-2.0
//
// The parser: preprocessed IDL to a syntax tree, by recursive descent, one method per grammar rule.
//
// It knows no names. After a mistake it goes on at the next ';' or '}' of the same depth, so one run reports
// many mistakes. Nesting is limited (deepest_nesting, tallest_expression), so hostile text can exhaust
// neither the stack here nor that of code that walks the tree. Pragmas and file changes may stand between
// any two tokens; they are put into the tree before the next definition of the scope that is open.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "idl/ast/ast.hpp"
#include "idl/lex/lexer.hpp"

namespace tenon::idl {

class Parser {
 public:
  static constexpr int deepest_nesting = 100;
  static constexpr std::uint32_t tallest_expression = 500;
  static constexpr std::size_t most_names = 1000;  // parts of a scoped name, dimensions of an array

  Parser(Lexer& lexer, SourceFiles& sources, Diagnostics& diagnostics);
  ast::Specification parse();

 private:
  enum class Scope : std::uint8_t { File, Module, Interface, Value, Annotation };

  // Tokens (parser.cpp).
  const Token& peek(std::size_t ahead = 0);
  Token take();
  bool at(Punct punct, std::size_t ahead = 0) { return peek(ahead).punct == punct; }
  bool at(Keyword keyword, std::size_t ahead = 0);
  bool accept(Punct punct);
  bool accept(Keyword keyword);
  bool expect(Punct punct, const char* context);
  bool expect_semicolon(const char* what);
  bool expect_close_angle(const char* context);
  std::string found();  // the current token, for messages
  void unexpected(const std::string& wanted);
  bool name(ast::Name& out, const char* what);
  bool scoped_name(ast::ScopedName& out, const char* what);
  bool scoped_name_list(std::vector<ast::ScopedName>& out, const char* what);
  bool string_literal(std::string& out, Span& span, const char* what);
  void recover(int level);
  void skip_construct(const std::string& message, const std::string& hint);
  void flush_pragmas(ast::Body& body);
  void pragma(const Token& token);
  bool enter();  // one level deeper; false (and reported) at the limit
  void leave() { --depth_; }

  // Definitions (parser_definitions.cpp).
  bool body_until(ast::Body& body, Scope scope, const char* what);
  ast::DefinitionPtr definition(Scope scope);
  ast::DefinitionPtr keyword_definition(Scope scope);
  ast::DefinitionPtr soft_definition(Scope scope);
  ast::DefinitionPtr module();
  ast::DefinitionPtr constant();
  ast::DefinitionPtr type_definition();
  ast::DefinitionPtr native();
  ast::DefinitionPtr type_id();
  ast::DefinitionPtr type_prefix();
  ast::DefinitionPtr import();
  ast::DefinitionPtr annotation_declaration();
  ast::DefinitionPtr refused();
  bool annotations(ast::Annotations& out);
  bool annotation(ast::Annotation& out);
  static bool starts_definition(const Token& token);

  // Constructed types (parser_constructed.cpp).
  ast::DefinitionPtr struct_definition();
  ast::DefinitionPtr exception();
  ast::DefinitionPtr union_definition();
  bool union_case(ast::UnionCase& out);
  ast::DefinitionPtr enumeration();
  ast::DefinitionPtr bitmask();
  ast::DefinitionPtr bitset();
  bool bit_field(ast::BitField& out);
  bool enumerators(std::vector<ast::Enumerator>& out, const char* what);
  bool members(std::vector<ast::Member>& out, bool& damaged, const char* what);
  bool member(ast::Member& out);

  // Interfaces and values (parser_interfaces.cpp).
  ast::DefinitionPtr interface(bool local, bool abstract);
  ast::DefinitionPtr value(bool custom, bool abstract);
  ast::DefinitionPtr operation();
  ast::DefinitionPtr attribute();
  ast::DefinitionPtr state_member();
  ast::DefinitionPtr initializer();
  bool parameters(std::vector<ast::Parameter>& out, bool only_in);
  bool raises(Keyword keyword, std::vector<ast::ScopedName>& out);

  // Types and expressions (parser_types.cpp).
  ast::TypePtr type();  // null: reported
  ast::TypePtr type_of_keyword();
  ast::TypePtr template_type(ast::TypeForm form);
  bool declarators(std::vector<ast::Declarator>& out);
  bool declarator(ast::Declarator& out);
  ast::ExprPtr expression();
  ast::ExprPtr binary(int level);
  ast::ExprPtr unary();
  ast::ExprPtr primary();

  Lexer& lexer_;
  SourceFiles& sources_;
  Diagnostics& diagnostics_;
  std::deque<Token> ahead_;
  Token last_;  // taken
  std::vector<ast::DefinitionPtr> pending_;
  std::set<std::string> skipped_names_;
  int depth_ = 0;
  int braces_ = 0;          // open ones, as taken
  bool recovered_ = false;  // the construct that failed has been skipped already
  bool in_angles_ = false;  // '>>' closes two brackets instead of shifting
};

}  // namespace tenon::idl
