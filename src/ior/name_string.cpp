// SPDX-License-Identifier: Apache-2.0
// Stringified names. See name_string.hpp.
#include "ior/name_string.hpp"

#include <algorithm>

#include "cdr/value_memory.hpp"

namespace tenon::ior {

namespace {

bool is_special(char letter) noexcept { return letter == '/' || letter == '.' || letter == '\\'; }

char* write_escaped(char* to, std::string_view text) noexcept {
  for (const char letter : text) {
    if (is_special(letter)) *to++ = '\\';
    *to++ = letter;
  }
  return to;
}

/// One component, from `at` up to the '/' that ends it or to the end.
class ComponentParser {
 public:
  ComponentParser(std::string_view text, std::size_t at) noexcept : text_(text), start_(at), at_(at) {}

  Parsed<NameComponent> parse() {
    NameComponent component;
    std::size_t dot = std::string_view::npos;
    for (; at_ < text_.size() && text_[at_] != '/'; ++at_) {
      const char letter = text_[at_];
      if (letter == '.') {
        if (dot != std::string_view::npos)
          return UrlError{at_, "a second '.' in one component; write \\. for a literal dot"};
        dot = at_;
      } else if (letter == '\\') {
        if (at_ + 1 == text_.size() || !is_special(text_[at_ + 1]))
          return UrlError{at_, "'\\' stands only before '/', '.' and '\\'"};
        ++at_;
      }
    }
    if (at_ == start_) return UrlError{at_, "an empty component; write . for one with empty id and kind"};
    if (dot + 1 == at_ && dot != start_)
      return UrlError{at_ - 1, "a '.' ends the component but no kind follows; leave it out"};
    const std::size_t id_end = std::min(dot, at_);
    if (!read(start_, id_end, component.id) || (id_end != at_ && !read(id_end + 1, at_, component.kind)))
      return UrlError::without_memory();
    return component;
  }
  std::size_t position() const noexcept { return at_; }

 private:
  /// The text without the '\\' before letters that are meant literally. False: there is no memory.
  bool read(std::size_t from, std::size_t end, std::string& into) const noexcept {
    if (!cdr::make_room(into, end - from)) return false;
    std::size_t size = 0;
    for (; from < end; ++from) {
      if (text_[from] == '\\') ++from;
      into[size++] = text_[from];
    }
    into.erase(size);
    return true;
  }

  std::string_view text_;
  std::size_t start_;
  std::size_t at_;
};

}  // namespace

Parsed<std::vector<NameComponent>> parse_name(std::string_view text) {
  std::vector<NameComponent> name;
  if (text.empty()) return name;
  if (!cdr::reserve(name, 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '/'))))
    return UrlError::without_memory();
  for (std::size_t at = 0;; ++at) {
    ComponentParser parser(text, at);
    Parsed<NameComponent> component = parser.parse();
    if (!component) return component.error();
    cdr::emplace(name, std::move(*component));
    at = parser.position();
    if (at == text.size()) return name;
  }
}

std::string to_text(const std::vector<NameComponent>& name) {
  std::size_t most = 0;
  for (const NameComponent& component : name) most += 2 + 2 * (component.id.size() + component.kind.size());
  std::string text;
  if (!cdr::make_room(text, most)) return text;
  char* const begin = text.data();
  char* to = begin;
  for (const NameComponent& component : name) {
    if (to != begin) *to++ = '/';
    to = write_escaped(to, component.id);
    if (!component.kind.empty() || component.id.empty()) {
      *to++ = '.';
      to = write_escaped(to, component.kind);
    }
  }
  text.erase(static_cast<std::size_t>(to - begin));
  return text;
}

}  // namespace tenon::ior
