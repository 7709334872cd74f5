// SPDX-License-Identifier: Apache-2.0
#include "poa/access/access_rules.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <system_error>

#include "base/hex.hpp"
#include "base/joined.hpp"

namespace tenon::poa {
namespace {

char lower(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool is_blank(char letter) noexcept { return letter == ' ' || letter == '\t'; }
bool is_digit(char letter) noexcept { return letter >= '0' && letter <= '9'; }
bool is_hex(char letter) noexcept {
  return is_digit(letter) || (lower(letter) >= 'a' && lower(letter) <= 'f');
}

/// The end of the alternative that begins at `from`.
std::size_t end_of_alternative(std::string_view pattern, std::size_t from) noexcept {
  while (from < pattern.size() && pattern[from] != '|') from += pattern[from] == '\\' ? 2 : 1;
  return std::min(from, pattern.size());
}

/// One alternative. A mismatch behind a star tries again with the star one octet longer; only the last star needs that.
bool matches_one(std::string_view pattern, std::string_view text, bool any_case) noexcept {
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_in = 0;
  while (in < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = ++at;
      star_in = in;
      continue;
    }
    if (at < pattern.size()) {
      const bool literal = pattern[at] == '\\' && at + 1 < pattern.size();
      const char want = pattern[literal ? at + 1 : at];
      const bool same = any_case ? lower(want) == lower(text[in]) : want == text[in];
      if (same || (want == '?' && !literal)) {
        at += literal ? 2 : 1;
        ++in;
        continue;
      }
    }
    if (star == std::string_view::npos) return false;
    at = star;
    in = ++star_in;
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

/// What a key of a rule is about, and what its value must look like.
enum class Value : std::uint8_t { pattern, poa, operation, kind, number, fingerprint };
struct Key {
  std::string_view name;
  Value value;
};
constexpr Key keys[] = {
    {"poa", Value::poa},         {"operation", Value::operation}, {"kind", Value::kind},
    {"subject", Value::pattern}, {"name", Value::pattern},        {"fingerprint", Value::fingerprint},
    {"uid", Value::number},      {"gid", Value::number},
};
constexpr std::string_view all_keys = "poa, operation, kind, subject, name, fingerprint, uid, gid";
constexpr std::string_view kinds[] = {"tls", "unix", "self", "unknown"};

/// Calls `check` for each alternative until it returns false.
template <typename Check>
bool each_alternative(std::string_view pattern, Check check) {
  for (std::size_t from = 0;; ++from) {
    const std::size_t end = end_of_alternative(pattern, from);
    if (!check(pattern.substr(from, end - from))) return false;
    if (end == pattern.size()) return true;
    from = end;
  }
}

/// 64 hexadecimal digits, as an identity has them; empty: it is none.
std::string read_fingerprint(std::string_view text) {
  std::string digits;
  for (const char letter : text) {
    if (letter == ':') continue;
    if (!is_hex(letter)) return {};
    digits.push_back(lower(letter));
  }
  if (digits.size() != 64) return {};
  return digits;
}

/// What is wrong with a value; empty: nothing. A fingerprint is brought into its usual form.
std::string check_value(const Key& key, std::string& value) {
  if (value.empty()) return worded("% wants a value, such as %=*", {key.name, key.name});
  const bool no_gap = each_alternative(value, [](std::string_view one) { return !one.empty(); });
  if (!no_gap) return worded("%=% has an alternative without text", {key.name, printable(value)});
  switch (key.value) {
    case Value::pattern:
    case Value::poa:
    case Value::operation: break;
    case Value::kind:
      if (!each_alternative(
              value, [](std::string_view one) { return std::ranges::find(kinds, one) != std::end(kinds); }))
        return worded("kind=% is none; there are tls, unix, self and unknown", {printable(value)});
      break;
    case Value::number:
      if (!each_alternative(value, [](std::string_view one) {
            return std::ranges::all_of(one, is_digit) && one.size() <= 10 && (one == "0" || one[0] != '0');
          }))
        return worded("%=% wants a number", {key.name, printable(value)});
      break;
    case Value::fingerprint: {
      std::string made;
      const bool good = each_alternative(value, [&](std::string_view one) {
        const std::string digits = read_fingerprint(one);
        made.append(made.empty() ? "" : "|").append(digits);
        return !digits.empty();
      });
      if (!good)
        return worded("fingerprint=% wants the 64 hexadecimal digits of SHA-256", {printable(value)});
      value = std::move(made);
      break;
    }
  }
  return {};
}

std::string_view trimmed(std::string_view line) noexcept {
  while (!line.empty() && (is_blank(line.back()) || line.back() == '\r')) line.remove_suffix(1);
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  return line;
}

std::string_view take_word(std::string_view& line) noexcept {
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  line = trimmed(line.substr(word.size()));
  return word;
}

/// Takes the value off the line. False: its quotation mark has no end, or text follows the end.
bool take_value(std::string_view& line, std::string& value) {
  if (line.empty() || line.front() != '"') {
    value = take_word(line);
    return true;
  }
  std::size_t end = 1;
  while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
  if (end >= line.size()) return false;
  value = line.substr(1, end - 1);
  line.remove_prefix(end + 1);
  if (!line.empty() && !is_blank(line.front())) return false;
  line = trimmed(line);
  return true;
}

/// An odd backslash at the end would be a character that no one wrote.
bool ends_in_escape(std::string_view value) noexcept {
  std::size_t backslashes = 0;
  while (backslashes < value.size() && value[value.size() - 1 - backslashes] == '\\') ++backslashes;
  return backslashes % 2 != 0;
}

bool satisfies(const protocol::Identity& who, const AccessRule::Condition& condition) {
  const bool any_case = condition.attribute == "name" || condition.attribute == "fingerprint";
  return std::ranges::any_of(who.attributes, [&](const protocol::Identity::Attribute& each) {
    if (each.name != condition.attribute) return false;
    if (condition.attribute != "fingerprint") return condition.pattern.matches(each.value, any_case);
    return condition.pattern.matches(read_fingerprint(each.value));
  });
}

/// Whether all that the rule says of callers holds for this one.
bool is_by(const AccessRule& rule, const protocol::Identity& who) {
  if (!rule.kind.empty() && !rule.kind.matches(who.kind.empty() ? "unknown" : who.kind)) return false;
  return std::ranges::all_of(rule.caller, [&](const auto& each) { return satisfies(who, each); });
}

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// Empty: it has been read.
std::string read_text(const std::string& file, std::string& text) {
  const auto cannot = [](int error) {
    return joined({"it cannot be read: ", std::generic_category().message(error)});
  };
  const std::unique_ptr<std::FILE, CloseFile> open(std::fopen(file.c_str(), "re"));
  if (open == nullptr) return cannot(errno);
  struct stat about{};
  if (::fstat(::fileno(open.get()), &about) != 0) return cannot(errno);
  if (!S_ISREG(about.st_mode)) return "it is no file with text in it";
  char piece[4096];
  while (const std::size_t got = std::fread(piece, 1, sizeof piece, open.get())) {
    text.append(piece, got);
    if (text.size() > AccessRules::largest_file)
      return "it is longer than 1 MiB, which is the most for rules";
  }
  return std::ferror(open.get()) != 0 ? cannot(errno) : std::string();
}

}  // namespace

bool AccessPattern::matches(std::string_view text, bool any_case) const noexcept {
  return !each_alternative(std::string_view(text_),
                           [&](std::string_view one) { return !matches_one(one, text, any_case); });
}

bool AccessRules::fail(unsigned line, std::string_view what) {
  rules_.clear();
  fault_ =
      line == 0 ? joined({source_, ": ", what}) : joined({source_, ", line ", decimal(line), ": ", what});
  return false;
}

bool AccessRules::read_line(std::string_view line, unsigned number) {
  if (std::ranges::any_of(line, [](unsigned char each) { return each < ' ' && each != '\t'; }))
    return fail(number, "a control character; a rule is one line of text");
  AccessRule rule{.line = number, .text = std::string(line)};
  const std::string_view verb = take_word(line);
  rule.allows = verb == "allow";
  if (!rule.allows && verb != "deny")
    return fail(number, worded("'%': a rule begins with allow or deny", {printable(beginning(verb, 60))}));
  std::string seen = " ";
  while (!line.empty()) {
    const std::size_t equals = line.find_first_of("= \t");
    const std::string_view name = line.substr(0, equals);
    const auto* const key = std::ranges::find(keys, name, &Key::name);
    if (key == std::end(keys))
      return fail(number, worded("'%' is nothing that a rule can ask about; there are %",
                                 {printable(beginning(name, 60)), all_keys}));
    if (equals == std::string_view::npos || line[equals] != '=')
      return fail(number, worded("% wants '=' and a value behind it", {name}));
    if (seen.find(joined({" ", name, " "})) != std::string::npos)
      return fail(number, worded("% is there twice; alternatives are separated by |", {name}));
    seen.append(name).append(" ");
    line.remove_prefix(equals + 1);
    std::string value;
    if (!take_value(line, value))
      return fail(number,
                  worded("the value of % wants a second quotation mark, and a blank behind it", {name}));
    if (ends_in_escape(value)) return fail(number, worded("the value of % ends in a backslash", {name}));
    if (const std::string wrong = check_value(*key, value); !wrong.empty()) return fail(number, wrong);
    AccessPattern pattern(std::move(value));
    switch (key->value) {
      case Value::poa: rule.poa = std::move(pattern); break;
      case Value::operation: rule.operation = std::move(pattern); break;
      case Value::kind: rule.kind = std::move(pattern); break;
      case Value::pattern:
      case Value::number:
      case Value::fingerprint: rule.caller.push_back({key->name, std::move(pattern)}); break;
    }
  }
  rules_.push_back(std::move(rule));
  return true;
}

Ref<const AccessRules> AccessRules::parse(std::string_view text, std::string_view source) {
  auto made = Ref<AccessRules>::adopt(new (std::nothrow) AccessRules(source));
  if (!made) return nullptr;
  unsigned number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    ++number;
    if (line.empty() || line.front() == '#') continue;
    if (!made->read_line(line, number)) return Ref<const AccessRules>(made.get());
  }
  if (made->rules_.empty())
    made->fail(0, "there is no rule; to let everybody in, write a line with the word allow");
  return Ref<const AccessRules>(made.get());
}

Ref<const AccessRules> AccessRules::read_file(const std::string& file) {
  std::string text;
  const std::string wrong = read_text(file, text);
  if (wrong.empty()) return parse(text, file);
  auto made = Ref<AccessRules>::adopt(new (std::nothrow) AccessRules(file));
  if (made) made->fail(0, wrong);
  return Ref<const AccessRules>(made.get());
}

bool AccessRules::allow(std::string_view poa, std::string_view operation, Caller who,
                        std::string& why) const {
  if (!fault_.empty()) {
    why = joined({"everything is refused, since the rules cannot be used: ", fault_});
    return false;
  }
  const protocol::Identity* caller = nullptr;
  for (const AccessRule& each : rules_) {
    if (!each.poa.empty() && !each.poa.matches(poa)) continue;
    if (!each.operation.empty() && !each.operation.matches(operation)) continue;
    if (!each.kind.empty() || !each.caller.empty()) {
      if (caller == nullptr) caller = &who();
      if (!is_by(each, *caller)) continue;
    }
    if (!each.allows) why = joined({source_, ", line ", decimal(each.line), ": ", each.text});
    return each.allows;
  }
  why = joined({"no rule of ", source_, " allows it"});
  return false;
}

std::string access_name(std::string_view path) {
  std::string name = "RootPOA";
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('\0'), path.size());
    name.push_back('/');
    for (const char each : path.substr(0, end)) {
      if (each == '/') {
        name.append("%2F");
      } else if (each == '%') {
        name.append("%25");
      } else {
        name.push_back(each);
      }
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return name;
}

}  // namespace tenon::poa
