// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/text.hpp"

#include <algorithm>
#include <stdexcept>

namespace tenon::idl::cpp {

std::string fill(std::string_view pattern, std::initializer_list<Variable> variables) {
  std::string out;
  std::vector<bool> used(variables.size());
  while (true) {
    const std::size_t from = pattern.find('$');
    out += pattern.substr(0, from);
    if (from == std::string_view::npos) break;
    const std::size_t to = pattern.find('$', from + 1);
    if (to == std::string_view::npos) throw std::logic_error("template: a lone $");
    const std::string_view name = pattern.substr(from + 1, to - from - 1);
    std::size_t index = 0;
    for (const Variable& variable : variables) {
      if (variable.name == name) {
        out += variable.value;
        used[index] = true;
        break;
      }
      ++index;
    }
    if (index == variables.size()) throw std::logic_error("template: unknown variable " + std::string(name));
    pattern.remove_prefix(to + 1);
  }
  std::size_t index = 0;
  for (const Variable& variable : variables) {
    if (!used[index++]) throw std::logic_error("template: unused variable " + std::string(variable.name));
  }
  return out;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

void Text::line(std::string_view text) {
  if (gap_ && !block_start_) text_ += '\n';
  gap_ = false;
  block_start_ = text.ends_with('{') || text.ends_with("public:") || text.ends_with("private:") ||
                 text.ends_with("protected:");
  if (!text.empty()) {
    // access labels stand one column left of the members, which are not indented yet
    const bool label = text == "public:" || text == "private:" || text == "protected:";
    text_.append(label ? depth_ + 1 : depth_, ' ');
    text_ += text;
  }
  text_ += '\n';
}

void Text::add(std::string_view pattern, std::initializer_list<Variable> variables) {
  const std::string filled = fill(pattern, variables);
  std::string_view rest = filled;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    line(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
}

void Text::list(std::string_view head, const std::vector<std::string>& items, std::string_view tail) {
  std::string whole(head);
  whole += join(items, ", ");
  whole += tail;
  if (depth_ + whole.size() <= widest) return line(whole);

  std::size_t longest = 0;
  for (const std::string& item : items) longest = std::max(longest, item.size());
  std::string current(head);
  std::string margin(head.size(), ' ');
  if (depth_ + head.size() + longest + 1 > widest) {  // no room beside the head
    line(current);
    margin.assign(4, ' ');
    current = margin;
  }
  for (const std::string& item : items) {
    const bool last = &item == &items.back();
    const std::size_t after = last ? tail.size() : 1;
    if (current.size() != margin.size() && depth_ + current.size() + item.size() + after + 1 > widest) {
      line(current.substr(0, current.find_last_not_of(' ') + 1));
      current = margin;
    }
    current += item;
    if (!last) current += ", ";
  }
  current += tail;
  line(current);
}

}  // namespace tenon::idl::cpp
