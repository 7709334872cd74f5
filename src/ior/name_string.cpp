// SPDX-License-Identifier: Apache-2.0
// Stringified names. See name_string.hpp.
#include "ior/name_string.hpp"

namespace tenon::ior {

namespace {

void append_escaped(std::string& to, std::string_view text) {
  for (const char letter : text) {
    if (letter == '/' || letter == '.' || letter == '\\') to += '\\';
    to += letter;
  }
}

/// One component, from `at` up to the '/' that ends it or to the end.
class ComponentParser {
 public:
  ComponentParser(std::string_view text, std::size_t at) noexcept : text_(text), start_(at), at_(at) {}

  Parsed<NameComponent> parse() {
    NameComponent component;
    std::string* into = &component.id;
    bool dotted = false;
    for (; at_ < text_.size() && text_[at_] != '/'; ++at_) {
      char letter = text_[at_];
      if (letter == '.') {
        if (dotted) return UrlError{at_, "a second '.' in one component; write \\. for a literal dot"};
        dotted = true;
        into = &component.kind;
        continue;
      }
      if (letter == '\\') {
        if (at_ + 1 == text_.size() ||
            std::string_view("/.\\").find(text_[at_ + 1]) == std::string_view::npos) {
          return UrlError{at_, "'\\' stands only before '/', '.' and '\\'"};
        }
        letter = text_[++at_];
      }
      *into += letter;
    }
    if (at_ == start_) return UrlError{at_, "an empty component; write . for one with empty id and kind"};
    if (dotted && component.kind.empty() && !component.id.empty()) {
      return UrlError{at_ - 1, "a '.' ends the component but no kind follows; leave it out"};
    }
    return component;
  }
  std::size_t position() const noexcept { return at_; }

 private:
  std::string_view text_;
  std::size_t start_;
  std::size_t at_;
};

}  // namespace

Parsed<std::vector<NameComponent>> parse_name(std::string_view text) {
  std::vector<NameComponent> name;
  if (text.empty()) return name;
  for (std::size_t at = 0;; ++at) {
    ComponentParser parser(text, at);
    Parsed<NameComponent> component = parser.parse();
    if (!component) return component.error();
    name.push_back(std::move(*component));
    at = parser.position();
    if (at == text.size()) return name;
  }
}

std::string to_text(const std::vector<NameComponent>& name) {
  std::string text;
  for (const NameComponent& component : name) {
    if (!text.empty()) text += '/';
    append_escaped(text, component.id);
    if (!component.kind.empty() || component.id.empty()) {
      text += '.';
      append_escaped(text, component.kind);
    }
  }
  return text;
}

}  // namespace tenon::ior
