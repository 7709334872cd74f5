// SPDX-License-Identifier: Apache-2.0
//
// Turns preprocessed IDL into tokens, on demand.
//
// Positions follow the preprocessor's `#line` (and `# 1 "file" 1`) markers and name the original file;
// columns are mapped back to the original line where macros shifted them. #include nesting is reported as
// FileEnter and FileLeave tokens, because #pragma prefix is scoped by file (CORBA 3.4 part 1, pragma
// directives for repository ids). Comments are understood too, for text that no preprocessor has seen.
//
// Never fails: text that is no token is reported and becomes a TokenKind::Bad. Threads: none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "idl/lex/token.hpp"
#include "idl/support/diagnostics.hpp"
#include "idl/support/source_files.hpp"

namespace tenon::idl {

class Lexer {
 public:
  // `text` must outlive the lexer and its tokens; `main_file` is the file before any marker.
  Lexer(std::string_view text, std::uint32_t main_file, SourceFiles& sources, Diagnostics& diagnostics);
  // For a part of one line (the inside of a #pragma): no markers, columns count on from `start`.
  Lexer(std::string_view text, Location start, SourceFiles& sources, Diagnostics& diagnostics);

  Token next();

  // The #include nesting: which file included each file first, for telling direct includes from indirect ones.
  struct Inclusion {
    std::uint32_t file;
    std::uint32_t includer;
    std::uint32_t line;  // of the #include directive, or near it
  };
  const std::vector<Inclusion>& inclusions() const { return inclusions_; }

 private:
  Token make(TokenKind kind, std::size_t begin, std::size_t end);
  Token punctuator(std::size_t begin);
  Token word(std::size_t begin);
  Token number(std::size_t begin);
  Token quoted(std::size_t begin, std::size_t quote, bool wide);
  bool skip_space();  // true: a directive starts at pos_
  Token directive();
  bool line_marker(std::string_view body, Token& token);
  void check_readable();
  bool leave_for(const std::string& name);
  std::uint32_t entered(const std::string& name);
  void new_line(std::size_t start);
  Span span_at(std::size_t begin, std::size_t length);
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  std::string_view text_;
  SourceFiles& sources_;
  Diagnostics& diagnostics_;
  std::size_t pos_ = 0;
  std::size_t line_start_ = 0;
  bool markers_ = true;
  std::uint32_t file_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t first_column_ = 1;  // of text_[line_start_]
  // Column mapping of the current line.
  bool original_known_ = false;
  std::string_view original_;
  bool same_as_original_ = true;
  std::size_t original_cursor_ = 0;
  struct OpenFile {
    std::uint32_t file;
    std::string name;  // as the markers name it: relative to the file that includes it
  };
  std::vector<OpenFile> file_stack_;
  std::vector<Inclusion> inclusions_;
};

}  // namespace tenon::idl
