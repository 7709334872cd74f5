// SPDX-License-Identifier: Apache-2.0
//
// Source text under construction: lines with indentation, blank lines between paragraphs, templates whose variables must all be
// known and all be used, and the breaking of long lists. All that it knows of C++ is that blocks nest.
// A mistake in a template is a mistake in the compiler, so it throws std::logic_error. One thread at a time.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::idl::cpp {

struct Variable {
  std::string_view name;
  std::string value;
};

// Puts values in place of $name$.
std::string fill(std::string_view pattern, std::initializer_list<Variable> variables);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

class Text {
 public:
  static constexpr std::size_t widest = 110;

  // One line; empty: a blank one.
  void line(std::string_view text);
  // Lines of a template, indented as a whole; a variable with line breaks is indented with its line.
  void add(std::string_view pattern, std::initializer_list<Variable> variables = {});
  // `head` + items + `tail`; too long: broken between items, which then start below the first one.
  void list(std::string_view head, const std::vector<std::string>& items, std::string_view tail);
  // A blank line before whatever comes next, unless that is the first or last line of a block.
  void gap() { gap_ = true; }

  void indent() { depth_ += 2; }
  void outdent() {
    depth_ -= 2;
    gap_ = false;
  }

  bool empty() const { return text_.empty(); }
  const std::string& str() const { return text_; }

 private:
  std::string text_;
  std::size_t depth_ = 0;
  bool gap_ = false;
  bool block_start_ = true;
};

}  // namespace tenon::idl::cpp
