// SPDX-License-Identifier: Apache-2.0
#include "idl/lex/lexer.hpp"

#include <algorithm>
#include <string>

namespace tenon::idl {

namespace {

constexpr std::size_t deepest_include = 256;
constexpr std::size_t longest_identifier = 1024;
constexpr std::size_t longest_name_of_file = 4096;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

Lexer::Lexer(std::string_view text, std::uint32_t main_file, SourceFiles& sources, Diagnostics& diagnostics)
    : text_(text), sources_(sources), diagnostics_(diagnostics), file_(main_file) {
  if (text_.substr(0, 3) == "\xef\xbb\xbf") pos_ = 3;  // a byte order mark of UTF-8
  file_stack_.push_back({main_file, {}});
  new_line(0);
  check_readable();
}

Lexer::Lexer(std::string_view text, Location start, SourceFiles& sources, Diagnostics& diagnostics)
    : text_(text),
      sources_(sources),
      diagnostics_(diagnostics),
      markers_(false),
      file_(start.file),
      line_(start.line),
      first_column_(start.column) {
  same_as_original_ = true;
  original_known_ = true;
}

void Lexer::new_line(std::size_t start) {
  line_start_ = start;
  first_column_ = 1;
  original_known_ = false;
}

// Where the token stands in the user's own line: mostly at the same column; after a macro, further on.
Span Lexer::span_at(std::size_t begin, std::size_t length) {
  const std::size_t column = begin - line_start_;
  Span span{{file_, line_, static_cast<std::uint32_t>(column) + first_column_},
            static_cast<std::uint32_t>(std::max<std::size_t>(length, 1))};
  if (!original_known_) {
    original_known_ = true;
    original_cursor_ = 0;
    const auto line = sources_.line(file_, line_);
    std::size_t end = text_.find('\n', line_start_);
    if (end == std::string_view::npos) end = text_.size();
    original_ = line.value_or(std::string_view{});
    same_as_original_ = !line || trimmed(text_.substr(line_start_, end - line_start_)) == trimmed(original_);
    if (same_as_original_ && line) {
      same_as_original_ =
          original_.substr(std::min(column, original_.size()), length) == text_.substr(begin, length);
    }
  }
  if (same_as_original_) return span;
  const std::string_view token = text_.substr(begin, length);
  if (column >= original_cursor_ && column < original_.size() && original_.substr(column, length) == token) {
    original_cursor_ = column + length;
    return span;
  }
  const std::size_t found = original_.find(token, original_cursor_);
  if (found == std::string_view::npos) {  // made by a macro: point at what follows the last known place
    std::size_t place = original_cursor_;
    while (place < original_.size() && is_blank(original_[place])) ++place;
    span.where.column = static_cast<std::uint32_t>(place) + 1;
    span.length = 1;
  } else {
    span.where.column = static_cast<std::uint32_t>(found) + 1;
    original_cursor_ = found + length;
  }
  return span;
}

Token Lexer::make(TokenKind kind, std::size_t begin, std::size_t end) {
  Token token;
  token.kind = kind;
  token.text = text_.substr(begin, end - begin);
  token.span = span_at(begin, end - begin);
  pos_ = end;
  return token;
}

bool Lexer::skip_space() {
  while (pos_ < text_.size()) {
    const char c = text_[pos_];
    if (c == '\n') {
      ++pos_;
      ++line_;
      new_line(pos_);
    } else if (is_blank(c)) {
      ++pos_;
    } else if (c == '/' && at(pos_ + 1) == '/') {
      pos_ = std::min(text_.find('\n', pos_), text_.size());
    } else if (c == '/' && at(pos_ + 1) == '*') {
      const std::size_t begin = pos_;
      const std::size_t end = text_.find("*/", pos_ + 2);
      if (end == std::string_view::npos) {
        diagnostics_.error(span_at(begin, 2), "this comment is never closed");
        pos_ = text_.size();
        return false;
      }
      for (; pos_ < end + 2; ++pos_) {
        if (text_[pos_] == '\n') {
          ++line_;
          new_line(pos_ + 1);
        }
      }
    } else if (c == '#' && markers_ && trimmed(text_.substr(line_start_, pos_ - line_start_)).empty()) {
      return true;
    } else {
      return false;
    }
  }
  return false;
}

Token Lexer::next() {
  while (true) {
    if (skip_space()) {
      const Token token = directive();
      if (token.kind != TokenKind::End) return token;
      continue;
    }
    if (pos_ >= text_.size()) {
      if (markers_ && file_stack_.size() > 1) {  // text that ends inside an include
        file_stack_.pop_back();
        Token token = make(TokenKind::FileLeave, text_.size(), text_.size());
        file_ = file_stack_.back().file;
        token.span.where.file = file_;
        return token;
      }
      return make(TokenKind::End, text_.size(), text_.size());
    }
    const std::size_t begin = pos_;
    const char c = text_[begin];
    if (c == 'L' && (at(begin + 1) == '\'' || at(begin + 1) == '"')) return quoted(begin, begin + 1, true);
    if (is_letter(c) || c == '_') return word(begin);
    if (is_digit(c) || (c == '.' && is_digit(at(begin + 1)))) return number(begin);
    if (c == '\'' || c == '"') return quoted(begin, begin, false);
    return punctuator(begin);
  }
}

Token Lexer::word(std::size_t begin) {
  std::size_t end = begin;
  while (is_word(at(end))) ++end;
  Token token = make(TokenKind::Identifier, begin, end);
  if (token.text.size() > longest_identifier) {
    diagnostics_.error(token.span,
                       "this name is longer than " + std::to_string(longest_identifier) + " characters");
    token.text = token.text.substr(0, longest_identifier);
  }
  if (token.text.front() == '_') {
    token.escaped = true;  // IDL 4.2 §7.2.3.2
    token.text.remove_prefix(1);
    if (token.text.empty() || !is_letter(token.text.front())) {
      diagnostics_.error(token.span, "a name must have a letter after its escaping underscore");
      if (token.text.empty()) token.text = "_";
    }
    return token;
  }
  const KeywordEntry* entry = find_keyword(token.text);
  if (entry == nullptr) return token;
  if (entry->text == token.text) {
    token.keyword = entry->keyword;
    if (!entry->soft) token.kind = TokenKind::Keyword;
  } else if (entry->is_new) {
    token.resembles_new = true;
  } else if (!entry->soft) {
    token.collides_with = entry->keyword;
  }
  return token;
}

// IDL 4.2 §7.2.6: integer, floating and fixed-point literals.
Token Lexer::number(std::size_t begin) {
  std::size_t end = begin;
  TokenKind kind = TokenKind::Integer;
  if (at(end) == '0' && (at(end + 1) == 'x' || at(end + 1) == 'X')) {
    end += 2;
    while (is_hex(at(end))) ++end;
  } else {
    while (is_digit(at(end))) ++end;
    if (at(end) == '.') {
      kind = TokenKind::Floating;
      ++end;
      while (is_digit(at(end))) ++end;
    }
    if ((at(end) == 'e' || at(end) == 'E') &&
        (is_digit(at(end + 1)) || ((at(end + 1) == '+' || at(end + 1) == '-') && is_digit(at(end + 2))))) {
      kind = TokenKind::Floating;
      end += 2;
      while (is_digit(at(end))) ++end;
    } else if (at(end) == 'd' || at(end) == 'D') {
      kind = TokenKind::FixedPoint;
      ++end;
    }
  }
  const bool no_hex_digit = end == begin + 2 && (at(begin + 1) == 'x' || at(begin + 1) == 'X');
  if (is_word(at(end)) || no_hex_digit) {
    while (is_word(at(end)) || at(end) == '.') ++end;
    Token bad = make(TokenKind::Integer, begin, end);
    diagnostics_.error(bad.span, "'" + std::string(bad.text.substr(0, 60)) + "' is not a number",
                       "IDL has no suffixes but 'd' for fixed");
    bad.text = "0";
    return bad;
  }
  return make(kind, begin, end);
}

Token Lexer::quoted(std::size_t begin, std::size_t quote, bool wide) {
  const char mark = text_[quote];
  std::size_t end = quote + 1;
  while (end < text_.size() && text_[end] != mark && text_[end] != '\n') {
    end += text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n' ? 2 : 1;
  }
  const bool is_char = mark == '\'';
  const TokenKind kind =
      is_char ? (wide ? TokenKind::WChar : TokenKind::Char) : (wide ? TokenKind::WString : TokenKind::String);
  if (end >= text_.size() || text_[end] != mark) {
    end = std::min(end, text_.size());
    Token unclosed = make(kind, begin, end);
    diagnostics_.error(Span{unclosed.span.where, 1},
                       std::string("this ") + (is_char ? "character" : "string") + " is never closed",
                       std::string("its line has no second ") + mark);
    // Go on with some literal and, if the line ends in one, with the ';' that the literal swallowed.
    unclosed.text = is_char ? (wide ? "L' '" : "' '") : (wide ? "L\"\"" : "\"\"");
    while (end > begin && is_blank(text_[end - 1])) --end;
    if (end > begin && text_[end - 1] == ';') pos_ = end - 1;
    return unclosed;
  }
  return make(kind, begin, end + 1);
}

Token Lexer::punctuator(std::size_t begin) {
  struct Single {
    char text;
    Punct punct;
  };
  static constexpr Single singles[] = {
      {';', Punct::Semicolon},    {'{', Punct::LeftBrace},  {'}', Punct::RightBrace},
      {'(', Punct::LeftParen},    {')', Punct::RightParen}, {'[', Punct::LeftBracket},
      {']', Punct::RightBracket}, {'<', Punct::Less},       {'>', Punct::Greater},
      {',', Punct::Comma},        {':', Punct::Colon},      {'=', Punct::Equals},
      {'|', Punct::Pipe},         {'^', Punct::Caret},      {'&', Punct::Ampersand},
      {'+', Punct::Plus},         {'-', Punct::Minus},      {'*', Punct::Star},
      {'/', Punct::Slash},        {'%', Punct::Percent},    {'~', Punct::Tilde},
      {'@', Punct::At},
  };
  const char c = text_[begin];
  const char d = at(begin + 1);
  Punct pair = Punct::None;
  if (c == ':' && d == ':') pair = Punct::Scope;
  if (c == '<' && d == '<') pair = Punct::ShiftLeft;
  if (c == '>' && d == '>') pair = Punct::ShiftRight;
  if (pair != Punct::None) {
    Token token = make(TokenKind::Punctuator, begin, begin + 2);
    token.punct = pair;
    return token;
  }
  for (const Single& single : singles) {
    if (single.text != c) continue;
    Token token = make(TokenKind::Punctuator, begin, begin + 1);
    token.punct = single.punct;
    return token;
  }
  // Report a run of foreign bytes (a word of some other script, say) once.
  std::size_t end = begin + 1;
  while ((static_cast<unsigned char>(at(end)) & 0x80) != 0) ++end;
  Token bad = make(TokenKind::Bad, begin, end);
  const auto u = static_cast<unsigned char>(c);
  if (u >= 0x80) {
    diagnostics_.error(bad.span, "characters outside ASCII may stand only in comments and literals");
  } else if (u < 0x20) {
    diagnostics_.error(bad.span, "stray control character in the source");
  } else {
    diagnostics_.error(bad.span, std::string("stray '") + c + "' in the source");
  }
  return bad;
}

// The '#' at pos_ starts a line of its own. TokenKind::End means: nothing to hand on.
Token Lexer::directive() {
  const std::size_t hash = pos_;
  const std::size_t end = std::min(text_.find('\n', pos_), text_.size());
  std::size_t body = pos_ + 1;
  while (body < end && is_blank(text_[body])) ++body;
  std::size_t name_end = body;
  while (name_end < end && is_word(text_[name_end])) ++name_end;
  const std::string_view name = text_.substr(body, name_end - body);
  if (name == "pragma") {
    while (name_end < end && is_blank(text_[name_end])) ++name_end;
    Token token = make(TokenKind::Pragma, name_end, end);
    token.text = trimmed(token.text);
    return token;
  }
  Token marker;
  const bool numeric = !name.empty() && is_digit(name.front());
  if (name == "line" || numeric) {
    const std::size_t digits = numeric ? body : name_end;
    if (line_marker(text_.substr(digits, end - digits), marker)) {
      pos_ = std::min(end + 1, text_.size());
      new_line(pos_);
      return marker;
    }
  } else if (name != "ident" && !name.empty()) {
    diagnostics_.error(span_at(hash, end - hash),
                       "unknown directive '#" + std::string(name.substr(0, 40)) + "'");
  }
  pos_ = end;
  return marker;
}

// For the preprocessor a zero octet ends the line, so the rest of the line is lost.
void Lexer::check_readable() {
  const std::uint32_t line = sources_.line_with_zero(file_);
  if (line == 0) return;
  diagnostics_.error(Span{{file_, line, 1}, 1},
                     "a zero octet in the source: what follows it in its line is lost",
                     "is this a text file?");
}

// Goes on in an open file, perhaps several levels further out, if includes end without more text. False: no open file has that name.
bool Lexer::leave_for(const std::string& name) {
  auto found = std::find_if(file_stack_.rbegin(), file_stack_.rend(),
                            [&](const OpenFile& one) { return one.name == name; });
  if (found == file_stack_.rend()) {
    const std::uint32_t file = entered(name);
    found = std::find_if(file_stack_.rbegin(), file_stack_.rend(),
                         [&](const OpenFile& one) { return one.file == file; });
  }
  if (found == file_stack_.rend()) return false;
  file_ = found->file;
  file_stack_.erase(found.base(), file_stack_.end());
  return true;
}

// The file that a marker in the current one names.
std::uint32_t Lexer::entered(const std::string& name) {
  if (const auto beside = sources_.beside(name, file_)) return *beside;
  return name == file_stack_.back().name ? file_ : sources_.intern(name);
}

// `12 "file" 1`: what follows is line 12 of file. False when it is no marker after all.
bool Lexer::line_marker(std::string_view body, Token& token) {
  body = trimmed(body);
  std::uint64_t number = 0;
  std::size_t i = 0;
  while (i < body.size() && is_digit(body[i]) && number < 100'000'000) {
    number = number * 10 + static_cast<std::uint64_t>(body[i++] - '0');
  }
  if (i == 0) return false;
  const auto target_line = static_cast<std::uint32_t>(number);
  body = trimmed(body.substr(i));
  if (body.size() < 2 || body.front() != '"') {
    line_ = target_line;
    return true;
  }
  std::string path;
  for (i = 1; i < body.size() && body[i] != '"' && path.size() < longest_name_of_file; ++i) {
    if (body[i] == '\\' && i + 1 < body.size()) ++i;
    path.push_back(body[i]);
  }
  const std::uint32_t from = file_;
  const std::uint32_t from_line = line_;
  line_ = target_line;
  if (target_line > 1 && leave_for(path)) {
    if (file_ == from) return true;
    token.kind = TokenKind::FileLeave;
  } else {
    file_ = entered(path);
    if (file_ == from) {
      file_stack_.back().name = path;
      return true;
    }
    if (file_stack_.size() >= deepest_include) return true;
    file_stack_.push_back({file_, path});
    check_readable();
    inclusions_.push_back({file_, from, from_line});
    token.kind = TokenKind::FileEnter;
  }
  token.span = Span{{file_, line_, 0}, 1};
  return true;
}

}  // namespace tenon::idl
