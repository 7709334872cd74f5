// SPDX-License-Identifier: Apache-2.0
//
// Rules of access: lines of text that say who may call what, and the decision about one call. Not who checks, and when: that is
// guarded_adapter.hpp. docs/security.md has the language.
//
// Rules never change once they are made, so any thread may use them. What cannot be read becomes rules that refuse everything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.hpp"
#include "base/ref.hpp"
#include "protocol/identity.hpp"

namespace tenon::poa {

/// Text in which `*` stands for any text, `?` for one octet, and `|` separates alternatives; behind a backslash a character is itself.
class AccessPattern {
 public:
  AccessPattern() = default;
  explicit AccessPattern(std::string text) : text_(std::move(text)) {}
  /// `any_case`: letters of ASCII match in both cases.
  bool matches(std::string_view text, bool any_case = false) const noexcept;
  bool empty() const noexcept { return text_.empty(); }

 private:
  std::string text_;
};

/// One line.
struct AccessRule {
  struct Condition {
    std::string_view attribute;  ///< of the identity; constant text
    AccessPattern pattern;
  };
  bool allows = false;
  unsigned line = 0;  ///< from 1
  std::string text;   ///< as it was written
  // What is empty matches everything:
  AccessPattern poa;
  AccessPattern operation;
  AccessPattern kind;
  std::vector<Condition> caller = {};
};

class AccessRules : public RefCounted {
 public:
  /// The caller of the call in question; asked for at most once, and only if a rule wants to know.
  using Caller = FunctionRef<const protocol::Identity&()>;

  static constexpr std::size_t largest_file = std::size_t{1} << 20;

  /// `source`: what messages call the text, such as the name of a file. Null: there is no memory.
  static Ref<const AccessRules> parse(std::string_view text, std::string_view source);
  static Ref<const AccessRules> read_file(const std::string& file);

  /// Why they refuse everything: "FILE, line 3: ..., which ...". Empty: they can be used.
  const std::string& fault() const noexcept { return fault_; }
  const std::vector<AccessRule>& rules() const noexcept { return rules_; }

  /// The first rule that matches decides; without one the call is refused. False: `why` names what refuses it.
  bool allow(std::string_view poa, std::string_view operation, Caller who, std::string& why) const;

 private:
  explicit AccessRules(std::string_view source) : source_(source) {}
  bool read_line(std::string_view line, unsigned number);
  bool fail(unsigned line, std::string_view what);

  const std::string source_;
  std::string fault_;
  std::vector<AccessRule> rules_;
};

/// A POA's name as rules have it: "RootPOA/Bank/Accounts". `path`: names below the root, each followed by NUL. A slash in a name is
/// written %2F, a percent sign %25.
std::string access_name(std::string_view path);

}  // namespace tenon::poa
